// Not a check: prints what one label of each kind takes, for the figures noted in
// core/labels_*.cpp.
//   core_test --no-skip -tc="*nanoseconds per label*"
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>

#include "tests/core/labels_support.h"

using namespace presort;
using namespace presort::test;

namespace {

// The best of 20 passes over 2^20 labels in slices of 1024.
double ns_per_label(const LabelSource& source) {
  constexpr uint64_t kLabels = 1 << 20;
  std::vector<uint64_t> out(1024);
  double best = 1e9;
  for (int pass = 0; pass < 20; ++pass) {
    const auto start = std::chrono::steady_clock::now();
    for (uint64_t first = 0; first < kLabels; first += out.size()) {
      source.generate(first, out);
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / static_cast<double>(kLabels));
  }
  return best;
}

}  // namespace

TEST_CASE("nanoseconds per label" * doctest::skip()) {
  for (const std::string& kind : all_kinds()) {
    for (const uint64_t m : {uint64_t{1} << 20, (uint64_t{1} << 20) + 1, uint64_t{1} << 28}) {
      MESSAGE(kind << ", m = " << m << ": " << ns_per_label(*labels_of(kind, 1 << 26, m)));
    }
  }
}
