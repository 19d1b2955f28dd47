#include <fmt/format.h>

#include "app/exit_code.h"
#include "app/interrupt.h"
#include "app/machine_catalog.h"
#include "app/machine_override.h"
#include "app/output.h"
#include "app/problem_options.h"
#include "app/subcommand.h"
#include "app/text.h"
#include "app/tuning.h"
#include "core/units.h"
#include "io/machine_json.h"
#include "io/result_json.h"

namespace presort::app {

namespace {

std::vector<Problem> read_problems(const Arguments& arguments) {
  std::vector<Problem> problems;
  for (const uint64_t m : parse_bucket_counts(arguments.list("buckets"))) {
    Problem problem;
    problem.operation = from_name(kOperations, "--op", arguments.text("op"));
    problem.n = parse_count("-n", arguments.text("n"));
    problem.m = m;
    problem.distribution = parse_distribution("--dist", arguments.text("dist"));
    problem.types = parse_types("--type", arguments.text("type"));
    check_problem(problem);
    problems.push_back(problem);
  }
  return problems;
}

// The machines of -m; one with --set is followed by its changed copy.
std::vector<Machine> read_machines(const Arguments& arguments) {
  std::vector<Machine> machines;
  for (const std::string& name : arguments.all("machine")) {
    machines.push_back(load_machine(name));
  }
  const std::vector<std::string> changes = arguments.all("set");
  const bool changed = machines.size() == 1 && !changes.empty();
  if (!changed && (machines.size() < 2 || !changes.empty())) {
    throw InputError("compare needs two -m, or one -m with --set; see presort compare -h");
  }
  if (changed) {
    Machine copy = machines[0];
    for (const std::string& change : changes) {
      set_machine_value(copy, change);
    }
    copy.name += fmt::format(" {}", fmt::join(changes, " "));
    machines.push_back(copy);
  }
  return machines;
}

struct Compared {
  Machine machine;
  Choices choices;
};

void print_machine(const Compared& compared) {
  TextTable table({"m", "direct ns", "presorted ns", "direct / presorted", "best plan"});
  for (const tuner::Choice& choice : compared.choices.items) {
    const BestTimes best = best_times(choice);
    table.add({format_count(choice.entry.problem.m), format_ns(best.direct),
               format_ns(best.presorted), fmt::format("{:.2f}", best.ratio()),
               short_plan(choice.entry.plan)});
  }
  fmt::print("{}\n{}", compared.machine.name, table.text());
  if (!compared.choices.items.empty()) {
    const Problem& last = compared.choices.items.back().entry.problem;
    fmt::print("crossover: {}\n\n",
               crossover_text(crossover_of(compared.choices.items, last), last.m));
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
          {"crossover_m", crossover}};
}

}  // namespace

CommandLine compare_line() {
  return {"compare",
          "what if: the same problems on several machines, or on one machine changed",
          {
              {"machine", 'm', "FILE", "Machine file or bundled name", "", Arity::repeated},
              {"set", 0, "KEY=VALUE", "Change the one machine: cpu.caches.L2.size=2MiB", "",
               Arity::repeated},
              {"op", 0, "NAME", operation_names(), "multireduce"},
              {"n", 'n', "COUNT", "Inputs", "2^24"},
              {"buckets", 'b', "LIST", "Buckets: A..B by factor 4, or a list", "2^12..2^28",
               Arity::repeated},
              {"dist", 0, "NAME", "Distribution of the labels", "uniform"},
              {"type", 0, "L+V", "Types of label and value", "u32+u32"},
              flag("json", 0, "Print one JSON document"),
              flag("quiet", 'q', "No progress"),
          },
          {"presort compare -m out/machine.yaml --set cpu.caches.L2.size=2MiB",
           "presort compare -m cascade-lake-vm -m out/machine.yaml -b 2^16..2^26"}};
}

int run_compare(const Arguments& arguments) {
  const std::vector<Problem> problems = read_problems(arguments);
  const std::vector<Machine> machines = read_machines(arguments);
  defer_interrupt();
  std::vector<Compared> all;
  for (const Machine& machine : machines) {
    Progress progress(verbosity(arguments.has("quiet")), machine.name);
    all.push_back({machine, choose_plans(machine, tuner::PlanSpace(), problems,
                                         tuner::Confirm::contenders, progress)});
  }
  io::Json list = io::Json::array();
  for (const Compared& compared : all) {
    if (arguments.has("json")) {
      list.push_back(machine_json(compared));
    } else {
      print_machine(compared);
    }
  }
  if (arguments.has("json")) {
    print_json(
        {{"machines", list}, {"provenance", io::provenance_to_json(io::current_provenance())}});
  }
  return interrupted() ? kInterrupted : kDone;
}

}  // namespace presort::app
