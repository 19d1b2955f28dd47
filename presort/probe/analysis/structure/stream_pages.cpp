#include "presort/probe/analysis/structure/stream_pages.h"

#include <array>

namespace presort::inline v0::probe {

std::optional<int> streams_cross_after(const Estimates& estimates, double memory_latency_ns) {
  constexpr double kOfLatency = 0.75;
  std::array<bool, kStreamPages> anew{};
  for (uint64_t page = 0; page < kStreamPages; ++page) {
    const auto begin = estimates.find({Quantity::pageBegin, page});
    const auto end = estimates.find({Quantity::pageEnd, page});
    if (begin == estimates.end() || end == estimates.end()) {
      return std::nullopt;
    }
    const double longer_ns = begin->second.value_ns - end->second.value_ns;
    anew[page] = longer_ns >= kOfLatency * memory_latency_ns;
  }
  if (!anew[0]) {
    return std::nullopt;
  }
  // Pages that contradict a stream which goes on from the first page, from the second, and so on
  int wrong = 0;
  for (uint64_t page = 1; page < kStreamPages; ++page) {
    wrong += anew[page] ? 1 : 0;
  }
  int fewest = wrong;
  uint64_t after = 1;
  for (uint64_t page = 1; page < kStreamPages; ++page) {
    wrong += anew[page] ? -1 : 1;
    if (wrong < fewest) {
      fewest = wrong;
      after = page + 1;
    }
  }
  return after == kStreamPages ? 0 : static_cast<int>(after);
}

}  // namespace presort::probe
