// Plans as flat keys with values of text, as files and the command line have them. For the plans of
// both devices (cpu_plan.h, gpu_plan.h) there are:
//   plan_fields(plan)   the keys of the plan's table in their order (plan_keys.h), without keys that
//                       mean nothing for the plan, and without optional ones at the value that plans
//                       without the key have (chunkBytes=0)
//   to_string(plan)     the same as text: "sortBits=9,passes=1,…"
//   *_plan_from_fields  a plan from keys and values; absent keys take the table's default
//   parse_*_plan        a plan from text
// Errors: InputError for unknown or doubled keys and bad values, PlanError for keys that contradict
//         each other (passes without sortBits, …)
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace presort::inline v0 {

// A key and its value as text: {"sortBits", "9"} or {"pageSize", "2MiB"}
struct PlanField {
  std::string key;
  std::string value;
};

// Splits "sortBits=9,pageSize=2MiB" into keys and values; neither keys nor values are looked at.
// Errors: InputError for an item that is not KEY=VALUE
std::vector<PlanField> parse_plan_fields(std::string_view text);

// Keys and values as one text: "sortBits=9,pageSize=2MiB"
std::string plan_fields_text(const std::vector<PlanField>& fields);

}  // namespace presort
