#include "presort/app/completion/value_words.h"

#include <algorithm>
#include <exception>

#include "presort/app/machines/machine_catalog.h"
#include "presort/core/device.h"
#include "presort/core/labels/distribution.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/plan/plan_keys.h"
#include "presort/core/problem.h"
#include "presort/core/text/names.h"
#include "presort/core/types.h"
#include "presort/sim/trace/trace_formats.h"

namespace presort::inline v0::app {
namespace {

using ValueNames = std::vector<std::string>;

ValueNames machine_names() {
  ValueNames names;
  try {
    for (const BundledMachine& machine : bundled_machines()) {
      names.push_back(machine.name);
    }
  } catch (const std::exception&) {
    // Without the data no machine is offered, and no message disturbs a user who types
    names.clear();
  }
  return names;
}

ValueNames operation_words() {
  return accepted_names(kOperations);
}

ValueNames device_words() {
  return accepted_names(kDevices);
}

ValueNames page_words() {
  return accepted_names(kPageSizes);
}

ValueNames tuned_page_sizes() {
  return {"4KiB", "2MiB", "both"};
}

ValueNames fitted_cells() {
  return {"random", "none"};
}

// Pairs of a label type and a value type such as "u32+u32": labels of 32 and 64 bits, with all
// values.
ValueNames type_pairs() {
  ValueNames pairs;
  for (const char* label : {"u32", "u64"}) {
    for (const char* value : {"u32", "u64", "i32", "i64", "f32", "f64"}) {
      pairs.push_back(std::string(label) + "+" + value);
    }
  }
  return pairs;
}

// Distributions without their parameters: "uniform", "zipf:", "file:".
ValueNames distribution_words() {
  ValueNames names;
  for (const std::string& form : distribution_forms()) {
    const size_t colon = form.find(':');
    names.push_back(colon == std::string::npos ? form.substr(0, form.find(' '))
                                               : form.substr(0, colon + 1));
  }
  return names;
}

ValueNames format_words() {
  ValueNames names;
  for (const sim::TraceFormat& format : sim::trace_formats()) {
    names.emplace_back(format.name);
  }
  return names;
}

struct NamedValues {
  std::string_view option;
  ValueNames (*words)();
};
constexpr NamedValues kNamedValues[] = {
    {"op", operation_words}, {"device", device_words},        {"dist", distribution_words},
    {"type", type_pairs},    {"format", format_words},        {"page", page_words},
    {"cells", fitted_cells}, {"page-size", tuned_page_sizes},
};

// Options whose value is a plan, a part of a plan, or one key of a machine or a plan.
constexpr std::string_view kPlanOptions[] = {"plan", "require", "set"};
// Placeholders of option values that are numbers, sizes or parts of a campaign file, so that there are
// no names to offer.
constexpr std::string_view kNumbers[] = {"COUNT", "SIZE", "RATIO",     "TIME",
                                         "I/N",   "AXIS", "AXIS=VALUE"};
// Names of the options whose value is several numbers.
constexpr std::string_view kNumberLists[] = {"buckets", "threads", "shape", "axes", "file-plan"};

template <class Table>
bool in_table(const Table& table, std::string_view word) {
  return std::find(std::begin(table), std::end(table), word) != std::end(table);
}

const NamedValues* named_values(const Option& option) {
  for (const NamedValues& row : kNamedValues) {
    if (row.option == option.name) {
      return &row;
    }
  }
  return nullptr;
}

const FieldTable& plan_keys_for(std::span<const std::string> words) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--device=gpu" || (i > 0 && words[i - 1] == "--device" && words[i] == "gpu")) {
      return fields::kGpuPlan;
    }
  }
  return fields::kCpuPlan;
}

ValueNames values_of_key(const Field& row) {
  if (std::holds_alternative<FlagAccess>(row.access)) {
    return {"false", "true"};
  }
  const TextAccess* const text = std::get_if<TextAccess>(&row.access);
  return text != nullptr && text->accepted != nullptr ? text->accepted() : ValueNames{};
}

std::string short_doc(const Field& row) {
  const std::string doc(row.doc.substr(0, row.doc.find_first_of(":;")));
  return doc.substr(0, doc.find(". "));
}

// Adds plan keys as candidates, or the values of the key that `item` names; `before` is put in
// front of each.
void add_plan_words(const FieldTable& table, const std::string& item, const std::string& before,
                    Completion& result) {
  const size_t equals = item.find('=');
  if (equals == std::string::npos) {
    for (const Field& row : table.rows) {
      result.candidates.push_back({before + std::string(row.key) + "=", short_doc(row)});
    }
  } else if (const Field* const row = find_row(table, item.substr(0, equals))) {
    for (const std::string& value : values_of_key(*row)) {
      result.candidates.push_back({before + item.substr(0, equals + 1) + value, ""});
    }
  }
}

// Adds the keys of a machine that continue a path: "cpu.", then "cpu.clock=", "cpu.caches.". Names
// of list items depend on the machine, and are not offered.
void add_machine_keys(const FieldTable& table, const std::string& path, std::string_view begun,
                      Completion& result) {
  for (const Field& row : table.rows) {
    const std::string key = path + std::string(row.key);
    const SectionAccess* const section = std::get_if<SectionAccess>(&row.access);
    const bool has_more = section != nullptr || std::holds_alternative<ListAccess>(row.access);
    if (section != nullptr && begun.starts_with(key + ".")) {
      add_machine_keys(*section->table, key + ".", begun, result);
    } else {
      result.candidates.push_back({key + (has_more ? "." : "="), short_doc(row)});
    }
  }
}

}  // namespace

bool knows_values_of(const Option& option) {
  return option.arity == Arity::flag || named_values(option) != nullptr ||
         in_table(kPlanOptions, option.name) || in_table(kNumbers, option.placeholder) ||
         in_table(kNumberLists, option.name) || option.placeholder == "FILE" ||
         option.placeholder == "DIR";
}

Completion values_of(const Option& option, const std::string& begun,
                     std::span<const std::string> words) {
  Completion result;
  const size_t comma = begun.rfind(',');
  const size_t item = comma == std::string::npos ? 0 : comma + 1;
  if (option.name == "set") {
    constexpr std::string_view kPlan = "plan.";
    if (begun.starts_with(kPlan)) {
      add_plan_words(fields::kCpuPlan, begun.substr(kPlan.size()), std::string(kPlan), result);
    } else {
      add_machine_keys(fields::kMachine, "", begun, result);
      result.candidates.push_back({std::string(kPlan), "plans that are tried"});
    }
  } else if (in_table(kPlanOptions, option.name)) {
    add_plan_words(plan_keys_for(words), begun.substr(item), begun.substr(0, item), result);
  } else if (const NamedValues* const row = named_values(option)) {
    const bool is_list = option.placeholder == "LIST";
    for (const std::string& word : row->words()) {
      result.candidates.push_back({(is_list ? begun.substr(0, item) : "") + word, ""});
    }
    constexpr std::string_view kFile = "file:";
    if (option.name == "dist" && begun.substr(item).starts_with(kFile)) {
      result = {{}, Paths::files, begun.substr(0, item) + std::string(kFile)};
    }
  } else if (option.placeholder == "FILE") {
    result.paths = Paths::files;
    if (option.name == "machine") {
      for (const std::string& name : machine_names()) {
        result.candidates.push_back({name, ""});
      }
    }
  } else if (option.placeholder == "DIR") {
    result.paths = Paths::folders;
  }
  return result;
}

}  // namespace presort::app
