// Compares predicted times of GPU plans (gpu/plan/plan_time.h) with measured ones, and says what the
// predicted choice loses against the best plan.
// usage: gpu_regret MACHINE.yaml GRID.jsonl...    grids as gpu_plan_grid prints them, also in .gz
// Prints for each problem the chosen and the best plan, then for each series of problems errors and
// regret (time lost against the best plan), beside those of fixed choices.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "presort/core/measurement.h"
#include "presort/core/text/units.h"
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
  std::vector<TimedPlan> plans;
};

// Reads types of labels and values as problem files write them, and u16 labels, which only a GPU has.
Types types_of(const std::string& text) {
  constexpr std::string_view kShort = "u16+";
  if (!text.starts_with(kShort)) {
    return parse_types("types", text);
  }
  Types types = parse_types("types", "u32+" + text.substr(kShort.size()));
  types.label = ScalarType::u16;
  return types;
}

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
        one.problem.types = types_of(line.at("types").template get<std::string>());
        for (const auto& [text, ns] : line.at("plans").items()) {
          const GpuPlan plan = parse_gpu_plan(text);
          one.plans.push_back({plan, ns, gpu::plan_time(gpu, one.problem, plan).ns_per_input});
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

// The regret of a plan: its measured time over that of the best plan, less 1; no value for a plan that
// was not measured.
std::optional<double> regret_of(const Case& one, const GpuPlan& plan) {
  for (const TimedPlan& timed : one.plans) {
    if (timed.plan == plan) {
      return timed.measured / best_of(one).measured - 1;
    }
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
};

void print_series(const std::string& name, const Series& series) {
  const auto spread = [](const std::vector<double>& values) {
    std::vector<double> sizes;
    for (const double value : values) {
      sizes.push_back(std::abs(value));
    }
    return values.empty() ? std::string("–")
                          : fmt::format("{:.1f}, {:.1f}, {:.1f} %", 100 * quantile(sizes, 0.5),
                                        100 * quantile(sizes, 0.9), 100 * quantile(sizes, 1));
  };
  const auto loss = [](const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) {
      sum += value;
    }
    return values.empty()
               ? std::string("–")
               : fmt::format("{:.1f} % ({:.1f} %)", 100 * sum / static_cast<double>(values.size()),
                             100 * quantile(values, 1));
  };
  fmt::print("| {} | {} | {} | {} | {} | {} |\n", name, spread(series.errors),
             spread(series.errors_of_good), loss(series.regrets), loss(series.never_sorting),
             loss(series.always_sorting_8));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: gpu_regret MACHINE.yaml GRID.jsonl...\n");
    return 2;
  }
  const Machine machine = io::read_machine(argv[1]);
  if (!machine.gpu) {
    fmt::print(stderr, "{}: no section gpu\n", argv[1]);
    return 2;
  }
  std::map<std::string, Series> all;
  fmt::print(
      "| problem | chosen | predicted | measured | best | measured | regret |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n");
  for (int i = 2; i < argc; ++i) {
    for (const Case& one : read_cases(argv[i], *machine.gpu)) {
      const Problem& problem = one.problem;
      const TimedPlan& chosen = chosen_of(one);
      const TimedPlan& best = best_of(one);
      const double regret = chosen.measured / best.measured - 1;
      const std::string name =
          to_name(kOperations, problem.operation) + " " + to_string(problem.types);
      fmt::print("| {} m={} | {} | {:.5f} | {:.5f} | {} | {:.5f} | {:+.1f} % |\n", name,
                 format_count(problem.m), brief(chosen.plan), chosen.predicted, chosen.measured,
                 brief(best.plan), best.measured, 100 * regret);
      for (Series* series : {&all[name], &all["together"]}) {
        for (const TimedPlan& timed : one.plans) {
          const double error = timed.predicted / timed.measured - 1;
          series->errors.push_back(error);
          if (timed.measured <= 2 * best.measured) {
            series->errors_of_good.push_back(error);
          }
        }
        if (one.plans.size() == 1) {
          continue;  // problem with a single plan: nothing to choose
        }
        series->regrets.push_back(regret);
        const auto add = [&](std::vector<double>& values, const GpuPlan& plan) {
          if (const auto lost = regret_of(one, plan)) {
            values.push_back(*lost);
          }
        };
        GpuPlan atomics;
        atomics.strategy = GpuStrategy::globalSets;
        add(series->never_sorting, atomics);
        GpuPlan sorting = atomics;
        sorting.presort = GpuPresort{.sort_bits = 8};
        add(series->always_sorting_8, sorting);
      }
    }
  }
  fmt::print(
      "\n| series | error: median, 90 % below, worst | of plans within 2 x of the best | "
      "regret, mean (worst) | of plain atomics | of 8 bits, atomics |\n"
      "| --- | --- | --- | --- | --- | --- |\n");
  for (const auto& [name, series] : all) {
    print_series(name, series);
  }
  return 0;
}
