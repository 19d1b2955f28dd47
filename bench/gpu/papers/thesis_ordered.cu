// The thesis' multireduces for operators that do not commute, again: figures 4.7 to 4.9, 4.13,
// 4.18, 4.19, 4.21, 4.22 and 4.24 of Eilers 2014. The operator is the later of two numbers that is
// not 0.
//   gpu_thesis_ordered LOG2_N ROUNDS
// Prints lines of JSON: ns an input of u32 + u32, medians of device events; one run where an input
// takes more than 0.1 ns. Every algorithm's buckets are first compared with the library's.
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <map>
#include <vector>

#include "bench/gpu/ordered/ordered_operators.cuh"
#include "bench/gpu/papers/json_line.h"
#include "bench/gpu/papers/thesis_sets.cuh"
#include "bench/gpu/papers/thesis_sorted.cuh"
#include "bench/gpu/timing.cuh"
#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/plan/ordered_plans.h"
#include "presort/gpu/segmented_reduce.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::JsonLine;
using bench::Labels;
using bench::SetsIn;
using bench::SetsShape;
using Later = bench::Later;

namespace {

constexpr const char* kPaper = "Eilers 2014";
constexpr uint64_t kMostSets = uint64_t{1} << 31;  // most buckets of all sets together

class Thesis {
 public:
  Thesis(uint64_t n, int rounds)
      : n_(n),
        rounds_(rounds),
        multiprocessors_(static_cast<uint32_t>(current_device_limits().multiprocessors)),
        labels_(n),
        values_(n),
        sorted_labels_(n),
        sorted_values_(n),
        unique_(n),
        buckets_(kMostBuckets),
        expected_(kMostBuckets),
        count_(1),
        sets_(kMostSets),
        scratch_(uint64_t{3} << 30) {
    bench::make_labels(values_, 1000, Labels::uniform);
  }

  bool run() {
    sets_in_global_memory();
    sets_in_shared_memory();
    global_sort();
    sort_in_shared_memory();
    return agrees_;
  }

 private:
  static constexpr uint64_t kMostBuckets = uint64_t{1} << 24;

  template <class Run>
  double ns(const Run& run) const {
    constexpr double kSlow = 0.1;  // ns an input above which one run is enough
    const auto n = static_cast<double>(n_);
    const double first = bench::ns_once(run) / n;
    const double time = first > kSlow ? first : bench::median_ns(rounds_, run) / n;
    PRESORT_CUDA(cudaGetLastError());
    return time;
  }
  std::span<std::byte> scratch() const { return {scratch_.data(), scratch_.size()}; }

  // Makes labels, and the buckets that every algorithm has to find.
  void make(uint64_t m, Labels kind) {
    bench::make_labels(labels_, m, kind);
    clear(expected_, m);
    ours(m, expected_);
  }
  static void clear(const Array<uint32_t>& array, uint64_t count) {
    PRESORT_CUDA(cudaMemsetAsync(array.data(), 0, count * sizeof(uint32_t)));
  }
  void ours(uint64_t m, const Array<uint32_t>& to) const {
    const GpuPlan plan = ordered_plan({n_, m, sizeof(uint32_t)});
    multireduce<uint32_t, uint32_t>(nullptr, {labels_.data(), n_}, {values_.data(), n_},
                                    {to.data(), m}, Later{}, plan, scratch());
  }
  void compare(const char* what, uint64_t m) {
    std::vector<uint32_t> found(m);
    std::vector<uint32_t> expected(m);
    const auto copy = [&](std::vector<uint32_t>& to, const Array<uint32_t>& from) {
      PRESORT_CUDA(
          cudaMemcpy(to.data(), from.data(), m * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    };
    copy(found, buckets_);
    copy(expected, expected_);
    if (found != expected) {
      std::fprintf(stderr, "wrong: %s, %llu buckets\n", what, static_cast<unsigned long long>(m));
      agrees_ = false;
    }
  }
  // Reduces `sets` sets of m buckets each.
  void join_sets(uint64_t m, uint64_t sets) const {
    segmented_reduce(nullptr, std::span<const uint32_t>(sets_.data(), m * sets), sets,
                     std::span(buckets_.data(), m), Later{}, scratch());
  }
  // The time of figure 4.24 is the least that any shape takes.
  void offer(const char* algorithm, uint64_t m, double time) {
    const auto [at, is_new] = best_[algorithm].try_emplace(m, time);
    at->second = std::min(at->second, time);
  }

  template <SetsIn kIn, int kItems>
  void sets(const char* figure, const char* labels, const SetsShape& shape, uint64_t m,
            const Array<uint32_t>& from_labels, const Array<uint32_t>& from_values) {
    if (shape.threads() * m > kMostSets) {
      return;
    }
    const auto reduce = [&] {
      bench::launch_into_sets<kIn, kItems, false>(shape, from_labels.data(), from_values.data(), n_,
                                                  static_cast<uint32_t>(m), sets_.data(),
                                                  static_cast<uint32_t*>(nullptr), Later{});
    };
    reduce();
    join_sets(m, shape.threads());
    compare(figure, m);
    const double main = ns(reduce);
    const double join = ns([&] { join_sets(m, shape.threads()); });
    JsonLine(kPaper)
        .add("figure", figure)
        .add("labels", labels)
        .add("buckets", m)
        .add("threads", shape.threads())
        .add("items", uint64_t{kItems})
        .add("main", main)
        .add("join", join);
    if (&from_labels == &labels_ && std::string(labels) == "uniform") {
      offer(kIn == SetsIn::global ? "sets in global memory" : "sets in shared memory", m,
            main + join);
    }
  }

  // Figures 4.7 (random labels), 4.8 (equal labels) and 4.9 (sorted ones).
  void sets_in_global_memory() {
    const auto shape_of = [&](uint32_t warps) { return SetsShape{multiprocessors_, 32 * warps}; };
    for (const uint64_t m : {uint64_t{16}, uint64_t{256}, uint64_t{4096}, uint64_t{65536}}) {
      make(m, Labels::uniform);
      for (const uint32_t warps : {1, 2, 4, 8, 16}) {
        sets<SetsIn::global, 32>("4.7", "uniform", shape_of(warps), m, labels_, values_);
      }
      sort(m);
      for (const uint32_t warps : {1, 2, 4, 8, 16}) {
        sets<SetsIn::global, 32>("4.9", "sorted", shape_of(warps), m, sorted_labels_,
                                 sorted_values_);
      }
    }
    make(256, Labels::degenerate);
    for (const uint32_t warps : {1, 2, 4, 8, 16}) {
      sets<SetsIn::global, 32>("4.8", "degenerate", shape_of(warps), 256, labels_, values_);
    }
  }

  template <int kItems>
  void sets_of_items(uint64_t m) {
    constexpr uint32_t kThreads = 32;
    const size_t bytes =
        bench::sets_bytes<SetsIn::shared, uint32_t>(kItems, kThreads, static_cast<uint32_t>(m));
    const DeviceLimits device = current_device_limits();
    const SetsShape shape{static_cast<uint32_t>(resident_blocks(device, kThreads, bytes)),
                          kThreads};
    sets<SetsIn::shared, kItems>("4.13", "uniform", shape, m, labels_, values_);
  }
  void sets_in_shared_memory() {
    for (uint64_t m = 4; m <= 1024; m *= 2) {
      make(m, Labels::uniform);
      sets_of_items<8>(m);
      sets_of_items<16>(m);
      sets_of_items<32>(m);
    }
  }

  void sort(uint64_t m) const {
    size_t bytes = scratch_.size();
    PRESORT_CUDA(cub::DeviceRadixSort::SortPairs(scratch_.data(), bytes, labels_.data(),
                                                 sorted_labels_.data(), values_.data(),
                                                 sorted_values_.data(), n_, 0, label_bits(m)));
  }

  // Figures 4.18 and 4.19: a sort by all bits of the labels, then a reduction by key.
  void global_sort() {
    for (const Labels kind : {Labels::uniform, Labels::degenerate}) {
      const bool is_random = kind == Labels::uniform;
      for (uint64_t m = 16; m <= kMostBuckets; m *= 4) {
        make(m, kind);
        const double sorting = ns([&] { sort(m); });
        const double reducing = ns([&] {
          size_t bytes = scratch_.size();
          PRESORT_CUDA(cub::DeviceReduce::ReduceByKey(scratch_.data(), bytes, sorted_labels_.data(),
                                                      unique_.data(), sorted_values_.data(),
                                                      buckets_.data(), count_.data(), Later{}, n_));
        });
        const double rule = ns([&] { ours(m, buckets_); });
        JsonLine(kPaper)
            .add("figure", is_random ? "4.18" : "4.19")
            .add("labels", is_random ? "uniform" : "degenerate")
            .add("buckets", m)
            .add("sort", sorting)
            .add("reduce by key", reducing)
            .add("ours by rule", rule);
        if (is_random) {
          offer("global sort", m, sorting + reducing);
          offer("ours by rule", m, rule);
        }
      }
    }
  }

  template <int kThreads, bool kTransposed>
  void sorted_blocks(const char* labels, uint64_t m) {
    const uint64_t blocks = bench::sorted_blocks<kThreads>(n_);
    if (blocks * m > kMostSets) {
      return;
    }
    const auto reduce = [&] {
      clear(sets_, blocks * m);
      bench::reduce_sorted_blocks<kThreads, kTransposed>
          <<<static_cast<unsigned>(blocks), kThreads>>>(labels_.data(), values_.data(), n_,
                                                        label_bits(m), sets_.data(), Later{});
    };
    reduce();
    join_sets(m, blocks);
    if (kTransposed) {
      compare("4.22", m);
    }
    const double main = ns(reduce);
    const double join = ns([&] { join_sets(m, blocks); });
    JsonLine(kPaper)
        .add("figure", kTransposed ? "4.22" : "4.21")
        .add("labels", labels)
        .add("buckets", m)
        .add("threads of a block", uint64_t{kThreads})
        .add("main", main)
        .add("join", join);
    if (kTransposed && std::string(labels) == "uniform") {
      offer("sort in shared memory", m, main + join);
    }
  }
  void sort_in_shared_memory() {
    for (const Labels kind : {Labels::uniform, Labels::degenerate}) {
      const char* labels = kind == Labels::uniform ? "uniform" : "degenerate";
      for (uint64_t m = 16; m <= 65536; m *= 4) {
        make(m, kind);
        sorted_blocks<64, false>(labels, m);
        sorted_blocks<128, false>(labels, m);
        sorted_blocks<256, false>(labels, m);
        sorted_blocks<512, false>(labels, m);
        sorted_blocks<64, true>(labels, m);
        sorted_blocks<128, true>(labels, m);
        sorted_blocks<256, true>(labels, m);
        sorted_blocks<512, true>(labels, m);
      }
    }
    for (const auto& [algorithm, times] : best_) {
      for (const auto& [m, time] : times) {
        JsonLine(kPaper)
            .add("figure", "4.24")
            .add("algorithm", algorithm)
            .add("buckets", m)
            .add("ns", time);
      }
    }
  }

  uint64_t n_;
  int rounds_;
  uint32_t multiprocessors_;
  bool agrees_ = true;
  std::map<std::string, std::map<uint64_t, double>> best_;
  Array<uint32_t> labels_, values_, sorted_labels_, sorted_values_, unique_, buckets_, expected_,
      count_, sets_;
  Array<std::byte> scratch_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: gpu_thesis_ordered LOG2_N ROUNDS\n");
    return 2;
  }
  return Thesis(uint64_t{1} << std::atoi(argv[1]), std::atoi(argv[2])).run() ? 0 : 1;
}
