#include "presort/probe/assemble/file_values.h"

#include <algorithm>
#include <charconv>

#include "presort/core/fields/shown_number.h"
#include "presort/core/machine/fields/machine_fields.h"

namespace presort::inline v0::probe {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& message) {
  throw ProvenanceError("probed." + key, "provenance.probed." + key + message);
}

// Splits a value such as "12.3ns" into its number and its unit.
ShownNumber parse_measured(const ProbedValue& probed) {
  const std::string& text = probed.value;
  ShownNumber number;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number.value);
  if (error != std::errc()) {
    refuse(probed.key, ".value: found " + quoted_text(text) +
                           ", accepted: a number with a unit, such as 12.3ns");
  }
  number.unit = std::string(end, text.data() + text.size());
  return number;
}

ShownNumber number_of(const std::vector<FieldPlace>& places, const ProbedValue& probed) {
  if (!probed.value.empty()) {
    return parse_measured(probed);
  }
  for (const FieldPlace& place : places) {
    const auto number = place.name == probed.key ? shown_number(place) : std::nullopt;
    if (number) {
      return *number;
    }
  }
  refuse(probed.key,
         ": found no value of this name, accepted: one that the machine has, or one that says its "
         "value");
}

}  // namespace

std::vector<FileValue> file_values(const Machine& machine) {
  Machine copy = machine;
  const std::vector<FieldPlace> places = field_places(fields::kMachine, &copy);
  std::vector<FileValue> values;
  for (const ProbedValue& probed : machine.probed) {
    const ShownNumber number = number_of(places, probed);
    values.push_back({.key = probed.key,
                      .value = number.value,
                      .unit = number.unit,
                      .quality = probed.quality,
                      .uncertainty = probed.uncertainty});
  }
  return values;
}

}  // namespace presort::probe
