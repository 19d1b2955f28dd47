// Compares two probes of one machine: does each value agree within the stated uncertainties? Pure
// functions.
#pragma once

#include <string>
#include <vector>

#include "presort/probe/assemble/file_values.h"

namespace presort::inline v0::probe {

struct ComparedValue {
  std::string key;
  FileValue first;
  FileValue second;
  bool counts = false;  // true: a probe measured the value, and neither is too uncertain
  // true: a probe measured the value, and one is uncertain by more than 50 %
  bool too_uncertain = false;
  // True if the values a and b differ by at most sqrt((a u)^2 + (b v)^2), where u and v are their relative
  // uncertainties: the half-width of the interval around a difference.
  bool agrees = false;
};

struct Agreement {
  std::vector<ComparedValue>
      values;  // values whose keys both files have, in the first file's order
  // Keys of values that were measured in one file and are missing from the other
  std::vector<std::string> only_in_one;
  size_t counted = 0;
  size_t agreeing = 0;
  size_t too_uncertain = 0;  // values not counted because their uncertainty is too large

  // Share of counted values that agree. When none counts: 0 if all were too uncertain, otherwise 1.
  double part() const;
};

// Compares the values of two machine files key by key. Values from tables and guesses are compared
// but do not count.
// Errors: InputError when a file has no value with a quality (it was not written by a probe, or by
//         an older one); see also file_values
Agreement compare_probes(const Machine& first, const Machine& second);

}  // namespace presort::probe
