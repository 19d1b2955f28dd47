// A number as people compare it: in the unit that probes state ("GB/s", "cy", "KiB").
#pragma once

#include <optional>
#include <string>

#include "presort/core/fields/field_places.h"

namespace presort::inline v0 {

struct ShownNumber {
  double value = 0;
  std::string unit;  // unit of the shown number; "" for counts and ratios
};

// A number of a row as it is shown; `value` is in the unit of the row's range. Every value of a row
// is shown in the same unit.
ShownNumber shown_number(const Field& field, double value);

// The number at a place, or the one that holds where the object has none; nothing for rows without
// numbers and rows with several.
std::optional<ShownNumber> shown_number(const FieldPlace& place);

}  // namespace presort
