#include "presort/app/validate/score/baselines.h"

#include <algorithm>

#include "presort/app/validate/kept_points.h"
#include "presort/app/validate/score/rules.h"
#include "presort/core/measurement.h"

namespace presort::inline v0::app {

namespace {

// A plan of the grid with its regrets over the problems where it was kept.
struct Candidate {
  CpuPlan plan;
  size_t fits = 0;  // number of problems that the plan fits, dropped points included
  std::vector<double> choosing;
  std::vector<double> timing;
};

bool presorts(const CpuPlan& plan) {
  return plan.presort.has_value();
}
bool plain_loop(const CpuPlan& plan) {
  return !plan.presort && plan.base == Base();
}
bool prefetching_loop(const CpuPlan& plan) {
  return !plan.presort && plan.base.prefetch_distance > 0;
}
bool any_plan(const CpuPlan&) {
  return true;
}

enum class Pages { any, large_if_there };
struct FixedChoice {
  const char* name;
  bool (*admits)(const CpuPlan&);
  Pages pages;
};
constexpr FixedChoice kFixedChoices[] = {
    {"always sort", presorts, Pages::any},
    {"never sort", plain_loop, Pages::large_if_there},
    {"never sort, with prefetch", prefetching_loop, Pages::large_if_there},
    {"best fixed plan", any_plan, Pages::any},
};

Candidate& find_or_add(std::vector<Candidate>& candidates, const CpuPlan& plan) {
  for (Candidate& candidate : candidates) {
    if (candidate.plan == plan) {
      return candidate;
    }
  }
  return candidates.emplace_back(Candidate{.plan = plan, .choosing = {}, .timing = {}});
}

std::vector<Candidate> grid_candidates(const std::vector<const ProblemPoints*>& problems) {
  std::vector<Candidate> candidates;
  for (const ProblemPoints* item : problems) {
    const std::vector<Repeats> grid = repeats_of(kept_grid_points(*item, Side::all));
    for (const Point& point : item->points) {
      if (!point.in_grid) {
        continue;
      }
      Candidate& candidate = find_or_add(candidates, point.plan);
      ++candidate.fits;
      if (kept(point)) {
        candidate.choosing.push_back(choosing_half_regret(point.ns, grid));
        candidate.timing.push_back(split_half_regret(point.ns, grid));
      }
    }
  }
  return candidates;
}

std::vector<const Candidate*> admitted(const std::vector<Candidate>& candidates,
                                       const FixedChoice& choice) {
  std::vector<const Candidate*> all;
  std::vector<const Candidate*> large;
  for (const Candidate& candidate : candidates) {
    if (choice.admits(candidate.plan) && !candidate.timing.empty()) {
      all.push_back(&candidate);
      if (candidate.plan.resources.page_size == PageSize::k2MiB) {
        large.push_back(&candidate);
      }
    }
  }
  return choice.pages == Pages::large_if_there && !large.empty() ? large : all;
}

// True if plan a beats plan b: first by the number of problems that it fits, so that a plan cannot
// win by not fitting the problems where it would lose.
bool better(const Candidate* a, const Candidate* b) {
  return a->fits != b->fits ? a->fits > b->fits : mean(a->choosing) < mean(b->choosing);
}

Baseline baseline_of(const std::string& name, const std::vector<double>& regrets) {
  return {.name = name,
          .plan = std::nullopt,
          .rule = "",
          .points = regrets.size(),
          .mean_regret = mean(regrets),
          .p95_regret = quantile(regrets, 0.95),
          .max_regret = quantile(regrets, 1)};
}

// The point that a rule chooses, which may be a dropped one; nullptr: there is none.
const Point* point_by_rule(const ProblemPoints& item, const Rule& rule, const Machine& machine) {
  std::vector<const Point*> points;
  std::vector<const CpuPlan*> plans;
  for (const Point& point : item.points) {
    if (point.in_grid) {
      points.push_back(&point);
      plans.push_back(&point.plan);
    }
  }
  const ptrdiff_t chosen = plan_of_parts(plans, rule.parts(item.problem, machine));
  return chosen < 0 ? nullptr : points[static_cast<size_t>(chosen)];
}

}  // namespace

std::vector<Baseline> fixed_choices(const std::vector<const ProblemPoints*>& problems) {
  const std::vector<Candidate> candidates = grid_candidates(problems);
  std::vector<Baseline> baselines;
  for (const FixedChoice& choice : kFixedChoices) {
    const std::vector<const Candidate*> possible = admitted(candidates, choice);
    if (possible.empty()) {
      continue;
    }
    const Candidate& chosen = **std::min_element(possible.begin(), possible.end(), better);
    baselines.push_back(baseline_of(choice.name, chosen.timing));
    baselines.back().plan = chosen.plan;
  }
  return baselines;
}

std::vector<Baseline> rule_choices(const std::vector<const ProblemPoints*>& problems,
                                   const Machine& machine) {
  std::vector<Baseline> baselines;
  for (const Rule& rule : rules()) {
    std::vector<double> regrets;
    for (const ProblemPoints* item : problems) {
      const Point* point = point_by_rule(*item, rule, machine);
      if (point != nullptr && kept(*point)) {
        const std::vector<Repeats> grid = repeats_of(kept_grid_points(*item, Side::all));
        regrets.push_back(split_half_regret(point->ns, grid));
      }
    }
    if (!regrets.empty()) {
      baselines.push_back(baseline_of(rule.name, regrets));
      baselines.back().rule = rule.text;
    }
  }
  return baselines;
}

}  // namespace presort::app
