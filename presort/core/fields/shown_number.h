// Numbers in the unit in which people compare them and probes state them ("GB/s", "cy", "KiB").
#pragma once

#include <optional>
#include <string>

#include "presort/core/fields/field_places.h"

namespace presort::inline v0 {

struct ShownNumber {
  double value = 0;
  std::string unit;  // unit of the shown number; "" for counts and ratios
};

// A row's number in the unit that it is shown in; `value` is in the unit of the row's range. All
// values of a row have the same shown unit.
ShownNumber shown_number(const Field& field, double value);

// The number at a place, or its default where the object has none; nothing for rows without numbers
// and rows with several.
std::optional<ShownNumber> shown_number(const FieldPlace& place);

}  // namespace presort
