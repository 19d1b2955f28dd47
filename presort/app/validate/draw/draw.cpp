#include "presort/app/validate/draw/draw.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/interruptible_work.h"
#include "presort/app/cli/problem_options.h"
#include "presort/app/validate/draw/draw_problem.h"
#include "presort/core/base/checked.h"
#include "presort/core/error.h"
#include "presort/cpu/runner/runner.h"
#include "presort/predict/size_limits.h"
#include "presort/tuner/tuner.h"

namespace presort::inline v0::app {

namespace {

// Rough times, ns: of a prediction; of making and storing an input; of the first access to a byte
// of new memory.
constexpr double kPredictionNs = 1e9;
constexpr double kInputNs = 20;
constexpr double kByteNs = 0.4;

// The runs of a problem may take this many times its equal share of all time, as many problems take
// far less.
constexpr double kShareOfTime = 2;

ProblemPoints points_of(const Problem& problem, const std::vector<CpuPlan>& plans) {
  ProblemPoints item;
  item.problem = problem;
  for (const CpuPlan& plan : plans) {
    Point& point = item.points.emplace_back();
    point.plan = plan;
    point.in_grid = true;
  }
  return item;
}

// Most bytes that a run of one of the problem's plans needs; no value if they cannot be counted.
std::optional<uint64_t> bytes_of(const ProblemPoints& item) {
  uint64_t most = 0;
  for (const Point& point : item.points) {
    try {
      most = std::max(most, cpu::required_bytes(item.problem, point.plan, false));
    } catch (const EnvironmentError&) {
      return std::nullopt;
    }
  }
  return most == kUncountable ? std::nullopt : std::optional(most);
}

// Rough seconds of all runs of a problem. The slowest of the drawn plans stands for the tuner's
// plan.
double seconds_of(const ProblemPoints& item, uint64_t bytes, int reps) {
  double runs = 0;
  double slowest = 0;
  for (const Point& point : item.points) {
    const double one = rough_seconds(item.problem, point.plan);
    runs += one;
    slowest = std::max(slowest, one);
  }
  const auto n = static_cast<double>(item.problem.n);
  const auto points = static_cast<double>(item.points.size() + 1);
  return (runs + slowest) * (1.25 * reps + 1) +
         1e-9 * (points * kPredictionNs + n * kInputNs + static_cast<double>(bytes) * kByteNs);
}

bool legal(const Problem& problem) {
  try {
    check_problem(problem);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// True if no size limit of predictions refuses a problem, or a plan that it is drawn with.
bool predictable(const ProblemPoints& item) {
  try {
    predict::check_predictable(item.problem);
    for (const Point& point : item.points) {
      predict::check_simulatable(Machine{}, item.problem, point.plan, predict::Extent::sampled);
    }
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// Problems of plans of the most threads first: their plans take longest to predict, and one that
// began last would keep a single core busy.
std::vector<ProblemPoints*> slowest_first(std::vector<ProblemPoints>& all) {
  std::vector<ProblemPoints*> order;
  for (ProblemPoints& item : all) {
    order.push_back(&item);
  }
  std::ranges::stable_sort(order, std::greater{}, [](const ProblemPoints* item) {
    return item->points.back().plan.resources.threads;
  });
  return order;
}

// The plan that the tuner chooses for a problem on these resources.
CpuPlan tuner_plan(const tuner::Predictors& predictors, const Problem& problem,
                   const Resources& resources) {
  tuner::PlanSpace space;
  space.set("threads", {std::to_string(resources.threads)});
  space.set("pageSize", {to_name(kPageSizes, resources.page_size)});
  return tuner::choose_plan(predictors, space, problem, problem_labels(problem)).entry.plan;
}

}  // namespace

double rough_seconds(const Problem& problem, const CpuPlan& plan) {
  constexpr double kCaches = 16 << 20;  // bytes of buckets above which each input misses
  const double bytes =
      static_cast<double>(problem.m) * static_cast<double>(size_bytes(problem.types.value));
  const double miss = plan.resources.page_size == PageSize::k4KiB ? 30 : 15;
  const double loop = bytes > kCaches ? miss : 3;
  double ns = loop;
  if (plan.presort && plan.base.strategy == CpuStrategy::plainRadix) {
    ns = 12.0 * plan.presort->passes + 4;
  } else if (plan.presort) {
    const double results = has_results(problem.operation) ? 2 : 1;
    ns = 5.0 * results * plan.presort->passes + 4;
  } else if (plan.base.prefetch_distance > 0) {
    ns = std::min(loop, miss / 2 + 3);
  } else if (is_segmented(problem.operation)) {
    ns = 3;
  } else if (plan.base.range_passes > 1) {
    ns = loop + 1.5 * plan.base.range_passes;
  }
  return 1e-9 * ns * static_cast<double>(problem.n) /
         std::sqrt(static_cast<double>(plan.resources.threads));
}

Drawn draw_points(uint64_t count, uint64_t seed, const DrawLimits& limits) {
  Drawn drawn;
  drawn.record = {.seed = seed,
                  .wanted = count,
                  .limit_s = kSecondsPerPoint * static_cast<double>(count),
                  .memory_bytes = limits.memory_bytes,
                  .reps = limits.reps};
  DrawRecord& record = drawn.record;
  size_t points = 0;
  for (uint64_t turn = 0; points < count; ++turn) {
    Dice dice(random_u64(seed, turn));
    const Problem problem = draw_problem(dice);
    if (!legal(problem)) {
      continue;  // the drawn problem is not legal, so another is drawn
    }
    ProblemPoints item = points_of(problem, draw_plans(problem, limits.threads, dice));
    if (!predictable(item)) {
      ++record.beyond_prediction;
      continue;
    }
    const std::optional<uint64_t> bytes = bytes_of(item);
    if (!bytes || *bytes > limits.memory_bytes) {
      ++record.beyond_memory;
      continue;
    }
    const double seconds = seconds_of(item, *bytes, limits.reps);
    const auto with_tuned = static_cast<double>(item.points.size() + 1);
    const double own_part = kShareOfTime * kSecondsPerPoint * with_tuned;
    const double all_part = kSecondsPerPoint * (static_cast<double>(points) + with_tuned);
    if (seconds > own_part || record.estimated_s + seconds > all_part + own_part / 2) {
      ++record.beyond_time;
      continue;
    }
    record.estimated_s += seconds;
    points += item.points.size() + 1;
    drawn.problems.push_back(std::move(item));
  }
  record.problems = drawn.problems.size();
  return drawn;
}

void add_tuner_plans(std::vector<ProblemPoints>& all, const Machine& machine, DrawJournal& journal,
                     Progress& progress) {
  const tuner::Predictors predictors(machine, interrupt_token());
  const std::vector<ProblemPoints*> order = slowest_first(all);
  size_t done = 0;
  parallel_for(
      order.size(),
      [&](size_t i) {
        ProblemPoints& item = *order[i];
        const Resources& resources = item.points.back().plan.resources;
        std::optional<CpuPlan> chosen = journal.tuner_plan(item.problem, resources);
        if (!chosen) {
          chosen = tuner_plan(predictors, item.problem, resources);
          journal.add_tuner_plan(item.problem, resources, *chosen);
        }
        const auto known = std::find_if(item.points.begin(), item.points.end(),
                                        [&](const Point& point) { return point.plan == *chosen; });
        if (known == item.points.end()) {
          Point& point = item.points.emplace_back();
          point.plan = *chosen;
          point.in_grid = true;
        }
      },
      [&](size_t i) { progress.update(++done, all.size(), to_string(order[i]->problem)); });
}

}  // namespace presort::app
