#include "presort/app/whatif/variants.h"

#include <fmt/format.h>

#include "presort/app/machines/machine_override.h"
#include "presort/core/error.h"

namespace presort::inline v0::app {

namespace {

constexpr std::string_view kPlanPrefix = "plan.";

struct Change {
  std::string key;
  std::vector<std::string> values;
};

std::vector<std::string> split_values(const std::string& text) {
  std::vector<std::string> values(1);
  int depth = 0;
  for (const char c : text) {
    depth += (c == '[' || c == '{' ? 1 : 0) - (c == ']' || c == '}' ? 1 : 0);
    if (c == ',' && depth == 0) {
      values.emplace_back();
    } else {
      values.back() += c;
    }
  }
  return values;
}

Change read_change(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError(
        fmt::format("--set: found '{}', accepted: KEY=VALUE or KEY=VALUE,VALUE,…", text));
  }
  Change change = {text.substr(0, equals), split_values(text.substr(equals + 1))};
  for (const std::string& value : change.values) {
    if (value.empty()) {
      throw InputError(fmt::format("--set: found '{}', accepted: a value behind each comma", text));
    }
  }
  return change;
}

void apply(Variant& variant, const std::string& key, const std::string& value) {
  if (key.starts_with(kPlanPrefix)) {
    const bool list = value.size() >= 2 && value.front() == '[' && value.back() == ']';
    variant.space.set(
        key.substr(kPlanPrefix.size()),
        list ? split_values(value.substr(1, value.size() - 2)) : std::vector<std::string>{value});
  } else {
    set_machine_value(variant.machine, key + "=" + value);
  }
}

// Refuses a variant with more threads than its machine has cores; the error names the option. Plans
// are refused only later, when they are built for a problem.
void require_cores(const Variant& variant) {
  for (const tuner::PlanAxis& axis : variant.space.axes) {
    if (axis.key != "threads") {
      continue;
    }
    for (const std::string& value : axis.values) {
      // Throws for a value that the plan key does not take
      const CpuPlan plan = cpu_plan_from_fields({{axis.key, value}});
      if (plan.resources.threads > variant.machine.cores) {
        throw InputError(fmt::format(
            "--set plan.threads: found {}, accepted: 1 to {}, the cores of {}; cpu.cores sets them",
            value, variant.machine.cores, variant.machine.name));
      }
    }
  }
}

Variant changed(const Machine& machine, const std::vector<Change>& changes, const Change* swept,
                const std::string& value) {
  Variant variant = {.label = value, .machine = machine, .space = {}};
  std::vector<std::string> texts;
  for (const Change& change : changes) {
    const std::string& set = &change == swept ? value : change.values.front();
    apply(variant, change.key, set);
    texts.push_back(change.key + "=" + set);
  }
  require_cores(variant);
  variant.machine.name += fmt::format(" {}", fmt::join(texts, " "));
  return variant;
}

}  // namespace

Variants read_variants(const std::vector<Machine>& machines,
                       const std::vector<std::string>& changes) {
  if (changes.empty() ? machines.size() < 2 : machines.size() != 1) {
    throw InputError("compare needs two -m, or one -m with --set; see presort compare -h");
  }
  Variants variants;
  std::vector<Change> all;
  for (const std::string& change : changes) {
    all.push_back(read_change(change));
  }
  const Change* swept = nullptr;
  for (const Change& change : all) {
    if (change.values.size() > 1 && swept != nullptr) {
      throw InputError(
          fmt::format("--set: found several values of {} and of {}, accepted: several values "
                      "of one key",
                      swept->key, change.key));
    }
    swept = change.values.size() > 1 ? &change : swept;
  }
  if (swept != nullptr) {
    variants.swept = swept->key;
    for (const std::string& value : swept->values) {
      variants.items.push_back(changed(machines[0], all, swept, value));
    }
    return variants;
  }
  for (const Machine& machine : machines) {
    variants.items.push_back({.label = machine.name, .machine = machine, .space = {}});
  }
  if (!all.empty()) {
    variants.items.push_back(changed(machines[0], all, nullptr, ""));
    variants.items.back().label = variants.items.back().machine.name;
  }
  return variants;
}

}  // namespace presort::app
