#include "presort/app/commands/validate/asked_points.h"

#include <fmt/format.h>

#include <algorithm>

#include "presort/app/cli/label_files.h"
#include "presort/app/cli/problem_options.h"
#include "presort/app/machines/completeness.h"
#include "presort/app/machines/fingerprint.h"
#include "presort/app/machines/load_report.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/printing/notes.h"
#include "presort/app/validate/report/file_names.h"
#include "presort/app/validate/validate_options.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/cpu/memory/available_memory.h"
#include "presort/io/plans/plan_grid_file.h"
#include "presort/probe/host/topology.h"

namespace presort::inline v0::app {

namespace {

// The problems and plans of the grid. With --labels, the labels of the file replace each
// distribution, and n and m follow from the file.
io::PlanGrid read_grid(const Arguments& arguments) {
  const std::string name = arguments.has("quick") ? "quick" : "standard";
  io::PlanGrid grid = io::read_plan_grid(arguments.optional("grid").value_or(bundled_grid(name)));
  if (const auto labels = arguments.optional("labels")) {
    const LabelFile file(*labels);
    Problem problem = grid.problems.front();
    problem.n = file.n();
    problem.m = file.m();
    problem.distribution = parse_distribution("--labels", "file:" + *labels);
    check_problem_of(problem, &file);
    grid.problems = {problem};
  }
  return grid;
}

// Drops plans with more threads than the machine or this host has cores, and says so on stderr.
void drop_plans_beyond_cores(io::PlanGrid& grid, const Machine& machine) {
  const int cores = std::min(machine.cores, probe::this_topology().cores);
  const size_t dropped = std::erase_if(
      grid.plans, [cores](const CpuPlan& plan) { return plan.resources.threads > cores; });
  write_to_stderr(left_out_note(dropped, cores));
}

// The problems and plans that --draw takes at random; no value without the option.
// Errors: InputError for a count out of range, and for options that say what to run
std::optional<Drawn> read_draw(const Arguments& arguments, const Machine& machine, int reps) {
  const auto text = arguments.optional("draw");
  if (!text) {
    if (arguments.has("seed")) {
      throw InputError("--seed goes with --draw, which takes problems and plans at random");
    }
    return std::nullopt;
  }
  for (const char* other : {"grid", "labels", "tuned", "replay", "quick"}) {
    if (arguments.has(other)) {
      throw InputError(
          fmt::format("--draw takes problems and plans at random: {} does not go with it",
                      arguments.shown(other)));
    }
  }
  const uint64_t count = parse_count("--draw", *text);
  if (count < kLeastDrawn || count > kMostDrawn) {
    throw InputError(
        fmt::format("--draw: found {}, accepted: {} to {} points", *text, kLeastDrawn, kMostDrawn));
  }
  const uint64_t seed = parse_count("--seed", arguments.optional("seed").value_or("1"));
  // The memory limit is half of what is free, so that a run does not fail for what other programs
  // take meanwhile.
  return draw_points(count, seed,
                     {.memory_bytes = cpu::available_memory_bytes() / 2,
                      .threads = std::min(machine.cores, probe::this_topology().cores),
                      .reps = reps});
}

// The problems and plans of --replay, of --tuned and --grid, or of a bundled grid.
std::vector<ProblemPoints> read_points(const Arguments& arguments, const Machine& machine) {
  if (const auto recording = arguments.optional("replay")) {
    for (const char* other : {"tuned", "grid", "labels", "reps", "quick"}) {
      if (arguments.has(other)) {
        throw InputError(
            fmt::format("--replay takes problems, plans and times from its file: "
                        "{} does not go with it",
                        arguments.shown(other)));
      }
    }
    refuse_to_overwrite(*recording, arguments.text("output"), kResultFile);
    return make_points(io::read_result_lines(*recording));
  }
  io::PlanGrid grid = read_grid(arguments);
  drop_plans_beyond_cores(grid, machine);
  if (!arguments.has("tuned")) {
    return make_points(grid, nullptr);
  }
  const std::string path = arguments.text("tuned");
  const Tuned tuned = load_tuned(path);
  require_fingerprint(path, tuned.fingerprint, make_fingerprint(machine, io::current_provenance()),
                      arguments.has("force"));
  return make_points(grid, &tuned);
}

// Drops problems that the core costs were fitted to, and says on stderr how many.
// Errors: InputError when none is left
void drop_calibrated_and_say_so(std::vector<ProblemPoints>& all, const Machine& machine) {
  const size_t dropped = drop_calibrated(all, machine);
  if (dropped > 0) {
    note("problems left out, for the core costs were fitted to them: {}", dropped);
  }
  if (all.empty()) {
    throw InputError("the core costs of the machine were fitted to every problem: none is left");
  }
}

}  // namespace

AskedPoints read_asked_points(const Arguments& arguments, const Machine& machine, int reps) {
  AskedPoints asked;
  if (std::optional<Drawn> drawn = read_draw(arguments, machine, reps)) {
    asked = {.problems = std::move(drawn->problems), .draw = drawn->record};
  } else {
    asked.problems = read_points(arguments, machine);
  }
  drop_calibrated_and_say_so(asked.problems, machine);
  return asked;
}

}  // namespace presort::app
