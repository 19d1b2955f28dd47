#include "presort/core/labels/found_reach.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace presort::inline v0 {
namespace {

constexpr size_t kFewest = size_t{1} << 14;
constexpr size_t kLongestStretch = size_t{1} << 14;
constexpr size_t kPlaces = 8;
constexpr int kUnitBits = 16;  // log2 of the most ranges of labels that are told apart

// Which ranges of 2^shift labels occur in a part of a sequence.
class Touched {
 public:
  Touched(std::span<const uint64_t> stretch, uint64_t m, int shift)
      : units_(static_cast<size_t>((m - 1) >> shift) + 1, false), shift_(shift) {
    for (const uint64_t label : stretch) {
      units_[static_cast<size_t>(label >> shift)] = true;
    }
  }

  // Share of another part's labels whose ranges occur here.
  double share_of(std::span<const uint64_t> stretch) const {
    const auto known = std::ranges::count_if(
        stretch, [&](uint64_t label) { return units_[static_cast<size_t>(label >> shift_)]; });
    return static_cast<double>(known) / static_cast<double>(stretch.size());
  }

 private:
  std::vector<bool> units_;
  int shift_;
};

}  // namespace

uint64_t found_reach(std::span<const uint64_t> labels, uint64_t m) {
  if (labels.size() < kFewest) {
    return 0;
  }
  const size_t n = labels.size();
  const size_t length = std::min(kLongestStretch, n / 64);
  const int shift = std::max(0, static_cast<int>(std::bit_width(m - 1)) - kUnitBits);
  std::vector<Touched> touched;
  std::vector<size_t> places;
  for (size_t k = 0; k < kPlaces; ++k) {
    places.push_back((2 * k + 1) * n / (2 * kPlaces));
    touched.emplace_back(labels.subspan(places.back(), length), m, shift);
  }
  // Mean share, over the places looked at, of labels that lie in the ranges of labels met
  // `distance` inputs before, or half the sequence away.
  const auto common_at = [&](size_t distance) {
    double sum = 0;
    for (size_t k = 0; k < kPlaces; ++k) {
      const size_t ahead = places[k] + distance;
      const size_t other = ahead + length <= n ? ahead : places[k] - std::min(places[k], distance);
      sum += touched[k].share_of(labels.subspan(other, length));
    }
    return sum / kPlaces;
  };
  const double near = common_at(length);
  const double far = common_at(n / 2);
  // Least difference of shares that means anything: for independent labels it is below a hundredth.
  constexpr double kSeen = 0.05;
  if (near - far < kSeen) {
    return 0;
  }
  // Labels count as forgotten when this part of the shared ranges is left
  constexpr double kForgotten = 0.1;
  size_t distance = 2 * length;
  while (distance < n / 2 && common_at(distance) - far > kForgotten * (near - far)) {
    distance *= 2;
  }
  return std::min(distance, n);
}

}  // namespace presort
