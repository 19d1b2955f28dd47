#include "presort/core/plan/plan_fields.h"

#include <algorithm>

#include "presort/core/error.h"
#include "presort/core/fields/field_text.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/plan/gpu_plan.h"
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

void check_keys(const FieldTable& table, const std::vector<PlanField>& fields) {
  for (size_t i = 0; i < fields.size(); ++i) {
    const std::string& key = fields[i].key;
    if (!find_row(table, key)) {
      throw InputError(unknown_name_message("plan", key, key_names(table)));
    }
    for (size_t j = 0; j < i; ++j) {
      if (fields[j].key == key) {
        throw InputError(key + ": found twice, accepted: once");
      }
    }
  }
}

// Sets the keys of a plan that decide which of its other keys have a meaning.
template <class Plan>
void set_deciding_keys(const FieldTable& table, const std::vector<PlanField>& fields, Plan& plan) {
  for (const std::string_view key : {"strategy", "sortBits", "nSets", "prefetchDistance"}) {
    const std::string_view value = find_value(fields, key);
    if (value.data()) {
      set_plan_key(plan, *find_row(table, key), value);
    }
  }
}

// The fewest passes that sort by `sort_bits` bits.
int default_passes(int sort_bits) {
  return (sort_bits + kMaxBitsPerPass - 1) / kMaxBitsPerPass;
}

// Checks that a plan's strategy and its pre-sort fit together.
// Errors: PlanError for a strategy that needs a pre-sort in a plan without one, and for one that
// takes no pre-sort in a plan with one
void check_outline(const CpuPlan& plan) {
  if (plan.base.strategy == CpuStrategy::plainRadix && !plan.presort) {
    throw PlanError(
        "sortBits: found '0', accepted: at least 1 with strategy=plainRadix, which is a sort");
  }
  if (plan.base.strategy == CpuStrategy::privateTables && plan.presort) {
    throw PlanError("sortBits: found '" + std::to_string(plan.presort->sort_bits) +
                    "', accepted: 0 with strategy=privateTables, which does not sort");
  }
}
void check_outline(const GpuPlan& /*plan*/) {}

template <class Plan>
Plan from_fields(const std::vector<PlanField>& fields) {
  const FieldTable& table = plan_table<Plan>();
  check_keys(table, fields);
  Plan plan;
  set_deciding_keys(table, fields, plan);
  check_outline(plan);
  if (plan.presort) {
    plan.presort->passes = default_passes(plan.presort->sort_bits);
  }
  for (const PlanField& field : fields) {
    const Field& row = *find_row(table, field.key);
    if (const char* why = why_without_meaning(row, plan)) {
      throw PlanError(field.key + ": found " + quoted_text(field.value) + ", accepted: only " +
                      why);
    }
    set_plan_key(plan, row, field.value);
  }
  return plan;
}

std::vector<PlanField> fields_of(const FieldTable& table, const void* plan) {
  std::vector<PlanField> fields;
  for (const Field& row : table.rows) {
    if (is_written(table, row, plan)) {
      fields.push_back({std::string(row.key), field_text(row, plan)});
    }
  }
  return fields;
}

}  // namespace

std::vector<std::string> key_names(const FieldTable& table) {
  std::vector<std::string> names;
  for (const Field& row : table.rows) {
    names.emplace_back(row.key);
  }
  return names;
}

bool is_written(const FieldTable& table, const Field& row, const void* plan) {
  return row.applies_to(plan) &&
         !(row.presence == Presence::optional && is_default(table, row, plan));
}

std::vector<PlanField> plan_fields(const CpuPlan& plan) {
  return fields_of(fields::kCpuPlan, &plan);
}
std::vector<PlanField> plan_fields(const GpuPlan& plan) {
  return fields_of(fields::kGpuPlan, &plan);
}

std::string to_string(const CpuPlan& plan) {
  return plan_fields_text(plan_fields(plan));
}
std::string to_string(const GpuPlan& plan) {
  return plan_fields_text(plan_fields(plan));
}

CpuPlan cpu_plan_from_fields(const std::vector<PlanField>& fields) {
  return from_fields<CpuPlan>(fields);
}
GpuPlan gpu_plan_from_fields(const std::vector<PlanField>& fields) {
  return from_fields<GpuPlan>(fields);
}

CpuPlan parse_cpu_plan(std::string_view text) {
  return cpu_plan_from_fields(parse_plan_fields(text));
}
GpuPlan parse_gpu_plan(std::string_view text) {
  return gpu_plan_from_fields(parse_plan_fields(text));
}

std::string plan_fields_text(const std::vector<PlanField>& fields) {
  std::string text;
  for (const PlanField& field : fields) {
    text += (text.empty() ? "" : ",") + field.key + "=" + field.value;
  }
  return text;
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

std::vector<int> bits_per_pass(const CpuPlan& plan) {
  std::vector<int> bits;
  for (int pass = 0; plan.presort && pass < plan.presort->passes; ++pass) {
    bits.push_back(bits_of_pass(*plan.presort, pass));
  }
  return bits;
}
std::vector<int> bits_per_pass(const GpuPlan& plan) {
  std::vector<int> bits;
  for (int pass = 0; plan.presort && pass < plan.presort->passes; ++pass) {
    bits.push_back(bits_of_pass(*plan.presort, pass));
  }
  return bits;
}

}  // namespace presort
