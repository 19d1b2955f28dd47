// Plans and problems inside YAML documents.
#pragma once

#include <string>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/io/yaml/yaml_binder.h"
#include "presort/io/yaml/yaml_writer.h"

namespace presort::inline v0::io {

// Reads a plan from a map of flat keys: {sortBits: 9, passes: 1, pageSize: 2MiB}; absent keys take their
// defaults.
CpuPlan read_plan(const ValueReader& value);
GpuPlan read_gpu_plan(const ValueReader& value);
std::string plan_to_yaml(const CpuPlan& plan);
std::string plan_to_yaml(const GpuPlan& plan);

// Reads one or several problems from the keys op, n, m (required), dist (uniform), types (u32+u32),
// seed (1) of a map that may have other keys: the caller finishes it. Where `m` may be a list,
// there is one problem for each item.
// Errors: InputError, also what check_problem says.
enum class Buckets { one, list };
std::vector<Problem> read_problem_keys(MapReader& map, Buckets buckets);
void add_problem_keys(FlowMap& map, const Problem& problem);

}  // namespace presort::io
