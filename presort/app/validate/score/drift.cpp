#include "presort/app/validate/score/drift.h"

#include <algorithm>
#include <numeric>

#include "presort/core/measurement.h"

namespace presort::inline v0::app {

std::vector<double> drift_factors(const std::vector<double>& references, size_t half_window) {
  const double level = median(references);
  std::vector<double> factors;
  for (size_t run = 0; run + 1 < references.size(); ++run) {
    const size_t first = run + 1 < half_window ? 0 : run + 1 - half_window;
    const size_t last = std::min(run + 1 + half_window, references.size());
    const auto begin = references.begin();
    factors.push_back(level / median(std::vector<double>(begin + static_cast<ptrdiff_t>(first),
                                                         begin + static_cast<ptrdiff_t>(last))));
  }
  return factors;
}

std::vector<bool> points_to_drop(const std::vector<double>& spreads) {
  std::vector<size_t> order(spreads.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return spreads[a] > spreads[b]; });
  const auto limit = static_cast<size_t>(kMaxDroppedPart * static_cast<double>(spreads.size()));
  std::vector<bool> dropped(spreads.size(), false);
  for (size_t i = 0; i < limit && spreads[order[i]] > kMaxSpread; ++i) {
    dropped[order[i]] = true;
  }
  return dropped;
}

}  // namespace presort::app
