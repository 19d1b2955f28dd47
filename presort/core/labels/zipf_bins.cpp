#include "presort/core/labels/zipf_bins.h"

#include <algorithm>

#include "presort/core/base/random.h"
#include "presort/core/labels/zipf.h"

namespace presort::inline v0 {
namespace {

constexpr uint64_t kSingle = 1024;  // ranks with a bin each
constexpr uint64_t kNarrow = 96;    // a wider bin has this part of its first rank's number of ranks

std::vector<uint64_t> bins_below(uint64_t m) {
  std::vector<uint64_t> begins;
  for (uint64_t rank = 0; rank < m;) {
    begins.push_back(rank);
    const uint64_t width = rank < kSingle ? 1 : rank / kNarrow;
    rank = width < m - rank ? rank + width : m;
  }
  begins.push_back(m);
  return begins;
}

std::vector<double> weights_of(const std::vector<uint64_t>& begins, double exponent, double shift) {
  constexpr uint64_t kTerms = 4;  // summed one by one: three digits and more
  std::vector<double> weights;
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    weights.push_back(zipf_mass(exponent, begins[i], begins[i + 1], kTerms, shift));
  }
  return weights;
}

}  // namespace

ZipfBins::ZipfBins(double exponent, uint64_t m, double shift)
    : begins_(bins_below(m)), table_(weights_of(begins_, exponent, shift)) {}

uint64_t ZipfBins::operator()(uint64_t random) const {
  const uint32_t bin = table_(random);
  const uint64_t first = begins_[bin];
  return first + bounded(mix64(random), begins_[bin + 1] - first);
}

}  // namespace presort
