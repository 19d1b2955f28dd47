// Compares predicted times of GPU plans (gpu/plan/plan_time.h) with measured ones, and says what
// the predicted choice loses against the best plan.
// usage: gpu_regret [--most PERCENT] MACHINE.yaml GRID.jsonl...
//   grids as gpu_plan_grid, gpu_ordered_grid and gpu_one_plan_grid print them, also in .gz
// Prints for each problem the chosen and the best plan, then for each series of problems errors and
// regret (time lost against the best plan), beside those of fixed choices and of the rules for
// operations in order (gpu/plan/ordered_plans.h), which is what calls take. Exit status 1 when what
// calls take loses more than PERCENT on average over all problems: a test replays a record so.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "presort/core/measurement.h"
#include "presort/core/text/units.h"
#include "presort/gpu/plan/ordered_plans.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/io/json/json_lines.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/plans/problem_file.h"

using namespace presort;

namespace {

struct TimedPlan {
  GpuPlan plan;
  double measured;  // measured time of a plan, ns per input
  double predicted;
};

struct Case {
  Problem problem;
  bool in_order = false;  // true: a multireduce in the order of the inputs
  std::vector<TimedPlan> plans;
  std::string name() const {
    return to_name(kOperations, problem.operation) + (in_order ? " in order " : " ") +
           to_string(problem.types);
  }
};

std::vector<Case> read_cases(const std::string& path, const Gpu& gpu) {
  std::vector<Case> cases;
  io::for_each_json_line(
      io::read_maybe_compressed(path), path, "line of gpu_plan_grid",
      [&](const auto& line, const std::string&) {
        Case& one = cases.emplace_back();
        one.problem.operation =
            from_name(kOperations, "op", line.at("op").template get<std::string>());
        one.problem.n = line.at("n");
        one.problem.m = line.at("m");
        const auto text = [&](const char* key, const char* otherwise) {
          return line.value(key, std::string(otherwise));
        };
        one.problem.types = parse_types("types", text("types", ""));
        one.problem.distribution = parse_distribution("dist", text("dist", "uniform"));
        one.problem.shape = parse_extents("shape", text("shape", ""));
        one.problem.axes = parse_axis_set("axes", text("axes", ""));
        one.in_order = text("order", "") == "inputs";
        for (const auto& [plan_text, ns] : line.at("plans").items()) {
          const GpuPlan plan = parse_gpu_plan(plan_text);
          const gpu::PlanTime time = one.in_order ? gpu::ordered_plan_time(gpu, one.problem, plan)
                                                  : gpu::plan_time(gpu, one.problem, plan);
          one.plans.push_back({plan, ns, time.ns_per_input});
        }
      });
  return cases;
}

const TimedPlan& chosen_of(const Case& one) {
  std::vector<double> times;
  for (const TimedPlan& timed : one.plans) {
    times.push_back(timed.predicted);
  }
  return one.plans[gpu::first_of_fastest(times)];
}

const TimedPlan& best_of(const Case& one) {
  return *std::min_element(one.plans.begin(), one.plans.end(),
                           [](const auto& a, const auto& b) { return a.measured < b.measured; });
}

// The regret of a plan: its measured time over that of the best plan, less 1; no value for a plan
// that was not measured.
std::optional<double> regret_of(const Case& one, const GpuPlan& plan) {
  for (const TimedPlan& timed : one.plans) {
    if (timed.plan == plan) {
      return timed.measured / best_of(one).measured - 1;
    }
  }
  return std::nullopt;
}

// The plan that a call takes by rule; no value where it takes the one with the least predicted
// time.
std::optional<GpuPlan> plan_by_rule(const Case& one, const Gpu& gpu) {
  const Problem& problem = one.problem;
  const gpu::GpuProblem sizes{problem.n, problem.m, size_bytes(problem.types.value)};
  if (one.in_order) {
    return gpu::ordered_plan(sizes);
  }
  if (gpu::scans_buckets(problem.operation)) {
    return gpu::scan_plan(sizes, gpu::limits_of(gpu));
  }
  return std::nullopt;
}

std::string brief(const GpuPlan& plan) {
  std::string text = to_name(kGpuStrategies, plan.strategy);
  text += plan.n_sets > 1 ? fmt::format(", {} sets", plan.n_sets) : "";
  text += plan.range_passes > 1 ? fmt::format(", {} ranges", plan.range_passes) : "";
  return plan.presort
             ? fmt::format("{} bits in {}, {}", plan.presort->sort_bits, plan.presort->passes, text)
             : text;
}

struct Series {
  std::vector<double> errors;          // relative errors of the predicted times of all plans
  std::vector<double> errors_of_good;  // relative errors, plans within a factor of two of the best
  std::vector<double> regrets, never_sorting, always_sorting_8;
  std::vector<double> of_calls;  // regrets of the plans that calls take: by rule where there is one
};

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

void print_series(const std::string& name, const Series& series) {
  const auto spread = [](const std::vector<double>& values) {
    std::vector<double> sizes;
    sizes.reserve(values.size());
    for (const double value : values) {
      sizes.push_back(std::abs(value));
    }
    return values.empty() ? std::string("–")
                          : fmt::format("{:.1f}, {:.1f}, {:.1f} %", 100 * quantile(sizes, 0.5),
                                        100 * quantile(sizes, 0.9), 100 * quantile(sizes, 1));
  };
  const auto loss = [](const std::vector<double>& values) {
    return values.empty() ? std::string("–")
                          : fmt::format("{:.1f} % ({:.1f} %)", 100 * mean_of(values),
                                        100 * quantile(values, 1));
  };
  fmt::print("| {} | {} | {} | {} | {} | {} | {} |\n", name, spread(series.errors),
             spread(series.errors_of_good), loss(series.regrets), loss(series.of_calls),
             loss(series.never_sorting), loss(series.always_sorting_8));
}

// Adds a problem with a choice to a series.
void add_choice(const Case& one, const Gpu& gpu, Series& series) {
  const auto add = [&](std::vector<double>& values, const GpuPlan& plan) {
    if (const auto lost = regret_of(one, plan)) {
      values.push_back(*lost);
    }
  };
  add(series.regrets, chosen_of(one).plan);
  add(series.of_calls, plan_by_rule(one, gpu).value_or(chosen_of(one).plan));
  GpuPlan atomics;
  atomics.strategy = GpuStrategy::globalSets;
  add(series.never_sorting, atomics);
  GpuPlan sorting = atomics;
  sorting.presort = GpuPresort{.sort_bits = 8};
  add(series.always_sorting_8, sorting);
}

void add_errors(const Case& one, Series& series) {
  const double best = best_of(one).measured;
  for (const TimedPlan& timed : one.plans) {
    const double error = timed.predicted / timed.measured - 1;
    series.errors.push_back(error);
    if (timed.measured <= 2 * best) {
      series.errors_of_good.push_back(error);
    }
  }
}

void print_case(const Case& one, const Gpu& gpu) {
  const TimedPlan& chosen = chosen_of(one);
  const TimedPlan& best = best_of(one);
  const std::string sizes =
      one.problem.operation == Operation::reduceAxes
          ? to_string(one.problem.shape) + " over " + to_string(one.problem.axes)
          : "n=" + format_count(one.problem.n) + " m=" + format_count(one.problem.m) + " " +
                to_string(one.problem.distribution);
  std::string by_rule = "–";
  if (const auto plan = plan_by_rule(one, gpu)) {
    const auto lost = regret_of(one, *plan);
    by_rule = brief(*plan) + (lost ? fmt::format(": {:+.1f} %", 100 * *lost) : ": not timed");
  }
  fmt::print("| {} {} | {} | {:.5f} | {:.5f} | {} | {:.5f} | {:+.1f} % | {} |\n", one.name(), sizes,
             brief(chosen.plan), chosen.predicted, chosen.measured, brief(best.plan), best.measured,
             100 * (chosen.measured / best.measured - 1), by_rule);
}

}  // namespace

int main(int argc, char** argv) {
  const bool has_most = argc > 2 && std::string_view(argv[1]) == "--most";
  const int first = has_most ? 3 : 1;
  if (argc < first + 2) {
    fmt::print(stderr, "usage: gpu_regret [--most PERCENT] MACHINE.yaml GRID.jsonl...\n");
    return 2;
  }
  const Machine machine = io::read_machine(argv[first]);
  if (!machine.gpu) {
    fmt::print(stderr, "{}: no section gpu\n", argv[first]);
    return 2;
  }
  std::map<std::string, Series> all;
  fmt::print(
      "| problem | chosen | predicted | measured | best | measured | regret | by rule |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (int i = first + 1; i < argc; ++i) {
    for (const Case& one : read_cases(argv[i], *machine.gpu)) {
      print_case(one, *machine.gpu);
      for (Series* series : {&all[one.name()], &all["together"]}) {
        add_errors(one, *series);
        if (one.plans.size() > 1) {
          add_choice(one, *machine.gpu, *series);
        }
      }
    }
  }
  fmt::print(
      "\n| series | error: median, 90 % below, worst | of plans within 2 x of the best | "
      "regret, mean (worst) | of calls | of plain atomics | of 8 bits, atomics |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const auto& [name, series] : all) {
    print_series(name, series);
  }
  if (has_most && 100 * mean_of(all["together"].of_calls) > std::stod(argv[2])) {
    fmt::print(stderr, "regret of calls: found {:.1f} %, accepted: up to {} %\n",
               100 * mean_of(all["together"].of_calls), argv[2]);
    return 1;
  }
  return 0;
}
