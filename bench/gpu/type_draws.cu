// Multireduces of every type over the same labels, of problems drawn at random: what a type costs beside u32,
// what the order of the inputs costs floats, and whether a peer is faster.
//   gpu_type_draws SEED COUNT LEAST_LOG2_N MOST_LOG2_N [ROUNDS]
// Draws n, m from 2^4 to 2^28, odd numbers among them, and the kind of labels. Prints a line of JSON for
// each draw, in ns an input:
//   ours     the call that is told nothing of the labels: u32, f32, u64, f64, bf16 (summed as float),
//            16 (two sums of 8 bytes), and "f32 in order", "f64 in order", whose sums are the same bits in
//            every run
//   atomics  plain atomics, one input a thread; for 16 two of them
// Calls of a type are timed by turns, with the L2 emptied before each. Results are compared with those of plain atomics.
#include <cuda_bf16.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "bench/gpu/real_labels.cuh"
#include "presort/gpu/calls.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::RealLabels;

namespace {

struct Two {
  unsigned long long a;
  unsigned long long b;
  friend __host__ __device__ constexpr Two operator+(Two x, Two y) {
    return {x.a + y.a, x.b + y.b};
  }
  __device__ friend bool operator!=(Two x, Two y) { return x.a != y.a || x.b != y.b; }
};

template <class Value, class Bucket>
__device__ void add(Bucket* bucket, const Value& value) {
  if constexpr (sizeof(Bucket) == 16) {
    atomicAdd(&bucket->a, value.a);
    atomicAdd(&bucket->b, value.b);
  } else {
    atomicAdd(bucket, static_cast<Bucket>(value));
  }
}

__device__ uint64_t thread_number() {
  return blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x;
}
__device__ uint64_t all_threads() {
  return static_cast<uint64_t>(gridDim.x) * blockDim.x;
}

template <class Value, class Bucket>
__global__ void plain_atomics(const uint32_t* labels, const Value* values, Bucket* buckets,
                              uint64_t n) {
  for (uint64_t i = thread_number(); i < n; i += all_threads()) {
    add(buckets + labels[i], values[i]);
  }
}

// Values -1, 0 or 1, of which floats have exact sums.
template <class Value>
__global__ void fill_values(Value* values, uint64_t n) {
  for (uint64_t i = thread_number(); i < n; i += all_threads()) {
    const int value = static_cast<int>(bench::mix(i) % 3) - 1;
    if constexpr (sizeof(Value) == 16) {
      values[i] = {static_cast<unsigned long long>(value), i};
    } else {
      values[i] = static_cast<Value>(static_cast<float>(value));
    }
  }
}
template <>
__global__ void fill_values(uint32_t* values, uint64_t n) {
  for (uint64_t i = thread_number(); i < n; i += all_threads()) {
    values[i] = static_cast<uint32_t>(bench::mix(i) % 3) - 1;
  }
}
template <>
__global__ void fill_values(unsigned long long* values, uint64_t n) {
  for (uint64_t i = thread_number(); i < n; i += all_threads()) {
    values[i] = bench::mix(i) % 3 - 1;
  }
}

template <class Bucket>
__global__ void count_different(const Bucket* a, const Bucket* b, uint64_t m,
                                unsigned long long* different) {
  for (uint64_t i = thread_number(); i < m; i += all_threads()) {
    if (a[i] != b[i]) {
      atomicAdd(different, 1ull);
    }
  }
}

struct Times {
  double ours;
  double in_order;  // 0: not timed
  double atomics;
};

template <class Value, class Bucket = Value>
Times time_type(const Array<uint32_t>& labels, uint64_t m, int rounds, const char* name) {
  constexpr bool kRounds = std::is_floating_point_v<Value>;
  const uint64_t n = labels.size();
  const Array<Value> values(n);
  const Array<Bucket> buckets(m), expected(m);
  fill_values<<<1024, 256>>>(values.data(), n);
  const std::span<const uint32_t> in(labels.data(), n);
  const std::span<const Value> of(values.data(), n);
  const std::span<Bucket> out(buckets.data(), m);
  const auto blocks = static_cast<unsigned>(std::min<uint64_t>(n / 256 + 1, 132 * 8));
  const auto plain = [&](Bucket* to) {
    plain_atomics<<<blocks, 256>>>(labels.data(), values.data(), to, n);
  };
  PRESORT_CUDA(cudaMemset(expected.data(), 0, m * sizeof(Bucket)));
  plain(expected.data());
  const auto check = [&](const auto& call) {
    PRESORT_CUDA(cudaMemset(buckets.data(), 0, m * sizeof(Bucket)));
    call();
    const Array<unsigned long long> different(1);
    PRESORT_CUDA(cudaMemset(different.data(), 0, 8));
    count_different<<<1024, 256>>>(buckets.data(), expected.data(), m, different.data());
    unsigned long long found = 0;
    PRESORT_CUDA(cudaMemcpy(&found, different.data(), 8, cudaMemcpyDeviceToHost));
    if (found > 0) {
      std::fprintf(stderr, "%s: %llu buckets differ\n", name, found);
      std::exit(1);
    }
  };
  const auto ours = [&] { multireduce(in, of, out); };
  const auto atomics = [&] { plain(buckets.data()); };
  const auto in_order = [&] {
    if constexpr (kRounds) {
      multireduce(in, of, out, InOrder<Sum<Value>>{});
    }
  };
  check(ours);
  if (kRounds) {
    check(in_order);
  }
  const auto medians = bench::cold_medians_by_turns(rounds, ours, atomics, in_order);
  const auto inputs = static_cast<double>(n);
  return {medians[0] / inputs, kRounds ? medians[2] / inputs : 0, medians[1] / inputs};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: gpu_type_draws SEED COUNT LEAST_LOG2_N MOST_LOG2_N [ROUNDS]\n");
    return 2;
  }
  std::mt19937_64 random(std::strtoull(argv[1], nullptr, 10));
  const int count = std::atoi(argv[2]);
  const int rounds = argc > 5 ? std::atoi(argv[5]) : 7;
  const auto size = [&](double low, double high) {
    const double log2 = std::uniform_real_distribution(low, high)(random);
    return random() % 3 == 0 ? uint64_t{1} << std::lround(log2)
                             : static_cast<uint64_t>(std::exp2(log2)) | 1;
  };
  try {
    for (int i = 0; i < count; ++i) {
      const uint64_t n = size(std::atof(argv[3]), std::atof(argv[4]));
      const uint64_t m = size(4, 28);
      const auto kind = static_cast<RealLabels>(random() % 8);
      const Array<uint32_t> labels(n);
      bench::make_real_labels(labels.data(), n, m, kind, random() % 1000);
      const struct {
        const char* name;
        Times times;
      } all[] = {{"u32", time_type<uint32_t>(labels, m, rounds, "u32")},
                 {"f32", time_type<float>(labels, m, rounds, "f32")},
                 {"u64", time_type<unsigned long long>(labels, m, rounds, "u64")},
                 {"f64", time_type<double>(labels, m, rounds, "f64")},
                 {"bf16", time_type<__nv_bfloat16, float>(labels, m, rounds, "bf16")},
                 {"16", time_type<Two>(labels, m, rounds, "16")}};
      std::string ours;
      std::string atomics;
      const auto append = [](std::string& to, const std::string& name, double ns) {
        char text[64];
        std::snprintf(text, sizeof text, "%s\"%s\": %.5f", to.empty() ? "" : ", ", name.c_str(),
                      ns);
        to += text;
      };
      for (const auto& [name, times] : all) {
        append(ours, name, times.ours);
        append(atomics, name, times.atomics);
        if (times.in_order > 0) {
          append(ours, std::string(name) + " in order", times.in_order);
        }
      }
      std::printf(
          "{\"n\": %zu, \"m\": %zu, \"labels\": \"%s\", \"ours\": {%s}, "
          "\"atomics\": {%s}}\n",
          static_cast<size_t>(n), static_cast<size_t>(m),
          bench::kRealLabels[static_cast<int>(kind)], ours.c_str(), atomics.c_str());
      std::fflush(stdout);
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "gpu_type_draws: %s\n", error.what());
    return 1;
  }
  return 0;
}
