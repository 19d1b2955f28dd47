#include "tests/core/labels/labels_support.h"

#include <cmath>

namespace presort::inline v0::test {

ChiSquare chi_square(const std::vector<double>& found, const std::vector<double>& expected) {
  double sum = 0;
  int bins = 0;
  double bin_found = 0;
  double bin_expected = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    bin_found += found[i];
    bin_expected += expected[i];
    if (bin_expected >= 5) {
      sum += (bin_found - bin_expected) * (bin_found - bin_expected) / bin_expected;
      ++bins;
      bin_found = bin_expected = 0;
    }
  }
  return {sum / (bins - 1), 4 * std::sqrt(2.0 / (bins - 1))};
}

}  // namespace presort::test
