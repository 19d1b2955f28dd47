// The thesis' multiscans again: figures 5.4, 5.5, 5.8, 5.9, B.1 and B.2 of Eilers 2014; figure 5.7
// is CUB's column of gpu_multiscan_speed. Exclusive sums of u32.
//   gpu_thesis_multiscan LOG2_N ROUNDS
// Prints lines of JSON: ns an input of u32 + u32, medians of device events; one run where an input
// takes more than 0.1 ns. Every algorithm's results are first compared with the library's.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "bench/gpu/ordered/sheffler.cuh"
#include "bench/gpu/papers/json_line.h"
#include "bench/gpu/papers/thesis_sets.cuh"
#include "bench/gpu/papers/thesis_sorted.cuh"
#include "bench/gpu/timing.cuh"
#include "presort/gpu/multiscan.cuh"
#include "presort/gpu/plan/ordered_plans.h"
#include "presort/gpu/segmented_scan.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::JsonLine;
using bench::Labels;
using bench::SetsIn;
using bench::SetsShape;
using Add = Sum<uint32_t>;

namespace {

constexpr const char* kPaper = "Eilers 2014";
constexpr uint64_t kMostSets = uint64_t{1} << 31;  // most buckets of all sets together

__global__ void count_differing(const uint32_t* a, const uint32_t* b, uint64_t n, uint32_t* count) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    if (a[i] != b[i]) {
      atomicAdd(count, 1u);
    }
  }
}

class Thesis {
 public:
  Thesis(uint64_t n, int rounds)
      : n_(n),
        rounds_(rounds),
        multiprocessors_(static_cast<uint32_t>(current_device_limits().multiprocessors)),
        labels_(n),
        values_(n),
        results_(n),
        expected_(n),
        buckets_(kMostBuckets),
        offsets_(kMostBuckets + 1),
        count_(1),
        sets_(kMostSets),
        scratch_(uint64_t{6} << 30) {
    bench::make_labels(values_, 1000, Labels::uniform);
  }

  bool run() {
    for (const Labels kind : {Labels::uniform, Labels::degenerate}) {
      labels_name_ = kind == Labels::uniform ? "uniform" : "degenerate";
      for (uint64_t m = 16; m <= 65536; m *= 4) {
        make(m, kind);
        sheffler(m);
        sorted_blocks<64>(m);
        sorted_blocks<128>(m);
        sorted_blocks<256>(m);
        for (const uint32_t warps : {1, 2, 4, 8}) {
          sets<SetsIn::global>("B.1", SetsShape{multiprocessors_, 32 * warps}, m);
        }
        sets_in_shared_memory(m);
      }
    }
    for (const auto& [algorithm, times] : worst_) {
      for (const auto& [m, time] : times) {
        JsonLine(kPaper)
            .add("figure", "5.9")
            .add("algorithm", algorithm)
            .add("buckets", m)
            .add("ns", time);
      }
    }
    return agrees_;
  }

 private:
  static constexpr uint64_t kMostBuckets = 65536;

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

  static void clear(const Array<uint32_t>& array, uint64_t count) {
    PRESORT_CUDA(cudaMemsetAsync(array.data(), 0, count * sizeof(uint32_t)));
  }
  void ours(uint64_t m, const Array<uint32_t>& to) const {
    const GpuPlan plan = scan_plan({n_, m, sizeof(uint32_t)}, current_device_limits());
    multiscan<Scan::exclusive, uint32_t, uint32_t>(nullptr, {labels_.data(), n_},
                                                   {values_.data(), n_}, {buckets_.data(), m},
                                                   {to.data(), n_}, Add{}, plan, scratch());
  }
  void make(uint64_t m, Labels kind) {
    bench::make_labels(labels_, m, kind);
    clear(buckets_, m);
    ours(m, expected_);
    clear(buckets_, m);
    best_.clear();
    const double rule = ns([&] { ours(m, results_); });
    clear(buckets_, m);
    line("5.9", m, "ours by rule", 0, rule);
  }

  // Checks a run's results, then prints its time; times of figure 5.9 are of the worse labels.
  template <class Run>
  void time(const char* figure, uint64_t m, const char* algorithm, uint64_t threads,
            const Run& run) {
    clear(results_, n_);
    run();
    clear(count_, 1);
    count_differing<<<2048, 256>>>(results_.data(), expected_.data(), n_, count_.data());
    uint32_t differing = 0;
    PRESORT_CUDA(cudaMemcpy(&differing, count_.data(), sizeof differing, cudaMemcpyDeviceToHost));
    if (differing > 0) {
      std::fprintf(stderr, "wrong: %s, %llu buckets: %u results\n", algorithm,
                   static_cast<unsigned long long>(m), differing);
      agrees_ = false;
    }
    line(figure, m, algorithm, threads, ns(run));
  }
  void line(const char* figure, uint64_t m, const char* algorithm, uint64_t threads, double time) {
    JsonLine(kPaper)
        .add("figure", figure)
        .add("algorithm", algorithm)
        .add("labels", labels_name_)
        .add("buckets", m)
        .add("threads", threads)
        .add("ns", time);
    // The best shape of each kind of labels counts, and of these the worse
    double& best = best_.try_emplace(algorithm, time).first->second;
    best = std::min(best, time);
    double& worst = worst_[algorithm].try_emplace(m, best).first->second;
    if (labels_name_ == "uniform") {
      worst = best;
      uniform_[algorithm][m] = best;
    } else {
      worst = std::max(best, uniform_[algorithm].try_emplace(m, 0).first->second);
    }
  }

  template <int kSideOfSegment, bool kInShared>
  void sheffler_of(const char* figure, uint64_t m) {
    using Records = bench::SpineRecords<uint32_t, kSideOfSegment>;
    const uint64_t segments = bench::sheffler_segments<kSideOfSegment>(n_);
    if (segments * m > kMostSets || (!kInShared && segments * sizeof(Records) > scratch_.size())) {
      return;
    }
    auto* records = kInShared ? nullptr : reinterpret_cast<Records*>(scratch_.data());
    time(figure, m, kInShared ? "Sheffler, shared memory" : "Sheffler, global memory",
         kSideOfSegment, [&] {
           bench::sheffler<kSideOfSegment>(labels_.data(), values_.data(), n_, buckets_.data(),
                                           static_cast<uint32_t>(m), results_.data(), sets_.data(),
                                           Add{}, records);
         });
  }
  void sheffler(uint64_t m) {
    if (m > bench::kMostShefflerBuckets) {
      return;
    }
    sheffler_of<16, false>("5.4", m);
    sheffler_of<32, false>("5.4", m);
    sheffler_of<64, false>("5.4", m);
    sheffler_of<128, false>("5.4", m);
    sheffler_of<32, true>("5.5", m);
    sheffler_of<64, true>("5.5", m);
  }

  template <int kThreads>
  void sorted_blocks(uint64_t m) {
    const uint64_t blocks = bench::sorted_blocks<kThreads>(n_);
    if (blocks * m > kMostSets) {
      return;
    }
    time("5.8", m, "sort in shared memory", kThreads, [&] {
      clear(sets_, blocks * m);
      bench::scan_sorted_blocks<kThreads><<<static_cast<unsigned>(blocks), kThreads>>>(
          labels_.data(), values_.data(), n_, label_bits(m), static_cast<uint32_t>(m), sets_.data(),
          results_.data(), Add{});
      PRESORT_CUDA(cudaGetLastError());
      bench::add_segments(labels_.data(), n_, bench::kSortedInputs<kThreads>,
                          static_cast<uint32_t>(m), buckets_.data(), sets_.data(), results_.data(),
                          Add{});
    });
  }

  template <SetsIn kIn>
  void sets(const char* figure, const SetsShape& shape, uint64_t m) {
    constexpr int kItems = 32;
    const uint64_t threads = shape.threads();
    if (threads * m > kMostSets) {
      return;
    }
    std::vector<uint32_t> offsets(m + 1);
    for (uint64_t k = 0; k <= m; ++k) {
      offsets[k] = static_cast<uint32_t>(k * threads);
    }
    PRESORT_CUDA(cudaMemcpy(offsets_.data(), offsets.data(), offsets.size() * sizeof(uint32_t),
                            cudaMemcpyHostToDevice));
    time(figure, m, kIn == SetsIn::global ? "sets in global memory" : "sets in shared memory",
         threads, [&] {
           bench::launch_into_sets<kIn, kItems, true>(shape, labels_.data(), values_.data(), n_,
                                                      static_cast<uint32_t>(m), sets_.data(),
                                                      results_.data(), Add{});
           const std::span all(sets_.data(), m * threads);
           segmented_scan<Scan::exclusive>(nullptr, std::span<const uint32_t>(all),
                                           std::span<const uint32_t>(offsets_.data(), m + 1), all,
                                           Add{}, scratch());
           bench::add_sets<<<2048, 256>>>(labels_.data(), n_, shape.segment(n_), threads,
                                          sets_.data(), results_.data(), Add{});
         });
  }
  void sets_in_shared_memory(uint64_t m) {
    constexpr uint32_t kThreads = 32;
    constexpr uint64_t kMost = 1024;
    if (m > kMost) {
      return;
    }
    const size_t bytes =
        bench::sets_bytes<SetsIn::shared, uint32_t>(32, kThreads, static_cast<uint32_t>(m));
    const int blocks = resident_blocks(current_device_limits(), kThreads, bytes);
    sets<SetsIn::shared>("B.2", SetsShape{static_cast<uint32_t>(blocks), kThreads}, m);
  }

  uint64_t n_;
  int rounds_;
  uint32_t multiprocessors_;
  bool agrees_ = true;
  std::string labels_name_;
  std::map<std::string, double> best_;
  std::map<std::string, std::map<uint64_t, double>> uniform_, worst_;
  Array<uint32_t> labels_, values_, results_, expected_, buckets_, offsets_, count_, sets_;
  Array<std::byte> scratch_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: gpu_thesis_multiscan LOG2_N ROUNDS\n");
    return 2;
  }
  return Thesis(uint64_t{1} << std::atoi(argv[1]), std::atoi(argv[2])).run() ? 0 : 1;
}
