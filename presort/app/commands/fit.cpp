#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/interruptible_work.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/machines/latency_plots.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/plot/gnuplot.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/output.h"
#include "presort/app/printing/progress.h"
#include "presort/app/printing/text.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/fit/fit.h"
#include "presort/io/files/atomic_file.h"
#include "presort/io/json/machine_json.h"
#include "presort/io/machine/latency_matrix_file.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::app {

namespace {

using Results = std::vector<fit::CellResult>;

constexpr const char* kAuto = "auto";

struct Group {
  std::string name;
  std::function<bool(const fit::CellResult&)> wanted;
};

std::vector<Group> groups() {
  const auto linear = [](fit::Role role) {
    return [role](const fit::CellResult& result) {
      return result.order == ChaseOrder::forward && result.role == role;
    };
  };
  const auto order = [](ChaseOrder wanted) {
    return [wanted](const fit::CellResult& result) { return result.order == wanted; };
  };
  return {{"random (fitted)", order(ChaseOrder::random)},
          {"forward, strides of the prefetch fit", linear(fit::Role::fittedPrefetch)},
          {"forward, other strides", linear(fit::Role::heldOut)},
          {"backward", order(ChaseOrder::backward)},
          {"random within blocks", order(ChaseOrder::blockRandom)},
          {"all held out",
           [](const fit::CellResult& result) { return result.role == fit::Role::heldOut; }}};
}

void print_scores(const Results& results) {
  TextTable table({"cells", "number", "median error", "p90", "worst", ""});
  for (const Group& group : groups()) {
    const fit::Score score = fit::score(results, group.wanted);
    if (score.cells > 0) {
      table.add({group.name, std::to_string(score.cells), format_percent(score.median),
                 format_percent(score.p90), format_percent(score.worst), ""});
    }
  }
  print_text(table.text());
}

void print_parameters(const std::vector<fit::FittedParameter>& parameters) {
  TextTable table({"parameter", "start", "fitted", "on"});
  size_t prefetch = 0;
  for (const fit::FittedParameter& parameter : parameters) {
    prefetch += parameter.prefetch;
    table.add({parameter.name, parameter.start, parameter.value,
               parameter.prefetch ? "linear strides" : "random cells"});
  }
  print_out("{}{} parameters fitted on random cells, {} on linear strides\n\n", table.text(),
            parameters.size() - prefetch, prefetch);
}

void print_fit(const fit::Fit& fit, const std::string& machine, const std::string& processor) {
  print_out("{}: {}\n\n", displayable_line(machine), displayable_line(processor));
  if (!fit.parameters.empty()) {
    print_parameters(fit.parameters);
  }
  print_scores(fit.cells);
}

io::Json to_json(const fit::Fit& fit) {
  io::Json scores = io::Json::array();
  for (const Group& group : groups()) {
    const fit::Score score = fit::score(fit.cells, group.wanted);
    scores.push_back({{"cells", group.name},
                      {"number", score.cells},
                      {"median_abs_error", score.median},
                      {"p90_abs_error", score.p90},
                      {"max_abs_error", score.worst}});
  }
  io::Json parameters = io::Json::array();
  for (const fit::FittedParameter& parameter : fit.parameters) {
    parameters.push_back(
        {{"name", parameter.name}, {"start", parameter.start}, {"value", parameter.value}});
  }
  io::Json cells = io::Json::array();
  for (const fit::CellResult& result : fit.cells) {
    cells.push_back({{"order", to_name(kChaseOrders, result.order)},
                     {"footprint", result.cell.footprint_bytes},
                     {"stride", result.cell.stride_bytes},
                     {"block", result.cell.block_bytes},
                     {"measured_cycles", result.cell.cycles},
                     {"simulated_cycles", result.simulated},
                     {"held_out", result.role == fit::Role::heldOut}});
  }
  return {{"parameters", parameters},
          {"scores", scores},
          {"cells", cells},
          {"machine_values", io::machine_to_json(fit.machine)},
          {"provenance", io::provenance_to_json(io::current_provenance())}};
}

// Sets the number of machines that each search may try: asked for, or by the work that they take.
void read_budget(const Arguments& arguments, fit::FitOptions& options) {
  constexpr uint64_t kMostMachines = 1'000'000;
  if (arguments.text("budget") == kAuto) {
    return;
  }
  const uint64_t budget = parse_count("--budget", arguments.text("budget"));
  if (budget < 1 || budget > kMostMachines) {
    throw InputError(
        fmt::format("--budget: found {}, accepted: auto, 1 to {}", budget, kMostMachines));
  }
  options.most_machines = static_cast<int>(budget);
  options.work_of_search = std::numeric_limits<uint64_t>::max();
}

// Options of a fit that shows `progress`, which has to outlive it.
fit::FitOptions fit_options(const Arguments& arguments, Progress& progress) {
  fit::FitOptions options;
  options.seed = parse_count("--seed", arguments.text("seed"));
  read_budget(arguments, options);
  options.for_each = [](size_t count, const std::function<void(size_t)>& work) {
    parallel_for(count, work, [](size_t) {});
  };
  // The latest improvement stands beside the bar
  const auto latest = std::make_shared<std::string>();
  options.progress = [latest](const std::string& line) { *latest = line; };
  options.done = [latest, &progress](double fraction) { progress.update(fraction, *latest); };
  return options;
}

void describe_origin(Machine& machine, const LatencyMatrix& matrix, const std::string& path) {
  machine.probed.clear();
  machine.provenance = {
      {"source", "fitted by presort fit on the random cells of " +
                     std::filesystem::path(path).filename().string()},
      {"processor", matrix.processor},
      {"prefetchers", "on the first, third, fifth, … stride of its forward cells"},
      {"structure", "sizes, ways, TLB entries, kinds of prefetchers: as in the start file"}};
}

fit::Fit simulated(const LatencyMatrix& matrix, const Machine& start, const Arguments& arguments) {
  Progress progress(verbosity(arguments.has("quiet")), "fit");
  const fit::FitOptions options = fit_options(arguments, progress);
  if (arguments.text("cells") == "none") {
    return {start, {}, fit::compare(matrix, start, options)};
  }
  fit::Fit fit = fit::fit_machine(matrix, start, options);
  describe_origin(fit.machine, matrix, arguments.text("matrix"));
  return fit;
}

}  // namespace

CommandLine fit_line() {
  return {
      "fit",
      "finds the latencies, sizes and prefetchers of a machine file that best explain a measured "
      "latency matrix: the time of a load, over the memory used and the distance between loads",
      {machine_option(),
       {"matrix", 0, "FILE", "Latency matrix: a text dump of MemLatX86, MemLatX64 or NewMemLat"},
       {"cells", 0, "KIND",
        "What to fit to. random: the cells of the matrix that were measured in random order; none: "
        "fit nothing, only compare the machine with the matrix",
        "random"},
       {"output",
        'o',
        "FILE",
        "Machine file to write; required with --cells random",
        "",
        Arity::once,
        {"out"}},
       {"plot", 0, "FILE",
        "Draw every table of the matrix in colours, simulated, measured and error, as an SVG "
        "picture (needs gnuplot)"},
       {"budget", 0, "COUNT",
        "How many machines each of the two searches may try (caches, then prefetchers), 1 to "
        "1000000: more take longer and fit better; auto: up to 200, as many as two processors "
        "simulate in about twenty seconds",
        kAuto},
       {"seed", 0, "COUNT",
        "Seed of the random orders of the pointer chases, and of the places of pages in memory",
        "1"},
       flag("json", 0,
            "Print one JSON document, with every cell, instead of text (presort help json-fields)"),
       flag("quiet", 'q', "Do not show progress on standard error")},
      {"presort fit --matrix matrix.txt -m start.yaml --cells random -o fitted.yaml",
       "presort fit --matrix matrix.txt -m fitted.yaml --cells none --plot fitted.svg"}};
}

int run_fit(const Arguments& arguments) {
  const std::string cells = arguments.text("cells");
  if (cells != "random" && cells != "none") {
    throw InputError(fmt::format("--cells: found '{}', accepted: random, none", cells));
  }
  const std::optional<std::string> out = arguments.optional("output");
  const std::optional<std::string> plot = arguments.optional("plot");
  if (cells == "random" && !out) {
    throw InputError(
        "--output FILE is missing: the machine file to write; only --cells none needs none");
  }
  for (const auto& path : {out, plot}) {
    if (path) {
      require_writable(*path);
    }
  }
  const std::string path = arguments.text("matrix");
  const LatencyMatrix matrix = io::read_latency_matrix(path);
  const Machine start = load_machine(arguments.text("machine"));
  if (plot) {
    require_gnuplot("--plot");
  }
  const fit::Fit fit = simulated(matrix, start, arguments);
  if (out) {
    io::write_machine(*out, fit.machine);
  }
  if (arguments.has("json")) {
    print_json("fit/1", to_json(fit));
  } else {
    print_fit(fit, start.name, matrix.processor);
  }
  if (plot) {  // plots are drawn last: if drawing fails, all other output is written
    io::write_atomically(*plot, latency_heat_maps(fit.cells, start.name));
  }
  return kDone;
}

}  // namespace presort::app
