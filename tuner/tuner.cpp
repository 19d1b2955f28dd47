#include "tuner/tuner.h"

#include <cmath>

#include "core/error.h"

namespace presort::tuner {

namespace {

void add_if_legal(std::vector<Plan>& plans, const Plan& plan, const Problem& problem) {
  try {
    check_plan(plan, problem);
  } catch (const PlanError&) {
    return;
  }
  for (const Plan& known : plans) {
    if (known == plan) {
      return;
    }
  }
  plans.push_back(plan);
}

// A plan, and if it has several threads also with private tables.
void add_loop(std::vector<Plan>& plans, const Problem& problem, Plan plan) {
  add_if_legal(plans, plan, problem);
  if (plan.resources.threads > 1) {
    plan.base.strategy = Strategy::privateTables;
    add_if_legal(plans, plan, problem);
  }
}

void add_unsorted(std::vector<Plan>& plans, const PlanGrid& grid, const Problem& problem,
                  const Plan& base) {
  for (const int distance : grid.prefetch_distances) {
    Plan plan = base;
    plan.base.prefetch_distance = distance;
    add_loop(plans, problem, plan);
  }
  for (const int distance : grid.input_distances) {
    Plan plan = base;
    plan.base.input_distance = distance;
    add_loop(plans, problem, plan);
  }
  for (const int sets : grid.n_sets) {
    Plan plan = base;
    plan.base.n_sets = sets;
    if (sets > 1) {
      add_if_legal(plans, plan, problem);
    }
  }
}

void add_presorted(std::vector<Plan>& plans, const PlanGrid& grid, const Problem& problem,
                   const Plan& base) {
  for (const int bits : grid.sort_bits) {
    for (const int passes : grid.passes) {
      Plan plan = base;
      for (const uint64_t buffer : grid.buffer_bytes) {
        plan.base.strategy = Strategy::direct;
        plan.presort = Presort{.sort_bits = bits, .passes = passes, .buffer_bytes = buffer};
        add_if_legal(plans, plan, problem);
      }
      if (grid.plain_radix) {
        plan.base.strategy = Strategy::plainRadix;
        plan.presort = Presort{.sort_bits = bits, .passes = passes};
        add_if_legal(plans, plan, problem);
      }
    }
  }
}

bool same_decision(const Plan& a, const Plan& b) {
  const bool same_presort = a.presort.has_value() == b.presort.has_value() &&
                            (!a.presort || (a.presort->sort_bits == b.presort->sort_bits &&
                                            a.presort->passes == b.presort->passes));
  return same_presort && a.base.strategy == b.base.strategy;
}

// Index of the fastest prediction among those that `accept`; -1 if there is none.
template <class Accept>
ptrdiff_t fastest(const std::vector<Prediction>& predictions, Accept accept) {
  ptrdiff_t best = -1;
  for (size_t i = 0; i < predictions.size(); ++i) {
    if (accept(predictions[i]) &&
        (best < 0 ||
         predictions[i].ns_per_input < predictions[static_cast<size_t>(best)].ns_per_input)) {
      best = static_cast<ptrdiff_t>(i);
    }
  }
  return best;
}

// Bytes of the cache levels that one core has for itself.
uint64_t private_cache_bytes(const Machine& machine) {
  uint64_t bytes = 0;
  for (const CacheLevel& level : machine.caches) {
    bytes += level.shared_by == 1 ? level.size_bytes : 0;
  }
  return bytes;
}

// The fastest prediction without a pre-sort. Near a tie of prefetching and not, the plan that loses
// less when the model is wrong: prefetch when the buckets outgrow the private caches, not when they
// fit.
ptrdiff_t preferred_direct(const std::vector<Prediction>& predictions, const Machine& machine) {
  const auto best_with = [&](bool prefetch) {
    return fastest(predictions, [prefetch](const Prediction& p) {
      return !p.plan.presort && (p.plan.base.prefetch_distance > 0) == prefetch;
    });
  };
  const ptrdiff_t plain = best_with(false);
  const ptrdiff_t prefetched = best_with(true);
  if (plain < 0 || prefetched < 0) {
    return plain < 0 ? prefetched : plain;
  }
  const Prediction& one = predictions[static_cast<size_t>(plain)];
  const double ratio = one.ns_per_input / predictions[static_cast<size_t>(prefetched)].ns_per_input;
  if (std::abs(ratio - 1) > kPrefetchTie) {
    return ratio < 1 ? plain : prefetched;
  }
  const uint64_t bucket_bytes = one.problem.m * size_bytes(one.problem.types.value);
  return bucket_bytes > private_cache_bytes(machine) ? prefetched : plain;
}

}  // namespace

std::vector<Plan> candidate_plans(const PlanGrid& grid, const Problem& problem) {
  std::vector<Plan> plans;
  if (!grid.listed.empty()) {
    add_if_legal(plans, Plan{}, problem);
    for (const Plan& plan : grid.listed) {
      add_if_legal(plans, plan, problem);
    }
    return plans;
  }
  std::vector<Plan> bases;  // one for each set of resources
  for (const int threads : grid.threads) {
    for (const PageSize page : grid.page_sizes) {
      Plan& plan = bases.emplace_back();
      plan.resources.threads = threads;
      plan.resources.page_size = page;
    }
  }
  for (const Plan& base : bases) {
    add_unsorted(plans, grid, problem, base);
  }
  for (const Plan& base : bases) {
    add_presorted(plans, grid, problem, base);
  }
  return plans;
}

Chosen choose_among(const std::vector<Prediction>& predictions, const Machine& machine) {
  const auto ns = [&](ptrdiff_t i) { return predictions[static_cast<size_t>(i)].ns_per_input; };
  const ptrdiff_t direct = preferred_direct(predictions, machine);
  const ptrdiff_t sorted =
      fastest(predictions, [](const Prediction& p) { return p.plan.presort.has_value(); });
  const ptrdiff_t best = sorted >= 0 && ns(sorted) < ns(direct) ? sorted : direct;
  const Plan& best_plan = predictions[static_cast<size_t>(best)].plan;
  const ptrdiff_t second =
      fastest(predictions, [&](const Prediction& p) { return !same_decision(p.plan, best_plan); });
  return {.plan = static_cast<size_t>(best),
          .direct = static_cast<size_t>(direct),
          .runner_up = static_cast<size_t>(second >= 0 ? second : best),
          .matters = sorted >= 0 && std::abs(ns(sorted) / ns(direct) - 1) > kModelError};
}

Choice choose_plan(const predict::Predictor& predictor, const PlanGrid& grid,
                   const Problem& problem, const std::shared_ptr<const LabelSource>& labels) {
  Choice choice;
  for (const Plan& plan : candidate_plans(grid, problem)) {
    choice.predictions.push_back(predictor.predict(problem, plan, labels));
  }
  const Chosen chosen = choose_among(choice.predictions, predictor.machine());
  const Prediction& best = choice.predictions[chosen.plan];
  const Prediction& direct = choice.predictions[chosen.direct];
  const Prediction& second = choice.predictions[chosen.runner_up];
  TunedEntry& entry = choice.entry;
  entry.problem = problem;
  entry.plan = best.plan;
  entry.predicted_ns_per_input = best.ns_per_input;
  entry.direct_plan = direct.plan;
  entry.direct_ns_per_input = direct.ns_per_input;
  entry.runner_up = second.plan;
  entry.runner_up_ns_per_input = second.ns_per_input;
  entry.matters = chosen.matters;
  return choice;
}

}  // namespace presort::tuner
