// Makes the rows of a field table. `Part` says where a value lies in an object of the table's
// struct: a pointer to a member, or a function that takes the object and returns a reference.
//   constexpr Field kRows[] = {
//       number<&Window::entries>("entries", whole(1, 65536), required, "reorder buffer: …"),
//       choice<&CacheLevel::fill, kFills>("fill", stated, "when a line enters the level"),
//   };
#pragma once

#include <functional>
#include <type_traits>

#include "presort/core/fields/field.h"
#include "presort/core/text/names.h"

namespace presort::inline v0::fields {

using enum Presence;

namespace detail {

template <class Part>
struct SubjectOf;
template <class Struct, class Member>
struct SubjectOf<Member Struct::*> {
  using type = Struct;
};
template <class Struct, class Result>
struct SubjectOf<Result (*)(Struct&)> {
  using type = Struct;
};

template <auto Part>
using Subject = typename SubjectOf<decltype(Part)>::type;

template <auto Part>
auto& part(void* object) {
  return std::invoke(Part, *static_cast<Subject<Part>*>(object));
}
template <auto Part>
const auto& part(const void* object) {
  return part<Part>(const_cast<void*>(object));  // NOLINT: the result only reads the object
}

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
inline const T kInitial{};

}  // namespace detail

// Wraps a function of a struct so that a row can call it with an untyped object.
template <auto Function>
auto of_object(const void* object) {
  using Struct = std::remove_const_t<detail::Subject<Function>>;
  return Function(*static_cast<const Struct*>(object));
}
template <auto Function>
void on_object(void* object) {
  Function(*static_cast<detail::Subject<Function>*>(object));
}

// Returns the object itself: for a section whose keys are members of the same struct.
template <class Struct>
Struct& itself(Struct& object) {
  return object;
}

template <class Struct>
const void* initial_value() {
  return &detail::kInitial<Struct>;
}

template <auto Part>
constexpr Field number(std::string_view key, const Range& range, Presence presence,
                       std::string_view doc, const FieldOptions& options = {}) {
  constexpr auto slot = [](void* object) -> NumberSlot { return &detail::part<Part>(object); };
  return {key, NumberAccess{slot}, presence, doc, range, options};
}

template <auto Part>
constexpr Field flag(std::string_view key, Presence presence, std::string_view doc,
                     const FieldOptions& options = {}) {
  constexpr auto slot = [](void* object) { return &detail::part<Part>(object); };
  return {key, FlagAccess{slot}, presence, doc, {}, options};
}

template <auto Part>
constexpr Field name(std::string_view key, Presence presence, std::string_view doc,
                     const FieldOptions& options = {}) {
  constexpr auto slot = [](void* object) { return &detail::part<Part>(object); };
  return {key, NameAccess{slot}, presence, doc, {}, options};
}

template <auto Part>
constexpr Field file(std::string_view key, Presence presence, std::string_view doc,
                     const FieldOptions& options = {}) {
  constexpr auto slot = [](void* object) { return &detail::part<Part>(object); };
  return {key, FileAccess{slot}, presence, doc, {}, options};
}

// A row whose value is one name of Table (core/text/names.h).
template <auto Part, auto& Table>
constexpr Field choice(std::string_view key, Presence presence, std::string_view doc,
                       const FieldOptions& options = {}) {
  constexpr auto get = [](const void* object) {
    return to_name(Table, detail::part<Part>(object));
  };
  constexpr auto set = [](void* object, std::string_view path, std::string_view text) {
    detail::part<Part>(object) = from_name(Table, path, text);
  };
  return {key,    TextAccess{get, set, [] { return accepted_names(Table); }}, presence, doc, {},
          options};
}

// A row whose value Parse(key, text) reads and to_string(value) writes.
template <auto Part, auto Parse>
constexpr Field parsed(std::string_view key, Presence presence, std::string_view doc,
                       std::vector<std::string> (*accepted)() = nullptr,
                       const FieldOptions& options = {}) {
  constexpr auto get = [](const void* object) { return to_string(detail::part<Part>(object)); };
  constexpr auto set = [](void* object, std::string_view path, std::string_view text) {
    detail::part<Part>(object) = Parse(path, text);
  };
  return {key, TextAccess{get, set, accepted}, presence, doc, {}, options};
}

// A row whose number is written with Format and read with Parse: a power of two, a size without
// unit.
template <auto Part, auto Format, auto Parse>
constexpr Field number_text(std::string_view key, JsonValue json, Presence presence,
                            std::string_view doc, const FieldOptions& options = {}) {
  constexpr auto get = [](const void* object) { return Format(detail::part<Part>(object)); };
  constexpr auto set = [](void* object, std::string_view path, std::string_view text) {
    detail::part<Part>(object) = Parse(path, text);
  };
  return {key, TextAccess{get, set, nullptr, json}, presence, doc, {}, options};
}

// A row that is a section: a struct, a std::optional of one, or `itself`.
template <auto Part>
constexpr Field section(std::string_view key, const FieldTable& table, Presence presence,
                        std::string_view doc, const FieldOptions& options = {}) {
  using Value = std::remove_cvref_t<decltype(detail::part<Part>(std::declval<void*>()))>;
  SectionAccess access{&table, nullptr, nullptr};
  if constexpr (detail::IsOptional<Value>::value) {
    access.at = [](void* object) -> void* {
      auto& value = detail::part<Part>(object);
      return value ? &*value : nullptr;
    };
    access.make = [](void* object) -> void* { return &detail::part<Part>(object).emplace(); };
  } else {
    access.at = [](void* object) -> void* { return &detail::part<Part>(object); };
    access.make = access.at;
  }
  return {key, access, presence, doc, {}, options};
}

// A row that is a list: a std::vector of structs. Name(item) is what a user calls an item of the list.
template <auto Part, auto Name>
constexpr Field list(std::string_view key, const FieldTable& table, Presence presence,
                     std::string_view doc, const FieldOptions& options = {}) {
  const ListAccess access = {
      &table, [](void* object) { return detail::part<Part>(object).size(); },
      [](void* object, size_t index) -> void* { return &detail::part<Part>(object)[index]; },
      [](void* object) -> void* { return &detail::part<Part>(object).emplace_back(); },
      [](const void* item) { return of_object<Name>(item); }};
  return {key, access, presence, doc, {}, options};
}

constexpr Range whole(double lowest, double highest) {
  return {RangeUnit::count, lowest, highest};
}
constexpr Range size(double lowest, double highest) {
  return {RangeUnit::bytes, lowest, highest};
}
constexpr Range cycles(double lowest, double highest) {
  return {RangeUnit::cycles, lowest, highest};
}
constexpr Range time(double lowest, double highest) {
  return {RangeUnit::nanoseconds, lowest, highest};
}
constexpr Range clock(double lowest, double highest) {
  return {RangeUnit::hertz, lowest, highest};
}
constexpr Range ratio(double lowest, double highest) {
  return {RangeUnit::ratio, lowest, highest};
}

inline constexpr double kKiB = 1024;
inline constexpr double kMiB = 1024 * kKiB;
inline constexpr double kGiB = 1024 * kMiB;
inline constexpr double kTiB = 1024 * kGiB;

}  // namespace presort::fields
