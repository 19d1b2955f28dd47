#include "predict/closed_form/strata.h"

#include <algorithm>

namespace presort::predict {

std::vector<Stratum> strata_of(const std::vector<double>& sizes) {
  constexpr double kFirstCut = 256;
  const double largest = std::max(1.0, *std::max_element(sizes.begin(), sizes.end()));
  std::vector<Stratum> strata;
  double all = 0;
  for (double first = 0, cut = kFirstCut; first < largest; cut *= 4) {
    const double last = std::min(largest, cut);
    double inputs = 0;
    for (const double size : sizes) {
      inputs += std::clamp(std::max(1.0, size) - first, 0.0, last - first);
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
