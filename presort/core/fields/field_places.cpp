#include "presort/core/fields/field_places.h"

#include <type_traits>

#include "presort/core/fields/field_text.h"
#include "presort/core/text/units.h"

namespace presort::inline v0 {
namespace {

std::string in_list(size_t index) {
  return std::string("[").append(std::to_string(index)).append("]");
}

class Places {
 public:
  std::vector<FieldPlace> all;

  void add(const FieldTable& table, void* object, const std::string& path,
           const std::string& name) {
    for (const Field& row : table.rows) {
      if (row.options.in_files && row.applies_to(object)) {
        const std::string dot = path.empty() ? "" : ".";
        const std::string key(row.key);
        add_row(row, object, path + dot + key, name + dot + key);
      }
    }
  }

 private:
  void add_row(const Field& row, void* object, const std::string& path, const std::string& name) {
    if (const auto* section = std::get_if<SectionAccess>(&row.access)) {
      if (void* inner = section->at(object)) {
        add(*section->table, inner, path, name);
      }
    } else if (const auto* list = std::get_if<ListAccess>(&row.access)) {
      for (size_t i = 0; i < list->size(object); ++i) {
        void* item = list->item(object, i);
        add(*list->table, item, path + in_list(i), name + "." + list->item_name(item));
      }
    } else {
      note_clock(row, object);
      all.push_back({&row, object, path, name, clock_hz_});
    }
  }

  void note_clock(const Field& row, void* object) {
    const auto* number = std::get_if<NumberAccess>(&row.access);
    if (number && row.range.unit == RangeUnit::hertz) {
      clock_hz_ = *std::get<double*>(number->slot(object));
    }
  }

  double clock_hz_ = 0;
};

// A number of a row as text; whole numbers to the last digit, which a double may not hold.
template <class Number>
std::string found_text(Number number, RangeUnit unit) {
  if constexpr (std::is_same_v<Number, double>) {
    return number_text(number, unit);
  } else if (unit == RangeUnit::bytes) {
    return format_bytes(static_cast<uint64_t>(number));
  } else {
    return std::to_string(number);
  }
}

std::optional<FieldProblem> with_prefix(std::optional<FieldProblem> problem,
                                        const std::string& prefix) {
  if (problem) {
    problem->path = prefix + problem->path;
  }
  return problem;
}

std::optional<FieldProblem> find_in_row(const Field& row, void* object) {
  const std::string key(row.key);
  if (const auto* section = std::get_if<SectionAccess>(&row.access)) {
    const void* inner = section->at(object);
    return inner ? with_prefix(find_range_problem(*section->table, inner), key + ".")
                 : std::nullopt;
  }
  std::optional<FieldProblem> problem;
  if (const auto* list = std::get_if<ListAccess>(&row.access)) {
    for (size_t i = 0; !problem && i < list->size(object); ++i) {
      problem = with_prefix(find_range_problem(*list->table, list->item(object, i)),
                            key + in_list(i) + ".");
    }
  } else if (const auto* numbers = std::get_if<NumberAccess>(&row.access)) {
    for_each_number(numbers->slot(object), [&](auto number) {
      if (!problem && !contains(row.range, static_cast<double>(number))) {
        problem = {key, "found '" + found_text(number, row.range.unit) +
                            "', accepted: " + accepted_text(row.range)};
      }
    });
  }
  return problem;
}

}  // namespace

std::vector<FieldPlace> field_places(const FieldTable& table, void* object) {
  Places places;
  places.add(table, object, "", "");
  return places.all;
}

std::optional<FieldProblem> find_range_problem(const FieldTable& table, const void* object) {
  void* read_only = const_cast<void*>(object);  // NOLINT: the object is not changed
  for (const Field& row : table.rows) {
    if (row.applies_to(object)) {
      if (auto problem = find_in_row(row, read_only)) {
        return problem;
      }
    }
  }
  return {};
}

}  // namespace presort
