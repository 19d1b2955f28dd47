#include "presort/core/labels/zipf_scatter.h"

#include <algorithm>
#include <cmath>

namespace presort::inline v0 {
namespace {

// Key of the permutation that sends ranks to labels. It is fixed, so that the popularity of a label
// does not depend on the seed.
constexpr uint64_t kScatterKey = 0x7a69706673636174;
constexpr uint64_t kMostPopular = uint64_t{1} << 16;

}  // namespace

ZipfScatter::ZipfScatter(double exponent, uint64_t m, double shift)
    : exponent_(exponent),
      shift_(shift),
      m_(m),
      mass_(zipf_mass(exponent, 0, m, 64, shift)),
      popular_ranks_(std::min(m, kMostPopular)),
      ranks_(exponent, 0, m, shift),
      label_of_rank_(m, kScatterKey) {}

double ZipfScatter::weight_of_rank(uint64_t rank) const {
  return std::pow(static_cast<double>(rank) + 1 + shift_, -exponent_);
}

std::span<const ZipfScatter::Popular> ZipfScatter::popular_in(uint64_t low, uint64_t high) const {
  std::call_once(listed_, [this] {
    for (uint64_t rank = 0; rank < popular_ranks_; ++rank) {
      popular_.push_back({label_of(rank), rank});
    }
    std::ranges::sort(popular_, {}, &Popular::label);
  });
  const auto begin = std::ranges::lower_bound(popular_, low, {}, &Popular::label);
  return {begin, std::ranges::lower_bound(popular_, high, {}, &Popular::label)};
}

ZipfScatter::Masses ZipfScatter::masses(uint64_t low, uint64_t high) const {
  const auto inside = popular_in(low, high);
  Masses masses{0, 0};
  for (const Popular& popular : inside) {
    masses.popular += weight_of_rank(popular.rank);
  }
  if (popular_ranks_ < m_) {
    const double part =
        static_cast<double>(high - low - inside.size()) / static_cast<double>(m_ - popular_ranks_);
    masses.others = zipf_mass(exponent_, popular_ranks_, m_, 64, shift_) * part;
  }
  return masses;
}

}  // namespace presort
