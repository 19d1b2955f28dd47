// What one label of each kind takes, in ns: the figures noted in core/labels_*.cpp.
// usage: labels_speed
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "bench/cpu_time.h"
#include "presort/core/labels/labels.h"

namespace {

using namespace presort;

constexpr uint64_t kLabels = uint64_t{1} << 20;  // of a pass, in slices
constexpr uint64_t kSlice = 1024;
constexpr int kPasses = 20;  // the best of them counts

double ns_per_label(const LabelSource& source) {
  std::vector<uint64_t> out(kSlice);
  double best = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < kPasses; ++pass) {
    const double begin = bench::thread_seconds();
    for (uint64_t first = 0; first < kLabels; first += kSlice) {
      source.generate(first, out);
    }
    best = std::min(best, bench::thread_seconds() - begin);
  }
  return best * 1e9 / static_cast<double>(kLabels);
}

}  // namespace

int main() {
  fmt::print("| labels | m = 2^20 | 2^20 + 1 | 2^28 |\n| --- | --- | --- | --- |\n");
  for (const char* kind : {"uniform", "zipf:1", "zipf:0.5", "zipf:1.25", "zipf-contiguous:1",
                           "clustered:16", "sequential", "sorted", "permutation", "degenerate"}) {
    fmt::print("| {} |", kind);
    for (const uint64_t m : {uint64_t{1} << 20, (uint64_t{1} << 20) + 1, uint64_t{1} << 28}) {
      const auto source = make_labels(parse_distribution("labels", kind), 1 << 26, m, 1);
      fmt::print(" {:.1f} |", ns_per_label(*source));
    }
    fmt::print("\n");
  }
}
