#include "presort/core/plan/plan.h"

#include <algorithm>

#include "presort/core/fields/field_text.h"
#include "presort/core/plan/plan_keys.h"

namespace presort::inline v0 {
namespace {

std::string_view find_value(const std::vector<PlanField>& fields, std::string_view key) {
  for (const PlanField& field : fields) {
    if (field.key == key) {
      return field.value;
    }
  }
  return {};
}

void check_keys(const std::vector<PlanField>& fields) {
  for (size_t i = 0; i < fields.size(); ++i) {
    const std::string& key = fields[i].key;
    if (std::ranges::find(kGpuPlanKeys, key) != std::end(kGpuPlanKeys)) {
      throw PlanError(key + ": is a GPU key, which a plan for device cpu does not take");
    }
    if (!find_plan_key(key)) {
      throw InputError(unknown_name_message("plan", key, plan_key_names()));
    }
    for (size_t j = 0; j < i; ++j) {
      if (fields[j].key == key) {
        throw InputError(key + ": found twice, accepted: once");
      }
    }
  }
}

// The keys that decide which other keys have a meaning; the others keep their defaults.
Plan outline(const std::vector<PlanField>& fields) {
  Plan plan;
  for (const std::string_view key : {"strategy", "sortBits", "nSets", "prefetchDistance"}) {
    const std::string_view value = find_value(fields, key);
    if (value.data()) {
      set_plan_key(plan, *find_plan_key(key), value);
    }
  }
  if (plan.base.strategy == Strategy::plainRadix && !plan.presort) {
    throw PlanError(
        "sortBits: found '0', accepted: at least 1 with strategy=plainRadix, which is a sort");
  }
  if (plan.base.strategy == Strategy::privateTables && plan.presort) {
    throw PlanError("sortBits: found '" + std::to_string(plan.presort->sort_bits) +
                    "', accepted: 0 with strategy=privateTables, which does not sort");
  }
  if (plan.presort) {
    plan.presort->passes = (plan.presort->sort_bits + kMaxBitsPerPass - 1) / kMaxBitsPerPass;
  }
  return plan;
}

}  // namespace

std::vector<PlanField> plan_fields(const Plan& plan) {
  std::vector<PlanField> fields;
  for (const Field& row : plan_keys()) {
    if (is_written(row, plan)) {
      fields.push_back({std::string(row.key), field_text(row, &plan)});
    }
  }
  return fields;
}

std::string to_string(const Plan& plan) {
  std::string text;
  for (const PlanField& field : plan_fields(plan)) {
    text += (text.empty() ? "" : ",") + field.key + "=" + field.value;
  }
  return text;
}

Plan plan_from_fields(const std::vector<PlanField>& fields) {
  check_keys(fields);
  Plan plan = outline(fields);
  for (const PlanField& field : fields) {
    const Field& row = *find_plan_key(field.key);
    if (const char* why = why_without_meaning(row, plan)) {
      throw PlanError(field.key + ": found " + quoted_text(field.value) + ", accepted: only " +
                      why);
    }
    set_plan_key(plan, row, field.value);
  }
  return plan;
}

std::vector<PlanField> parse_plan_fields(std::string_view text) {
  std::vector<PlanField> fields;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view field = text.substr(0, comma);
    const size_t equals = field.find('=');
    const bool trailing = comma != std::string_view::npos && comma + 1 == text.size();
    if (equals == std::string_view::npos || equals == 0 || trailing) {
      throw InputError("plan: found " + quoted_text(trailing ? text : field) +
                       ", accepted: KEY=VALUE,KEY=VALUE,…, such as sortBits=9,pageSize=2MiB");
    }
    fields.push_back({std::string(field.substr(0, equals)), std::string(field.substr(equals + 1))});
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return fields;
}

Plan parse_plan(std::string_view text) {
  return plan_from_fields(parse_plan_fields(text));
}

std::vector<int> bits_per_pass(const Plan& plan) {
  std::vector<int> bits;
  if (plan.presort) {
    for (int pass = 0; pass < plan.presort->passes; ++pass) {
      bits.push_back(bits_of_pass(*plan.presort, pass));
    }
  }
  return bits;
}

}  // namespace presort
