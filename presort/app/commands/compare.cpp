#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/label_files.h"
#include "presort/app/cli/partial_file.h"
#include "presort/app/cli/problem_options.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/measure/tuning.h"
#include "presort/app/plot/gnuplot.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/output.h"
#include "presort/app/printing/text.h"
#include "presort/app/whatif/crossover_map.h"
#include "presort/app/whatif/variants.h"
#include "presort/core/text/units.h"
#include "presort/io/files/atomic_file.h"
#include "presort/io/json/machine_json.h"
#include "presort/io/json/result_json.h"

namespace presort::inline v0::app {

namespace {

std::vector<Problem> read_problems(const Arguments& arguments, LabelFiles& files) {
  Problem problem;
  problem.operation = from_name(kOperations, "--op", arguments.text("op"));
  problem.distribution = parse_distribution("--dist", given_distribution(arguments));
  problem.types = read_types(arguments.text("type"));
  const LabelFile* const file = files.of(problem.distribution);
  problem.n = given_n(arguments, file);
  std::vector<Problem> problems;
  for (const uint64_t m : given_buckets(arguments, file)) {
    problem.m = m;
    check_problem(problem);
    problems.push_back(problem);
  }
  say_sizes_of_files(arguments, problems, files);
  return problems;
}

std::vector<Machine> read_machines(const Arguments& arguments) {
  std::vector<Machine> machines;
  for (const std::string& name : arguments.all("machine")) {
    machines.push_back(load_machine(name));
  }
  return machines;
}

struct Compared {
  std::string label;
  Machine machine;
  Choices choices;
};

void print_machine(const Compared& compared) {
  TextTable table({"m", "direct ns", "presorted ns", "direct / presorted", "best plan"});
  for (const tuner::Choice& choice : compared.choices.items) {
    const BestTimes best = best_times(choice);
    table.add({format_count(choice.entry.problem.m), format_ns(best.direct),
               format_ns(best.presorted),
               std::isfinite(best.presorted) ? fmt::format("{:.2f}", best.ratio()) : "-",
               short_plan(choice.entry.plan)});
  }
  print_out("{}\n{}", displayable_line(compared.machine.name), table.text());
  if (!compared.choices.items.empty()) {
    const Problem& last = compared.choices.items.back().entry.problem;
    print_out("{}\n\n", crossover_line(times_of(compared.choices.items), last));
  }
}

io::Json machine_json(const Compared& compared) {
  io::Json points = io::Json::array();
  io::Json crossover = nullptr;
  for (const tuner::Choice& choice : compared.choices.items) {
    const BestTimes best = best_times(choice);
    points.push_back({{"m", choice.entry.problem.m},
                      {"direct_ns_per_input", best.direct},
                      {"presorted_ns_per_input", best.presorted},
                      {"plan", io::plan_to_json(choice.entry.plan)}});
    if (const auto m = crossover_of(compared.choices.items, choice.entry.problem)) {
      crossover = *m;
    }
  }
  return {{"machine", io::machine_to_json(compared.machine)},
          {"points", points},
          {"crossover_m", crossover},
          {"complete", compared.choices.complete}};
}

// A column of the crossover map, from the problems that were finished.
CrossoverColumn column_of(const Compared& compared, const std::vector<Problem>& problems) {
  CrossoverColumn column = {.label = compared.label, .ratios = {}, .crossover = {}};
  for (const Problem& problem : problems) {
    column.ratios.push_back(0);
    for (const tuner::Choice& choice : compared.choices.items) {
      if (choice.entry.problem == problem) {
        const double ratio = best_times(choice).ratio();
        column.ratios.back() = std::isfinite(ratio) ? ratio : 0;
      }
    }
  }
  column.crossover = crossover_of(compared.choices.items, problems.front());
  return column;
}

CrossoverMap map_of(const std::vector<Compared>& all, std::vector<Problem> problems,
                    const std::string& swept, const std::string& machine) {
  std::sort(problems.begin(), problems.end(),
            [](const Problem& a, const Problem& b) { return a.m < b.m; });
  const Problem& first = problems.front();
  CrossoverMap map = {.title = fmt::format("{} n={} {} {}", to_name(kOperations, first.operation),
                                           format_count(first.n), to_string(first.distribution),
                                           to_string(first.types)),
                      .swept = swept.empty() ? "machine" : swept,
                      .buckets = {},
                      .columns = {}};
  map.title += swept.empty() ? "" : " on " + machine;
  for (const Problem& problem : problems) {
    map.buckets.push_back(problem.m);
  }
  for (const Compared& compared : all) {
    map.columns.push_back(column_of(compared, problems));
  }
  return map;
}

io::Json map_json(const CrossoverMap& map) {
  io::Json columns = io::Json::array();
  for (const CrossoverColumn& column : map.columns) {
    io::Json ratios = io::Json::array();
    for (const double ratio : column.ratios) {
      ratios.push_back(ratio > 0 ? io::Json(ratio) : io::Json(nullptr));
    }
    columns.push_back({{"value", column.label},
                       {"crossover_m", column.crossover ? io::Json(*column.crossover) : nullptr},
                       {"direct_over_presorted", ratios}});
  }
  return {{"key", map.swept}, {"m", map.buckets}, {"values", columns}};
}

}  // namespace

CommandLine compare_line() {
  return {"compare",
          "what if? Chooses plans of the same problems for several machines, or for one with other "
          "caches, memory or plans",
          {
              {"machine", 'm', "FILE",
               "Machine file, or the name of a bundled machine (presort machines lists them)", "",
               Arity::repeated},
              {"set", 0, "KEY=VALUE",
               "Change a key of the machine (presort help machine-keys): cpu.caches.L2.size=2MiB. "
               "One key may have several values: cpu.caches.L2.size=1MiB,2MiB. plan.KEY changes "
               "the plans that are tried (presort help plan-keys): plan.pageSize=4KiB,2MiB",
               "", Arity::repeated},
              {"op", 0, "NAME", "Operation to compute: " + operation_names(), "multireduce"},
              {"n", 'n', "COUNT", "Number of inputs n", "2^24"},
              {"buckets", 'b', "LIST",
               "Numbers of buckets m: FIRST..LAST, each four times the one before, or a list",
               "2^12..2^28", Arity::repeated},
              dist_option(Arity::once),
              labels_option(),
              type_option(Arity::once),
              flag("model-only", 0,
                   "Predict in closed form only. Without it, where two plans are too close to tell "
                   "apart, both are simulated too"),
              {"plot", 0, "FILE",
               "Draw how many times faster a pre-sort is, for each m and each machine, as an SVG "
               "picture (needs gnuplot)"},
              flag("json", 0, "Print one JSON document instead of text (presort help json-fields)"),
              flag("quiet", 'q', "Do not show progress on standard error"),
          },
          {"presort compare -m out/machine.yaml --set cpu.caches.L2.size=2MiB",
           "presort compare -m out/machine.yaml --set cpu.caches.L2.size=512KiB,1MiB,2MiB,4MiB \\\n"
           "      --plot l2.svg",
           "presort compare -m cascade-lake-vm -m out/machine.yaml -b 2^16..2^26"}};
}

int run_compare(const Arguments& arguments) {
  LabelFiles files;
  const std::vector<Problem> problems = read_problems(arguments, files);
  const std::vector<Machine> machines = read_machines(arguments);
  const Variants variants = read_variants(machines, arguments.all("set"));
  const auto plot = arguments.optional("plot");
  if (plot) {
    require_writable(*plot);
    require_gnuplot("--plot");
  }
  defer_interrupt();
  const auto confirm =
      arguments.has("model-only") ? tuner::Confirm::never : tuner::Confirm::contenders;
  std::vector<Compared> all;
  for (const Variant& variant : variants.items) {
    Progress progress(verbosity(arguments.has("quiet")), variant.machine.name);
    all.push_back({variant.label, variant.machine,
                   choose_plans(variant.machine, variant.space, problems, confirm, progress,
                                files.labels_of())});
  }
  const CrossoverMap map = map_of(all, problems, variants.swept, machines.front().name);
  if (arguments.has("json")) {
    io::Json list = io::Json::array();
    for (const Compared& compared : all) {
      list.push_back(machine_json(compared));
    }
    print_json("compare/1", {{"machines", list},
                             {"crossovers", map_json(map)},
                             {"complete", !interrupted()},
                             {"provenance", io::provenance_to_json(io::current_provenance())}});
  } else {
    for (const Compared& compared : all) {
      print_machine(compared);
    }
    print_out("{}, direct / pre-sorted for each m{}:\n{}", displayable_line(map.title),
              partial_mark(!interrupted()), crossover_table(map));
  }
  if (plot) {
    // No earlier picture counts as partial, as a picture file does not tell.
    const auto is_part = [](const std::string&) { return false; };
    io::write_atomically(interrupted() ? place_for_part(*plot, is_part) : *plot,
                         draw_crossover_map(map));
  }
  return interrupted() ? kInterrupted : kDone;
}

}  // namespace presort::app
