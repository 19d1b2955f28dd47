#include "presort/predict/closed_form/hit_ratios/strata.h"

#include <algorithm>

namespace presort::inline v0::predict {

std::vector<Stratum> strata_of(const std::vector<PartSizes>& sizes) {
  constexpr double kFirstCut = 256;
  double largest = 1;
  for (const PartSizes& size : sizes) {
    largest = std::max(largest, size.inputs);
  }
  std::vector<Stratum> strata;
  double all = 0;
  for (double first = 0, cut = kFirstCut; first < largest; cut *= 4) {
    const double last = std::min(largest, cut);
    double inputs = 0;
    for (const PartSizes& size : sizes) {
      inputs += size.parts * std::clamp(std::max(1.0, size.inputs) - first, 0.0, last - first);
    }
    strata.push_back({(first + last) / 2, inputs});
    all += inputs;
    first = last;
  }
  for (Stratum& stratum : strata) {
    stratum.weight /= all;
  }
  return strata;
}

}  // namespace presort::predict
