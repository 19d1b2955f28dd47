// Plain atomics, one input a thread, of labels that are made by a rule: what of them bounds atomics.
//   gpu_atomics_of_labels [LOG2_N]
// Prints a line of JSON for each rule and type, ns an input, the median of three runs between
// device events. Rules (`m` buckets; `share` and `count` as said):
//   uniform  any bucket
//   set      any of `count` buckets, which lie anywhere
//   cold     a share of any bucket, the others of a set of `count`
//   hot      a share of one bucket, the others of any
//   law      rank r in proportion to (r + shift)^-power, from rank `count` on, scattered
//   sectors  `count` lanes side by side at neighbouring words of a sector, which lies anywhere
//   rows     32 lanes at any of `span` words of any of `count` rows 256 bytes apart
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "bench/gpu/timing.cuh"

using namespace presort::gpu;
using bench::Array;
using bench::mix;

namespace {

enum class Rule { uniform, set, cold, hot, law, sectors, rows };
constexpr const char* kRuleNames[] = {"uniform", "set", "cold", "hot", "law", "sectors", "rows"};

struct Labels {
  Rule rule = Rule::uniform;
  uint64_t m = 1;
  uint64_t count = 1;
  double share = 0;
  double power = 0;
  double shift = 0;
  uint64_t span = 1;
};

__device__ double part_of(uint64_t random) {
  return static_cast<double>(random >> 11) * 0x1p-53;
}

// A bucket that has nothing to do with its number.
__device__ uint64_t scattered(uint64_t number, uint64_t m) {
  return mix(number * 1000003 + 77) % m;
}

__device__ uint64_t rank_of(const Labels& of, double part) {
  const double first = static_cast<double>(of.count) + of.shift + 0.5;
  const double last = static_cast<double>(of.m) + of.shift;
  const double exponent = 1 - of.power;
  const double at =
      exponent == 0
          ? first * pow(last / first, part)
          : pow(pow(first, exponent) + (pow(last, exponent) - pow(first, exponent)) * part,
                1 / exponent);
  return min(static_cast<uint64_t>(at - of.shift), of.m - 1);
}

__device__ uint64_t label_of(const Labels& of, uint64_t i) {
  const uint64_t row = i / 32;
  const uint64_t random = mix(3 * i + 1);
  const double part = part_of(mix(3 * i));
  switch (of.rule) {
    case Rule::uniform:
      return random % of.m;
    case Rule::set:
      return scattered(random % of.count, of.m);
    case Rule::cold:
      return part < of.share ? random % of.m : scattered(random % of.count, of.m);
    case Rule::hot:
      return part < of.share ? scattered(0, of.m) : random % of.m;
    case Rule::law:
      return scattered(rank_of(of, part), of.m);
    case Rule::sectors: {
      const uint64_t lane = i % 32;
      return mix(row * 64 + lane / of.count) % (of.m / 8) * 8 + lane % of.count;
    }
    case Rule::rows:
      return (mix(3 * row + 2) % (of.m / 32) * 32 + 64 * ((random >> 8) % of.count) +
              random % of.span) %
             of.m;
  }
  return 0;
}

__global__ void make_labels(uint32_t* labels, uint64_t n, Labels of) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    labels[i] = static_cast<uint32_t>(label_of(of, i));
  }
}

template <class Value>
__global__ void add(const uint32_t* labels, const Value* values, uint64_t n, Value* buckets) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    atomicAdd(buckets + labels[i], values[i]);
  }
}

class Run {
 public:
  explicit Run(uint64_t n) : labels_(n), values_(n), buckets_(kMostBuckets) {
    PRESORT_CUDA(cudaMemset(values_.data(), 0, n * sizeof(uint64_t)));
    PRESORT_CUDA(cudaMemset(buckets_.data(), 0, kMostBuckets * sizeof(uint64_t)));
  }

  void time(const Labels& of) const {
    make_labels<<<kBlocks, 256>>>(labels_.data(), labels_.size(), of);
    std::printf(
        "{\"rule\": \"%s\", \"m\": %llu, \"count\": %llu, \"share\": %g, \"power\": %g, "
        "\"shift\": %g, \"span\": %llu, \"u32\": %.5f, \"f32\": %.5f, \"u64\": %.5f, "
        "\"f64\": %.5f}\n",
        kRuleNames[static_cast<int>(of.rule)], static_cast<unsigned long long>(of.m),
        static_cast<unsigned long long>(of.count), of.share, of.power, of.shift,
        static_cast<unsigned long long>(of.span), ns<uint32_t>(), ns<float>(),
        ns<unsigned long long>(), ns<double>());
    std::fflush(stdout);
  }

  static constexpr uint64_t kMostBuckets = uint64_t{1} << 28;

 private:
  static constexpr unsigned kBlocks = 132 * 8;

  template <class Value>
  double ns() const {
    const auto run = [&] {
      add<<<kBlocks, 256>>>(labels_.data(), reinterpret_cast<const Value*>(values_.data()),
                            labels_.size(), reinterpret_cast<Value*>(buckets_.data()));
    };
    constexpr int kRuns = 3;
    return bench::median_ns(kRuns, run) / static_cast<double>(labels_.size());
  }

  Array<uint32_t> labels_;
  Array<uint64_t> values_;
  Array<uint64_t> buckets_;
};

}  // namespace

int main(int argc, char** argv) {
  const int log2_n = argc > 1 ? std::atoi(argv[1]) : 25;
  if (log2_n < 10 || log2_n > 30) {
    std::fprintf(stderr, "usage: gpu_atomics_of_labels [LOG2_N]   10 to 30\n");
    return 2;
  }
  const Run run(uint64_t{1} << log2_n);
  const auto buckets = [](int log2) { return uint64_t{1} << log2; };
  for (const int m : {18, 20, 22, 23, 24, 25, 27, 28}) {
    run.time({.rule = Rule::uniform, .m = buckets(m)});
  }
  for (const int m : {22, 24, 27, 28}) {
    for (const int count : {12, 14, 16, 18, 19, 20, 22}) {
      run.time({.rule = Rule::set, .m = buckets(m), .count = buckets(count)});
    }
  }
  for (const int m : {25, 27}) {
    for (const double share : {0.02, 0.05, 0.1, 0.2, 0.4, 0.7}) {
      run.time({.rule = Rule::cold, .m = buckets(m), .count = 1 << 14, .share = share});
    }
  }
  for (const int m : {18, 22, 25, 27}) {
    for (const double share : {0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2}) {
      run.time({.rule = Rule::hot, .m = buckets(m), .share = share});
    }
    for (const uint64_t count : {0, 8, 64, 512, 4096}) {
      run.time({.rule = Rule::law, .m = buckets(m), .count = count, .power = 1.25});
      run.time({.rule = Rule::law, .m = buckets(m), .count = count, .power = 1, .shift = 2.7});
      run.time({.rule = Rule::law, .m = buckets(m), .count = count, .power = 0.75});
    }
  }
  for (const int m : {18, 21}) {
    for (const uint64_t count : {1, 2, 4, 8}) {
      run.time({.rule = Rule::sectors, .m = buckets(m), .count = count});
    }
    for (const auto& [count, span] : {std::pair{9, 3}, {3, 3}, {9, 1}, {3, 9}}) {
      run.time({.rule = Rule::rows,
                .m = buckets(m),
                .count = static_cast<uint64_t>(count),
                .span = static_cast<uint64_t>(span)});
    }
  }
  return 0;
}
