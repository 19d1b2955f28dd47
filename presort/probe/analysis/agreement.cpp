#include "presort/probe/analysis/agreement.h"

#include <algorithm>
#include <cmath>

#include "presort/core/error.h"

namespace presort::inline v0::probe {
namespace {

std::vector<FileValue> probed_values(const Machine& machine) {
  std::vector<FileValue> values = file_values(machine);
  if (values.empty()) {
    throw InputError("machine '" + machine.name +
                     "': its provenance has no table `probed`, which every file written by "
                     "presort probe has");
  }
  return values;
}

const FileValue* find_value(const std::vector<FileValue>& values, const std::string& key) {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&key](const FileValue& value) { return value.key == key; });
  return found == values.end() ? nullptr : &*found;
}

ComparedValue compare(const FileValue& a, const FileValue& b) {
  // Relative slack for rounding in computations. The rounding of values in a file is part of their
  // stated uncertainty.
  constexpr double kArithmetic = 1e-9;
  // Uncertainty above which a value does not count: it would agree with half and with 1.5 times
  // itself
  constexpr double kTooUncertain = 0.5;
  const double width = std::hypot(a.value * a.uncertainty, b.value * b.uncertainty);
  const double slack = kArithmetic * std::max(std::abs(a.value), std::abs(b.value));
  const bool measured = is_measured(a.quality) || is_measured(b.quality);
  const bool vague = std::max(a.uncertainty, b.uncertainty) > kTooUncertain;
  return {.key = a.key,
          .first = a,
          .second = b,
          .counts = measured && !vague,
          .too_uncertain = measured && vague,
          .agrees = std::abs(a.value - b.value) <= width + slack};
}

void add_missing(Agreement& agreement, const std::vector<FileValue>& values,
                 const std::vector<FileValue>& others) {
  for (const FileValue& value : values) {
    if (is_measured(value.quality) && find_value(others, value.key) == nullptr) {
      agreement.only_in_one.push_back(value.key);
    }
  }
}

}  // namespace

double Agreement::part() const {
  if (counted == 0) {
    return too_uncertain == 0 ? 1 : 0;
  }
  return static_cast<double>(agreeing) / static_cast<double>(counted);
}

Agreement compare_probes(const Machine& first, const Machine& second) {
  const std::vector<FileValue> a = probed_values(first);
  const std::vector<FileValue> b = probed_values(second);
  Agreement agreement;
  for (const FileValue& value : a) {
    const FileValue* other = find_value(b, value.key);
    if (other == nullptr) {
      continue;
    }
    agreement.values.push_back(compare(value, *other));
    const ComparedValue& compared = agreement.values.back();
    agreement.counted += compared.counts ? 1 : 0;
    agreement.too_uncertain += compared.too_uncertain ? 1 : 0;
    agreement.agreeing += compared.counts && compared.agrees ? 1 : 0;
  }
  add_missing(agreement, a, b);
  add_missing(agreement, b, a);
  return agreement;
}

}  // namespace presort::probe
