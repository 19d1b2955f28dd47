#include <fmt/format.h>

#include <filesystem>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/machines/fingerprint.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/measure/core_calibration.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/output.h"
#include "presort/core/error.h"
#include "presort/io/files/atomic_file.h"
#include "presort/io/machine/core_costs_file.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/yaml/yaml_tree.h"

namespace presort::inline v0::app {

namespace {

// Refuses the machine file of another machine: core costs of this machine would stand under the
// other's name, and nobody would see it.
void require_this_machine(const Machine& machine) {
  const io::Provenance provenance = io::current_provenance();
  const FingerprintDifference difference =
      compare_fingerprints(make_fingerprint(machine, provenance), host_fingerprint(provenance));
  if (!difference.hard.empty()) {
    throw InputError(fmt::format("{} is not the machine that this runs on: {}", machine.name,
                                 fmt::join(difference.hard, "; ")));
  }
}

// Writes the core costs first: a machine file must not name a costs file that does not exist.
void write_both(const std::string& machine_file, const std::string& costs_file,
                const std::string& machine_text, const CoreCalibration& calibration) {
  io::write_core_costs(costs_file, calibration);
  io::write_atomically(machine_file, machine_text);
}

}  // namespace

CommandLine calibrate_line() {
  return {"calibrate",
          "times short runs on this machine, and finds the core costs from them",
          {
              {"machine", 'm', "FILE",
               "Machine file of this machine (presort probe writes one). For NAME.yaml, the core "
               "costs are written to NAME.costs.yaml, and NAME.yaml is changed to name that file"},
              flag("dry-run", 0, "Print the core costs, but write nothing"),
              flag("json", 0, "Print one JSON document instead of text (presort help json-fields)"),
              flag("quiet", 'q', "Do not show progress on standard error"),
          },
          {"presort calibrate -m out/machine.yaml"}};
}

int run_calibrate(const Arguments& arguments) {
  const bool writes = !arguments.has("dry-run");
  const std::string path = machine_path(arguments.text("machine"));
  const std::string costs_path = io::core_costs_path(path);
  const std::string costs_name = std::filesystem::path(costs_path).filename().string();
  const Machine machine = load_machine(path);
  require_this_machine(machine);
  const std::string text = io::with_costs_file(io::read_text_file(path), path, costs_name);
  if (writes) {
    require_writable(path);
    require_writable(costs_path);
  }
  const CoreCalibration calibration = calibrate_core(machine, verbosity(arguments.has("quiet")));
  if (writes) {
    write_both(path, costs_path, text, calibration);
  }
  if (arguments.has("json")) {
    print_json("calibrate/1", calibration_json(calibration));
  } else {
    print_text(calibration_text(calibration));
    if (writes) {
      print_out("\nwrote {}, which {} names\n", displayable_line(costs_path),
                displayable_line(path));
    }
  }
  return kDone;
}

}  // namespace presort::app
