#include "presort/tuner/plan_space.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "presort/core/choice/plan_choice.h"
#include "presort/core/error.h"
#include "presort/core/plan/plan_keys.h"

namespace presort::inline v0::tuner {

namespace {

// The standard axes: keys of plans with the values to try. A key comes after the keys that its
// meaning depends on.
const std::vector<PlanAxis>& standard_axes() {
  static const std::vector<PlanAxis> axes = {
      {"threads", {"1"}},
      {"pageSize", {"2MiB"}},
      {"sortBits", {"0", "4", "6", "7", "8", "9", "10", "11", "12"}},
      {"strategy", {"direct", "privateTables"}},
      {"passes", {"1", "2"}},
      {"bufferBytes", {"64", "256", "512"}},
      {"nSets", {"1", "4"}},
      {"prefetchDistance", {"0", "16"}},
      {"inputDistance", {"0", "512"}},
      {"rangePasses", {"1", "2", "4"}},
  };
  return axes;
}

// A rule that excludes legal plans which are never worth trying.
// Requires: an excluded plan stays excluded whatever later axes add.
struct Constraint {
  std::string_view why;
  bool (*excludes)(const CpuPlan& plan);
};

constexpr Constraint kConstraints[] = {
    {"chunks are filled from buffers of 256 bytes, in one pass",
     [](const CpuPlan& plan) {
       return plan.presort && plan.presort->chunk_bytes > 0 &&
              (plan.presort->buffer_bytes != 256 || plan.presort->passes != 1);
     }},
    {"private tables of one thread are the plain loop and more",
     [](const CpuPlan& plan) {
       return plan.base.strategy == CpuStrategy::privateTables && plan.resources.threads == 1;
     }},
    {"private tables are not pre-sorted",
     [](const CpuPlan& plan) {
       return plan.base.strategy == CpuStrategy::privateTables && plan.presort.has_value();
     }},
    {"strategy=plainRadix is a pre-sort",
     [](const CpuPlan& plan) {
       return plan.base.strategy == CpuStrategy::plainRadix && !plan.presort;
     }},
    {"several sets are of a plain loop",
     [](const CpuPlan& plan) {
       return plan.base.n_sets > 1 && (plan.presort || plan.base.strategy != CpuStrategy::direct);
     }},
    {"several sets fetch no buckets",
     [](const CpuPlan& plan) { return plan.base.n_sets > 1 && plan.base.prefetch_distance > 0; }},
    {"parts of a pre-sort fit the caches, and fetch no buckets",
     [](const CpuPlan& plan) { return plan.presort && plan.base.prefetch_distance > 0; }},
    {"ranges are of a plain loop",
     [](const CpuPlan& plan) {
       return plan.base.range_passes > 1 &&
              (plan.presort || plan.base.n_sets > 1 || plan.base.strategy != CpuStrategy::direct);
     }},
    {"several threads have ranges of their own",
     [](const CpuPlan& plan) { return plan.base.range_passes > 1 && plan.resources.threads > 1; }},
    {"one thread has its arrays on its own memory node",
     [](const CpuPlan& plan) {
       return plan.resources.placement != Placement::firstTouch && plan.resources.threads == 1;
     }},
    // Measured (docs/results/tuner.md), several range passes that also prefetch buckets: sums are 0
    // to 8 % slower; a scatter is faster, but takes 58 % more than in one pass.
    {"ranges are near, and fetch no buckets, but their inputs",
     [](const CpuPlan& plan) {
       return plan.base.range_passes > 1 &&
              (plan.base.prefetch_distance > 0 || plan.base.input_distance == 0);
     }},
};

const Field& known_key(std::string_view key) {
  const Field* row = find_row(fields::kCpuPlan, key);
  if (row == nullptr) {
    throw InputError(unknown_name_message("plan", key, key_names(fields::kCpuPlan)));
  }
  return *row;
}

// Reasons to exclude a plan, the least avoidable first. If a constraint excludes a plan that has
// all required values, the requirements contradict the constraint.
enum class By { problem, constraintOfRequired, requirement, constraint };

// Counts how many plans were excluded for each reason, and keeps one of these plans as an example.
class Exclusions {
 public:
  void add(By by, const std::string& reason, const CpuPlan& plan) {
    const auto [place, first] = counts_.try_emplace({by, reason}, Count{0, plan});
    ++place->second.plans;
  }

  std::string text() const {
    std::string text;
    for (const auto& [why, count] : counts_) {
      text += text.empty() ? "" : "; ";
      text += std::to_string(count.plans) + " by " + why.second;
      text += ", such as " + to_string(count.first);
    }
    return text;
  }

 private:
  struct Count {
    size_t plans;
    CpuPlan first;
  };
  std::map<std::pair<By, std::string>, Count> counts_;
};

// The reason why a plan is not tried; "" if it is.
std::string why_not_tried(const CpuPlan& plan) {
  for (const Constraint& constraint : kConstraints) {
    if (constraint.excludes(plan)) {
      std::string why = "'";
      why += constraint.why;
      return why + "'";
    }
  }
  return "";
}

std::string why_illegal(const CpuPlan& plan, const Problem& problem) {
  try {
    check_plan(plan, problem);
    return "";
  } catch (const PlanError& error) {
    return "'" + std::string(error.what()) + "'";
  }
}

// The reason why a plan does not meet the requirements; "" if it does.
std::string why_not_required(const CpuPlan& plan, const std::vector<PlanField>& required) {
  for (const PlanField& field : required) {
    const Field& key = known_key(field.key);
    const char* without = why_without_meaning(key, plan);
    std::string asked = "the requirement " + field.key + "=" + field.value;
    if (without != nullptr) {
      return asked + ", which it has only " + without;
    }
    CpuPlan wanted = plan;
    set_plan_key(wanted, key, field.value);
    if (!(wanted == plan)) {
      return asked;
    }
  }
  return "";
}

// Extends every plan by every value of an axis, if the axis' key is valid for the plan.
std::vector<CpuPlan> product(const std::vector<CpuPlan>& plans, const PlanAxis& axis,
                             const std::vector<PlanField>& required, Exclusions& exclusions) {
  const Field& key = known_key(axis.key);
  std::vector<CpuPlan> result;
  for (const CpuPlan& plan : plans) {
    if (why_without_meaning(key, plan) != nullptr) {
      result.push_back(plan);
      continue;
    }
    for (const std::string& value : axis.values) {
      CpuPlan next = plan;
      set_plan_key(next, key, value);
      const std::string reason = why_not_tried(next);
      if (reason.empty()) {
        result.push_back(next);
      } else {
        const bool wanted = !required.empty() && why_not_required(next, required).empty();
        exclusions.add(wanted ? By::constraintOfRequired : By::constraint, reason, next);
      }
    }
  }
  return result;
}

// All given plans and, for each pre-sort that may have chunks, the same plan with chunks of a size
// by rule.
std::vector<CpuPlan> with_chunks(const std::vector<CpuPlan>& plans, const Problem& problem) {
  std::vector<CpuPlan> result;
  for (const CpuPlan& plan : plans) {
    result.push_back(plan);
    CpuPlan chunked = plan;
    if (plan.presort && plan.base.strategy != CpuStrategy::plainRadix) {
      chunked.presort->chunk_bytes = chunk_bytes_by_rule(problem, plan.presort->sort_bits);
    }
    if (!(chunked == plan) && why_not_tried(chunked).empty() && can_run(chunked, problem)) {
      result.push_back(chunked);
    }
  }
  return result;
}

// The axes for a problem. For a partial sort, the values of sortBits include the number of all bits
// of the labels.
std::vector<PlanAxis> axes_for(const Problem& problem, std::vector<PlanAxis> axes) {
  const std::string bits = std::to_string(label_bits(problem.m));
  for (PlanAxis& axis : axes) {
    const bool has = std::find(axis.values.begin(), axis.values.end(), bits) != axis.values.end();
    if (problem.operation == Operation::partialSort && axis.key == "sortBits" && !has) {
      axis.values.push_back(bits);
    }
  }
  return axes;
}

}  // namespace

PlanSpace::PlanSpace() : axes(standard_axes()) {}

void PlanSpace::set(std::string_view key, std::vector<std::string> values) {
  known_key(key);
  chunks_by_rule = chunks_by_rule && key != "chunkBytes";
  const auto axis = std::find_if(axes.begin(), axes.end(),
                                 [key](const PlanAxis& known) { return known.key == key; });
  if (axis == axes.end()) {
    axes.push_back({std::string(key), std::move(values)});
  } else {
    axis->values = std::move(values);
  }
}

void PlanSpace::require(const std::vector<PlanField>& fields) {
  for (const PlanField& field : fields) {
    set(field.key, {field.value});
    required.push_back(field);
  }
}

Candidates candidate_plans(const PlanSpace& space, const Problem& problem) {
  Exclusions exclusions;
  std::vector<CpuPlan> all = {CpuPlan{}};
  if (space.listed.empty()) {
    for (const PlanAxis& axis : axes_for(problem, space.axes)) {
      all = product(all, axis, space.required, exclusions);
    }
    all = space.chunks_by_rule ? with_chunks(all, problem) : all;
  } else {
    all.insert(all.end(), space.listed.begin(), space.listed.end());
  }
  Candidates candidates;
  std::vector<CpuPlan>& plans = candidates.plans;
  for (const CpuPlan& plan : all) {
    const std::string missing = why_not_required(plan, space.required);
    const std::string reason = missing.empty() ? why_illegal(plan, problem) : missing;
    if (!reason.empty()) {
      exclusions.add(missing.empty() ? By::problem : By::requirement, reason, plan);
    } else if (std::find(plans.begin(), plans.end(), plan) == plans.end()) {
      plans.push_back(plan);
    }
  }
  if (plans.empty()) {
    throw PlanError("no plan is left for " + to_string(problem) +
                    "; excluded: " + exclusions.text());
  }
  std::stable_partition(plans.begin(), plans.end(),
                        [](const CpuPlan& plan) { return !plan.presort; });
  candidates.eligible = plans.size();
  if (plans.front().presort) {
    plans.emplace_back();
  }
  return candidates;
}

}  // namespace presort::tuner
