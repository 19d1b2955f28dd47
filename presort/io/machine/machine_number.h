// Whole numbers and clocks of a machine file, in the ranges of core/machine/machine_ranges.h. Other
// numbers are checked when the machine is whole, where they are in the unit of their key.
#pragma once

#include "presort/core/machine/machine_ranges.h"
#include "presort/core/text/units.h"
#include "presort/io/yaml/yaml_binder.h"

namespace presort::inline v0::io {

// Errors: InputError where the number is not whole, or out of the range of the value's key
inline int read_int(const ValueReader& value) {
  return value.integer(machine_range(value.path()).range);
}

// Hz; times in cycles are read with it.
inline double read_clock(const ValueReader& value) {
  return value.in_range(value.as(parse_frequency_hz), machine_range("cpu.clock").range);
}

}  // namespace presort::io
