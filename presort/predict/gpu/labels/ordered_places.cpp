#include "presort/predict/gpu/labels/ordered_places.h"

#include <algorithm>

namespace presort::inline v0::predict {

OrderedPlaces::OrderedPlaces(const LabelParts& parts, uint64_t n) : parts_(parts) {
  constexpr uint64_t kMostSampled = 2048;
  const uint64_t count = std::min(n, kMostSampled);
  for (uint64_t i = 0; i < count; ++i) {
    // The middle of each of `count` pieces; no product of i and n, which may be large
    sample_.push_back(parts.part_of_input(n / count * i + n / count / 2));
  }
  std::sort(sample_.begin(), sample_.end());
}

std::function<uint64_t()> OrderedPlaces::from(double place) const {
  const double at = place * static_cast<double>(sample_.size());
  const uint64_t part = sample_[std::min(static_cast<size_t>(at), sample_.size() - 1)];
  const auto [first, last] = std::equal_range(sample_.begin(), sample_.end(), part);
  const double share =
      (at - static_cast<double>(first - sample_.begin())) / static_cast<double>(last - first);
  const auto stream =
      std::make_shared<OrderedStream>(parts_, part, std::clamp(share, 0.0, 0.999999));
  return [stream] { return stream->next(); };
}

}  // namespace presort::predict
