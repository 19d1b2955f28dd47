#include "presort/core/fields/field_text.h"

#include <algorithm>
#include <type_traits>

#include "presort/core/error.h"
#include "presort/core/text/display_text.h"
#include "presort/core/text/exact_text.h"
#include "presort/core/text/names.h"
#include "presort/core/text/units.h"

namespace presort::inline v0 {
namespace {

[[noreturn]] void refuse(std::string_view path, std::string_view text, std::string_view accepted) {
  throw InputError(std::string(path) + ": found " + quoted_text(text) +
                   ", accepted: " + std::string(accepted));
}

// Splits a list's text into its items: "[4KiB, 2MiB]" -> "4KiB", "2MiB"; text without brackets is one item.
std::vector<std::string_view> list_items(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
    return {text};
  }
  std::string_view rest = text.substr(1, text.size() - 2);
  std::vector<std::string_view> items;
  for (size_t comma = rest.find(','); comma != rest.npos; comma = rest.find(',')) {
    items.push_back(rest.substr(0, comma));
    rest.remove_prefix(comma + 1);
  }
  items.push_back(rest);
  for (std::string_view& item : items) {
    item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
  }
  return items;
}

// A row and the text that a file or an option gives it.
struct Said {
  const Field& field;
  std::string_view path;
  std::string_view text;
  double clock_hz;

  uint64_t whole() const {
    return field.range.unit == RangeUnit::bytes ? parse_bytes(path, text) : parse_count(path, text);
  }

  Duration duration() const {
    return parse_duration(path, text, field.range.lowest < 0 ? Sign::any : Sign::nonNegative);
  }

  double real() const {
    switch (field.range.unit) {
      case RangeUnit::count:
      case RangeUnit::bytes:
        return static_cast<double>(whole());
      case RangeUnit::cycles:
        return duration().cycles(clock_hz);
      case RangeUnit::nanoseconds:
        return duration().ns(clock_hz);
      case RangeUnit::hertz:
        return in_range(parse_frequency_hz(path, text));
      case RangeUnit::bytesPerSecond:
        return parse_bytes_per_second(path, text);
      case RangeUnit::perSecond:
        return parse_per_second(path, text);
      case RangeUnit::ratio:
        return parse_ratio(path, text);
    }
    return 0;
  }

  double in_range(double number) const {
    if (!contains(field.range, number)) {
      refuse(path, text, accepted_text(field.range));
    }
    return number;
  }

  void set(int* number) const {
    *number = static_cast<int>(in_range(static_cast<double>(whole())));
  }
  void set(uint64_t* number) const { *number = whole(); }
  void set(double* number) const { *number = real(); }
  void set(std::optional<uint64_t>* number) const { *number = whole(); }
  void set(std::optional<double>* number) const { *number = real(); }

  void set(std::vector<uint64_t>* numbers) const {
    std::vector<uint64_t> read;
    for (const std::string_view item : list_items(text)) {
      read.push_back(Said{field, path, item, clock_hz}.whole());
    }
    *numbers = read;
  }
};

void assign(const NumberAccess& access, void* object, const Said& said) {
  std::visit([&](auto* number) { said.set(number); }, access.slot(object));
}

void assign(const FlagAccess& access, void* object, const Said& said) {
  static constexpr Named<bool> kTruths[] = {{"true", true}, {"false", false}};
  *access.slot(object) = from_name(kTruths, said.path, said.text);
}

void assign(const NameAccess& access, void* object, const Said& said) {
  check_displayable(said.path, said.text, kLongestName);
  *access.slot(object) = said.text;
}

void assign(const TextAccess& access, void* object, const Said& said) {
  access.set(object, said.path, said.text);
}

template <class Other>
void assign(const Other& /*access*/, void* /*object*/, const Said& said) {
  throw Error(std::string(said.path) + ": has no value that a text could say");
}

std::string real_text(double value, RangeUnit unit) {
  switch (unit) {
    case RangeUnit::cycles:
      return exact_cycles(value);
    case RangeUnit::nanoseconds:
      return exact_ns(value);
    case RangeUnit::hertz:
      return exact_frequency(value);
    case RangeUnit::bytesPerSecond:
      return exact_bandwidth(value);
    case RangeUnit::perSecond:
      return exact_per_second(value);
    case RangeUnit::bytes:
      return exact_number(value) + "B";
    case RangeUnit::count:
    case RangeUnit::ratio:
      return exact_number(value);
  }
  return "";
}

template <class Number>
std::string text_of_number(Number value, RangeUnit unit) {
  if constexpr (std::is_same_v<Number, double>) {
    return real_text(value, unit);
  } else {
    return unit == RangeUnit::bytes ? format_bytes(static_cast<uint64_t>(value))
                                    : std::to_string(value);
  }
}

// The object without const, as rows take it. Callers only read the object.
void* for_reading(const void* object) {
  return const_cast<void*>(object);  // NOLINT: the object is not changed
}

std::string joined(const std::vector<std::string>& texts) {
  if (texts.size() < 2) {
    return texts.empty() ? "" : texts.front();
  }
  std::string all;
  for (const std::string& text : texts) {
    all += (all.empty() ? "[" : ", ") + text;
  }
  return all + "]";
}

}  // namespace

void assign_text(const Field& field, void* object, std::string_view path, std::string_view text,
                 double clock_hz) {
  const Said said{field, path, text, clock_hz};
  std::visit([&](const auto& access) { assign(access, object, said); }, field.access);
}

std::vector<std::string> number_texts(const Field& field, const void* object) {
  std::vector<std::string> texts;
  if (const auto* access = std::get_if<NumberAccess>(&field.access)) {
    for_each_number(access->slot(for_reading(object)), [&](auto number) {
      texts.push_back(text_of_number(number, field.range.unit));
    });
  }
  return texts;
}

std::string field_text(const Field& field, const void* object) {
  if (const auto* flag = std::get_if<FlagAccess>(&field.access)) {
    return *flag->slot(for_reading(object)) ? "true" : "false";
  }
  if (const auto* name = std::get_if<NameAccess>(&field.access)) {
    return *name->slot(for_reading(object));
  }
  if (const auto* file = std::get_if<FileAccess>(&field.access)) {
    return *file->slot(for_reading(object));
  }
  if (const auto* text = std::get_if<TextAccess>(&field.access)) {
    return text->get(object);
  }
  return joined(number_texts(field, object));
}

bool is_default(const FieldTable& table, const Field& field, const void* object) {
  return field_text(field, object) == field_text(field, table.initial());
}

}  // namespace presort
