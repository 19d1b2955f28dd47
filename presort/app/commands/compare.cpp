#include <fmt/format.h>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/label_files.h"
#include "presort/app/cli/output_form.h"
#include "presort/app/cli/partial_file.h"
#include "presort/app/cli/problem_options.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/measure/tuning.h"
#include "presort/app/plot/gnuplot.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/output.h"
#include "presort/app/printing/text.h"
#include "presort/app/whatif/compare_gpu.h"
#include "presort/app/whatif/compared.h"
#include "presort/app/whatif/crossover_map.h"
#include "presort/app/whatif/variants.h"
#include "presort/core/device.h"
#include "presort/io/files/atomic_file.h"
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

Compared compare_on_cpu(const Variant& variant, const std::vector<Problem>& problems,
                        tuner::Confirm confirm, Progress& progress, const LabelFiles& files) {
  const Choices choices =
      choose_plans(variant.machine, variant.space, problems, confirm, progress, files.labels_of());
  return {variant.label, variant.machine, points_of(choices.items), choices.complete};
}

// Compares the variants one after the other, each on all cores.
std::vector<Compared> compare_all(const Arguments& arguments, const Variants& variants,
                                  const std::vector<Problem>& problems, Device device,
                                  const LabelFiles& files) {
  const bool model_only = arguments.has("model-only");
  const auto confirm = model_only ? tuner::Confirm::never : tuner::Confirm::contenders;
  const auto times = model_only ? GpuTimes::closedForm : GpuTimes::simulated;
  std::vector<Compared> all;
  for (const Variant& variant : variants.items) {
    Progress progress(verbosity(arguments.has("quiet")), variant.machine.name);
    all.push_back(device == Device::gpu
                      ? compare_on_gpu(variant, problems, times, progress, files.labels_of())
                      : compare_on_cpu(variant, problems, confirm, progress, files));
  }
  return all;
}

}  // namespace

CommandLine compare_line() {
  return {"compare",
          "what if? Chooses plans of the same problems for several machines, or for one with other "
          "caches, memory or plans",
          std::vector<Option>{
              {"machine", 'm', "FILE",
               "Machine file, or the name of a bundled machine (presort machines lists them)", "",
               Arity::repeated},
              {"set", 0, "KEY=VALUE",
               "Change a key of the machine (presort help machine-keys): cpu.caches.L2.size=2MiB. "
               "One key may have several values: cpu.caches.L2.size=1MiB,2MiB. plan.KEY changes "
               "the plans that are tried (presort help plan-keys): plan.pageSize=4KiB,2MiB",
               "", Arity::repeated},
              {"device", 0, "NAME",
               "Compare plans for cpu or gpu. gpu simulates the section gpuHardware of the machine "
               "file, and with --model-only predicts from the section gpu: "
               "gpuHardware.l2.size=64MiB,128MiB",
               "cpu"},
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
          } + form_options("a machine and number of buckets") +
              std::vector<Option>{flag("quiet", 'q', "Do not show progress on standard error")},
          {"presort compare -m out/machine.yaml --set cpu.caches.L2.size=2MiB",
           "presort compare -m out/machine.yaml --set cpu.caches.L2.size=512KiB,1MiB,2MiB,4MiB \\\n"
           "      --plot l2.svg",
           "presort compare --device gpu -m h200 --set gpuHardware.l2.size=60MiB,120MiB -n 2^28",
           "presort compare -m cascade-lake-vm -m out/machine.yaml -b 2^16..2^26"}};
}

int run_compare(const Arguments& arguments) {
  const Device device = from_name(kDevices, "--device", arguments.text("device"));
  LabelFiles files;
  const std::vector<Problem> problems = read_problems(arguments, files);
  const std::vector<Machine> machines = read_machines(arguments);
  if (device == Device::gpu) {
    check_gpu_changes(arguments.all("set"),
                      arguments.has("model-only") ? GpuTimes::closedForm : GpuTimes::simulated);
  }
  const Variants variants = read_variants(machines, arguments.all("set"));
  const auto plot = arguments.optional("plot");
  if (plot) {
    require_writable(*plot);
    require_gnuplot("--plot");
  }
  const OutputForm form = read_form(arguments);  // refused before the work, not after it
  defer_interrupt();
  const std::vector<Compared> all = compare_all(arguments, variants, problems, device, files);
  const CrossoverMap map = map_of(all, problems, variants.swept, machines.front().name);
  if (form == OutputForm::csv) {
    print_exact(compared_records(all).csv());
  } else if (form == OutputForm::markdown) {
    print_exact(compared_records(all).markdown());
  } else if (form == OutputForm::json) {
    io::Json list = io::Json::array();
    for (const Compared& compared : all) {
      list.push_back(compared_json(compared));
    }
    print_json("compare/1", {{"machines", list},
                             {"crossovers", map_json(map)},
                             {"complete", !interrupted()},
                             {"device", to_name(kDevices, device)},
                             {"provenance", io::provenance_to_json(io::current_provenance())}});
  } else {
    for (const Compared& compared : all) {
      print_text(compared_text(compared));
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
