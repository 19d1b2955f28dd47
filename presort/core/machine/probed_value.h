// A probed value with its uncertainty and quality: of a key of the machine file, or of something
// that has no key.
#pragma once

#include <string>

#include "presort/core/text/names.h"

namespace presort::inline v0 {

enum class Quality {
  good,   // good: measured, uncertainty at most 5 %
  fair,   // fair: measured, uncertainty at most 15 %, or less but seen in a single pass
  poor,   // poor: measured, uncertainty above 15 %
  table,  // table: documented for this core (probe/workloads/core_table.cpp), not measured
  guess,  // guess: neither measured nor documented
};
inline constexpr Named<Quality> kQualities[] = {{"good", Quality::good},
                                                {"fair", Quality::fair},
                                                {"poor", Quality::poor},
                                                {"table", Quality::table},
                                                {"guess", Quality::guess}};

constexpr bool is_measured(Quality quality) {
  return quality != Quality::table && quality != Quality::guess;
}

struct ProbedValue {
  std::string key;  // key of the value: "cpu.caches.L3.share", "memory.streamUnderRandom.L2"
  // Value with unit, "18.4GB/s"; empty: the machine has the value, under the key
  std::string value;
  double uncertainty = 0;  // relative half-width of the 95 % interval; 0: not measured
  Quality quality = Quality::guess;
  bool operator==(const ProbedValue&) const = default;
};

// A ratio as text, "12.3%" or "0.05%": the shortest text that parse_ratio reads back. Requires:
// finite, >= 0
std::string percent_text(double ratio);

}  // namespace presort
