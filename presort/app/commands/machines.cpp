#include <fmt/format.h>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/machines/hierarchy_drawing.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/output.h"
#include "presort/io/json/machine_json.h"
#include "presort/io/machine/machine_file.h"

namespace presort::inline v0::app {

CommandLine machines_line() {
  return {
      "machines",
      "lists the bundled machines or shows one, each with a drawing of its caches",
      {machine_option(),
       flag("json", 0, "Print one JSON document with all values of the machines, instead of text")},
      {"presort machines", "presort machines -m out/machine.yaml"}};
}

int run_machines(const Arguments& arguments) {
  std::vector<Machine> machines;
  if (const auto one = arguments.optional("machine")) {
    machines.push_back(load_machine(*one));
  } else {
    for (const BundledMachine& bundled : bundled_machines()) {
      machines.push_back(io::read_machine(bundled.path));
    }
  }
  if (arguments.has("json")) {
    io::Json list = io::Json::array();
    for (const Machine& machine : machines) {
      list.push_back(io::machine_to_json(machine));
    }
    print_json("machines/1", {{"machines", list}});
    return kDone;
  }
  for (const Machine& machine : machines) {
    print_out("{}\n{}\n", displayable_line(machine.name), draw_machine(machine));
  }
  return kDone;
}

}  // namespace presort::app
