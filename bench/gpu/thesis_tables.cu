// Measures on this GPU what tables 4.1 to 4.3 and figures 4.10, 4.11, 4.15, 4.16 and 4.25 show in
// the thesis that the project began with (Eilers 2014): docs/results/gpu-thesis.md.
// usage: gpu_thesis_tables [LOG2_N [ROUNDS]]     without them 26 and 3
// Prints a JSON document: ns per input of u32 + u32, medians of ROUNDS times of device events, or
// one run where an input takes more than 0.1 ns. Every kernel's result is first compared with that
// of plain atomics. gpu_byte_histogram measures figures 4.23, A.1 and A.2.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "bench/gpu/thesis_kernels.cuh"
#include "bench/gpu/timing.cuh"
#include "presort/gpu/calls.cuh"
#include "presort/gpu/host/allow_shared_bytes.h"
#include "presort/gpu/multireduce.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::Labels;

namespace {

constexpr int kThreads = 256;
constexpr uint64_t kMostBuckets = uint64_t{1} << 27;  // most buckets, counting all sets
constexpr uint64_t kScratchBytes = uint64_t{5} << 30;

// Rows of a table as JSON: [[…], […]] with names of its columns.
class Table {
 public:
  Table(const char* name, const char* columns) {
    std::printf("%s\"%s\": {\"columns\": %s, \"rows\": [", first_ ? "" : ",\n", name, columns);
    first_ = false;
  }
  ~Table() {
    std::printf("]}");
    std::fflush(stdout);
  }
  void add(const std::vector<double>& row) {
    std::printf("%s\n  [", rows_++ == 0 ? "" : ",");
    for (size_t i = 0; i < row.size(); ++i) {
      std::printf("%s%.6g", i == 0 ? "" : ", ", row[i]);
    }
    std::printf("]");
  }

 private:
  static inline bool first_ = true;
  int rows_ = 0;
};

class Thesis {
 public:
  Thesis(uint64_t n, int rounds)
      : n_(n),
        rounds_(rounds),
        device_(current_device_limits()),
        labels_(n),
        values_(n),
        buckets_(kMostBuckets),
        scratch_(kScratchBytes) {
    bench::make_labels(values_, 1000, Labels::uniform);
    allow_shared_bytes(bench::sets_of_banks, device_.shared_bytes_of_block);
    allow_shared_bytes(bench::sets_of_threads, device_.shared_bytes_of_block);
  }

  void print() {
    check();
    table_4_1();
    table_4_2();
    table_4_3();
    figure_4_10_and_4_11();
    figure_4_15();
    figure_4_16();
    figure_4_25();
  }

 private:
  using Paired = PairedInput<uint32_t, uint32_t>;
  SeparateInput<uint32_t, uint32_t> input() const { return {labels_.data(), values_.data()}; }
  void make(uint64_t m, Labels kind) { bench::make_labels(labels_, m, kind); }
  int blocks() const { return device_.multiprocessors * (2048 / kThreads); }

  template <class Run>
  double ns(const Run& run) const {
    constexpr double kSlow = 0.1;  // ns per input above which one run is enough
    const auto n = static_cast<double>(n_);
    const double first = bench::ns_once(run) / n;
    const double time = first > kSlow ? first : bench::median_ns(rounds_, run) / n;
    PRESORT_CUDA(cudaGetLastError());
    return time;
  }

  void in_l2(uint32_t sets, int blocks) const {
    bench::sets_in_l2<<<blocks, kThreads>>>(input(), n_, buckets_.data(), sets);
  }

  // Runs sets_of_banks in passes, each over a range of at most `most` buckets.
  void in_banks(uint32_t m, uint32_t most) const {
    for (uint32_t first = 0; first < m; first += most) {
      const uint32_t count = std::min(m - first, most);
      const size_t bytes = sizeof(uint32_t) * count * bench::kBanks;
      constexpr int kBankThreads = 512;
      const int resident = resident_blocks(device_, kBankThreads, bytes);
      bench::sets_of_banks<<<resident, kBankThreads, bytes>>>(labels_.data(), values_.data(), n_,
                                                              buckets_.data(), first, count);
    }
  }

  // Most threads of a block whose sets of buckets fit in shared memory; 0: even one warp's sets do
  // not fit.
  int threads_with_sets(uint32_t m) const {
    const size_t most = device_.shared_bytes_of_block / (sizeof(uint32_t) * m);
    return static_cast<int>(std::min<size_t>(most, kThreads)) / kWarpLanes * kWarpLanes;
  }
  void in_threads(uint32_t m) const {
    const int threads = threads_with_sets(m);
    const size_t bytes = sizeof(uint32_t) * m * threads;
    bench::sets_of_threads<<<resident_blocks(device_, threads, bytes), threads, bytes>>>(
        labels_.data(), values_.data(), n_, buckets_.data(), m);
  }

  // Runs a pre-sort by the top bits, then updates sets in global memory.
  void sorted_in_l2(uint32_t sets, const GpuPlan& plan, int bits) const {
    Carver carver(scratch_.data());
    const auto arrays = PresortArrays<uint32_t, uint32_t>::take(carver, plan, n_, Order::any);
    const auto* pairs = run_any_presort(nullptr, input(), n_, arrays, plan, bits).pairs;
    bench::sets_in_l2<<<blocks(), kThreads>>>(Paired{pairs}, n_, buckets_.data(), sets);
  }

  void ours(const GpuPlan& plan, uint64_t m) const {
    multireduce<uint32_t, uint32_t>(nullptr, {labels_.data(), n_}, {values_.data(), n_},
                                    {buckets_.data(), m}, Sum<uint32_t>{}, plan,
                                    {scratch_.data(), kScratchBytes});
  }

  static GpuPlan sorting(int bits, GpuStrategy strategy) {
    GpuPlan plan;
    plan.strategy = strategy;
    plan.presort = GpuPresort{.sort_bits = bits, .passes = bits > kMaxDigitBits ? 2 : 1};
    return plan;
  }

  // The buckets after `run`, summed over the sets.
  std::vector<uint32_t> result(uint64_t m, uint32_t sets, const std::function<void()>& run) const {
    PRESORT_CUDA(cudaMemset(buckets_.data(), 0, m * sets * sizeof(uint32_t)));
    run();
    PRESORT_CUDA(cudaGetLastError());
    std::vector<uint32_t> all(m * sets);
    PRESORT_CUDA(cudaMemcpy(all.data(), buckets_.data(), all.size() * sizeof(uint32_t),
                            cudaMemcpyDeviceToHost));
    std::vector<uint32_t> sums(m);
    for (size_t i = 0; i < all.size(); ++i) {
      sums[i / sets] += all[i];
    }
    return sums;
  }

  void check() {
    for (const Labels kind : {Labels::uniform, Labels::degenerate, Labels::zipf}) {
      for (const uint32_t m : {uint32_t{4}, uint32_t{100}, uint32_t{1024}}) {
        make(m, kind);
        const auto expected = result(m, 1, [&] { in_l2(1, blocks()); });
        const auto require = [&](const char* what, const std::vector<uint32_t>& found) {
          if (found != expected) {
            std::fprintf(stderr, "wrong: %s at m=%u\n", what, m);
            std::exit(1);
          }
        };
        require("sets in L2", result(m, 8, [&] { in_l2(8, blocks()); }));
        require("sets of banks", result(m, 1, [&] { in_banks(m, 256); }));
        require("sets of threads", result(m, 1, [&] { in_threads(m); }));
        require("sorted", result(m, 2, [&] {
                  sorted_in_l2(2, sorting(2, GpuStrategy::globalSets), label_bits(m));
                }));
      }
    }
  }

  void table_4_1() {
    Table table("table 4.1",
                "[\"log2 sets\", \"2^8\", \"2^10\", \"2^12\", \"2^14\", \"2^16\", \"2^18\", "
                "\"2^20\"]");
    std::vector<std::vector<double>> rows;
    for (int sets = 0; sets <= 5; ++sets) {
      rows.push_back({static_cast<double>(sets)});
    }
    for (int m = 8; m <= 20; m += 2) {
      make(uint64_t{1} << m, Labels::uniform);
      for (int sets = 0; sets <= 5; ++sets) {
        rows[sets].push_back(ns([&] { in_l2(1u << sets, blocks()); }));
      }
    }
    for (const auto& row : rows) {
      table.add(row);
    }
  }

  // Table 4.2 of the thesis: the numbers of sets and of sort bits with the least time in the worse
  // case, random or equal labels.
  void table_4_2() {
    struct Best {
      int sets = 0;
      int bits = 0;
      double random = 1e9;
      double equal = 1e9;
    };
    Table table("table 4.2",
                "[\"log2 nBuckets\", \"log2 nSets\", \"sortBits\", \"rest complexity\", "
                "\"random\", \"degenerate\"]");
    for (int m = 14; m <= 24; m += 2) {
      std::vector<Best> tried;
      for (const Labels kind : {Labels::uniform, Labels::degenerate}) {
        make(uint64_t{1} << m, kind);
        size_t i = 0;
        for (int sets = 0; sets <= 3; ++sets) {
          for (int bits = 0; bits <= kMaxPartBits; bits += bits == 0 ? 4 : 1) {
            const double time = ns([&] {
              if (bits == 0) {
                in_l2(1u << sets, blocks());
              } else {
                sorted_in_l2(1u << sets, sorting(bits, GpuStrategy::globalSets), m);
              }
            });
            if (kind == Labels::uniform) {
              tried.push_back({sets, bits, time, 0});
            } else {
              tried[i++].equal = time;
            }
          }
        }
      }
      const auto worse = [](const Best& one) { return std::max(one.random, one.equal); };
      const Best best =
          *std::min_element(tried.begin(), tried.end(),
                            [&](const Best& a, const Best& b) { return worse(a) < worse(b); });
      table.add({static_cast<double>(m), static_cast<double>(best.sets),
                 static_cast<double>(best.bits), static_cast<double>(m + best.sets - best.bits),
                 best.random, best.equal});
    }
  }

  void table_4_3() {
    Table table("table 4.3", "[\"log2 nBuckets\", \"ns\"]");
    for (int m = 8; m <= 26; m += 2) {
      make(uint64_t{1} << m, Labels::uniform);
      table.add({static_cast<double>(m), ns([&] {
                   bench::plain_stores<<<blocks(), kThreads>>>(labels_.data(), values_.data(),
                                                               buckets_.data(), n_);
                 })});
    }
  }

  void figure_4_10_and_4_11() {
    const char* columns = "[\"blocks of 256\", \"log2 nBuckets\", \"log2 nSets\", \"ns\"]";
    for (const Labels kind : {Labels::degenerate, Labels::uniform}) {
      const bool is_random = kind == Labels::uniform;
      Table table(is_random ? "figure 4.11, random" : "figure 4.10, degenerate", columns);
      for (const int m : is_random ? std::vector{8, 12, 16, 20} : std::vector{8}) {
        make(uint64_t{1} << m, kind);
        for (int blocks_now = blocks(); blocks_now >= blocks() / 16; blocks_now /= 4) {
          for (int sets = 0; sets <= 7; ++sets) {
            table.add({static_cast<double>(blocks_now), static_cast<double>(m),
                       static_cast<double>(sets), ns([&] { in_l2(1u << sets, blocks_now); })});
          }
        }
      }
    }
  }

  void figure_4_15() {
    Table table("figure 4.15",
                "[\"log2 nBuckets\", \"per bank, random\", \"per thread, random\", "
                "\"per bank, degenerate\", \"per thread, degenerate\"]");
    for (int bits = 2; bits <= 10; ++bits) {
      const uint32_t m = 1u << bits;
      std::vector<double> row = {static_cast<double>(bits)};
      for (const Labels kind : {Labels::uniform, Labels::degenerate}) {
        make(m, kind);
        row.push_back(ns([&] { in_banks(m, m); }));
        row.push_back(ns([&] { in_threads(m); }));
      }
      table.add(row);
    }
  }

  void figure_4_16() {
    constexpr uint32_t kPass = 256;
    Table table("figure 4.16",
                "[\"log2 nBuckets\", \"passes of 256 buckets\", \"passes of 1024\", "
                "\"pre-sort, tables of 256\"]");
    for (int bits = 8; bits <= 14; ++bits) {
      const uint32_t m = 1u << bits;
      make(m, Labels::uniform);
      const double passes = ns([&] { in_banks(m, kPass); });
      const double large_passes = ns([&] { in_banks(m, 4 * kPass); });
      const double sorted =
          bits == 8 ? passes : ns([&] { ours(sorting(bits - 8, GpuStrategy::sharedSets), m); });
      table.add({static_cast<double>(bits), passes, large_passes, sorted});
    }
  }

  void figure_4_25() {
    Table table("figure 4.25",
                "[\"log2 nBuckets\", \"sets in L2, best of 1 to 8\", "
                "\"pre-sort, sets in L2, best\", \"sets of banks in passes of 1024, up to 2^14\", "
                "\"ours by rule\"]");
    for (int bits = 4; bits <= 24; bits += 2) {
      const uint64_t m = uint64_t{1} << bits;
      make(m, Labels::uniform);
      double in_global = 1e9;
      double sorted = 1e9;
      for (int sets = 0; sets <= 3; ++sets) {
        in_global = std::min(in_global, ns([&] { in_l2(1u << sets, blocks()); }));
        for (int sort_bits = 4; sort_bits <= std::min(bits, kMaxPartBits); sort_bits += 2) {
          const GpuPlan plan = sorting(sort_bits, GpuStrategy::globalSets);
          sorted = std::min(sorted, ns([&] { sorted_in_l2(1u << sets, plan, bits); }));
        }
      }
      const double banks = bits > 14 ? 0 : ns([&] { in_banks(static_cast<uint32_t>(m), 1024); });
      const GpuPlan rule = multireduce_plan<uint32_t, uint32_t>(n_, m);
      table.add({static_cast<double>(bits), in_global, sorted, banks, ns([&] { ours(rule, m); })});
    }
  }

  uint64_t n_;
  int rounds_;
  DeviceLimits device_;
  Array<uint32_t> labels_;
  Array<uint32_t> values_;
  Array<uint32_t> buckets_;
  Array<std::byte> scratch_;
};

}  // namespace

int main(int argc, char** argv) {
  const int log2_n = argc > 1 ? std::atoi(argv[1]) : 26;
  Thesis thesis(uint64_t{1} << log2_n, argc > 2 ? std::atoi(argv[2]) : 3);
  std::printf("{\"n\": %llu,\n", 1ull << log2_n);
  thesis.print();
  std::printf("}\n");
  return 0;
}
