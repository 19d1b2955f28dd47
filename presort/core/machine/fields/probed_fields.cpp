#include "presort/core/fields/rows.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/machine/probed_value.h"
#include "presort/core/text/decimal.h"
#include "presort/core/text/units.h"

namespace presort::inline v0 {

std::string percent_text(double ratio) {
  return shortest_text(ratio, -2) + "%";
}

namespace fields {
namespace {

std::string get_uncertainty(const void* object) {
  return percent_text(static_cast<const ProbedValue*>(object)->uncertainty);
}

void set_uncertainty(void* object, std::string_view path, std::string_view text) {
  static_cast<ProbedValue*>(object)->uncertainty = parse_ratio(path, text);
}

constexpr Field kProbedValueRows[] = {
    name<&ProbedValue::value>(
        "value", optional, "what was measured, with its unit",
        {.json = "measured.KEY", .default_text = "the value that the machine has of KEY"}),
    {"uncertainty",
     TextAccess{get_uncertainty, set_uncertainty},
     optional,
     "relative half-width of a 95 % interval",
     {RangeUnit::ratio},
     {.json = "uncertainty.KEY", .default_text = "not measured"}},
    choice<&ProbedValue::quality, kQualities>(
        "quality", required,
        "good: uncertainty of at most 5 %; fair: 15 %, or seen in one pass; poor; table: "
        "documented for the core, not measured; guess",
        {.json = "quality.KEY"}),
};

}  // namespace

constexpr FieldTable kProbedValue = {"What a probe says of a value.", kProbedValueRows,
                                     initial_value<ProbedValue>};

}  // namespace fields
}  // namespace presort
