#include "presort/core/fields/shown_number.h"

#include "presort/core/fields/field_text.h"

namespace presort::inline v0 {
namespace {

struct ShownUnit {
  const char* name;
  double size;  // size of the shown unit, in the unit of the range
};

ShownUnit shown_unit(const Field& field) {
  switch (field.range.unit) {
    case RangeUnit::bytes:
      return field.options.shown_unit == "MiB" ? ShownUnit{"MiB", 1 << 20} : ShownUnit{"KiB", 1024};
    case RangeUnit::cycles:
      return {"cy", 1};
    case RangeUnit::nanoseconds:
      return {"ns", 1};
    case RangeUnit::hertz:
      return {"GHz", 1e9};
    case RangeUnit::bytesPerSecond:
      return {"GB/s", 1e9};
    case RangeUnit::perSecond:
      return {"G/s", 1e9};
    case RangeUnit::count:
    case RangeUnit::ratio:
      return {"", 1};
  }
  return {"", 1};
}

}  // namespace

ShownNumber shown_number(const Field& field, double value) {
  const ShownUnit unit = shown_unit(field);
  return {value / unit.size, unit.name};
}

std::optional<ShownNumber> shown_number(const FieldPlace& place) {
  const auto* numbers = std::get_if<NumberAccess>(&place.field->access);
  if (numbers == nullptr) {
    return {};
  }
  if (place.field->options.resolved) {
    return shown_number(*place.field, place.field->options.resolved(place.object));
  }
  std::optional<double> value;
  size_t count = 0;
  for_each_number(numbers->slot(place.object), [&](auto number) {
    value = static_cast<double>(number);
    ++count;
  });
  return count == 1 ? std::optional(shown_number(*place.field, *value)) : std::nullopt;
}

}  // namespace presort
