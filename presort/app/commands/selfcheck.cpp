#include <fmt/format.h>

#include <algorithm>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/output.h"
#include "presort/app/printing/text.h"
#include "presort/core/text/units.h"
#include "presort/io/json/machine_json.h"
#include "presort/io/machine/provenance.h"
#include "presort/sim/selfcheck/selfcheck.h"

namespace presort::inline v0::app {

namespace {

std::string verdict(const sim::SelfCheckItem& item) {
  if (item.answers == 0) {
    return "NOT ISOLATED: no footprint is answered there";
  }
  return item.holds() ? "" : "FAILS";
}

void print_items(const Machine& machine, const std::vector<sim::SelfCheckItem>& items) {
  TextTable table({"item", "asked", "found", "unit", "error", "tolerance", "from", ""});
  for (const sim::SelfCheckItem& item : items) {
    table.add({item.name, fmt::format("{:.4g}", item.asked),
               item.answers == 0 ? "-" : fmt::format("{:.4g}", item.found), item.unit,
               item.answers == 0 ? "-" : signed_percent(item.error()),
               format_percent(item.tolerance), fmt::format("{} loads", item.answers),
               verdict(item)});
  }
  print_out("{}\n\n{}", displayable_line(machine.name), table.text());
}

io::Json items_to_json(const std::vector<sim::SelfCheckItem>& items) {
  io::Json list = io::Json::array();
  for (const sim::SelfCheckItem& item : items) {
    list.push_back({{"name", item.name},
                    {"unit", item.unit},
                    {"asked", item.asked},
                    {"found", item.found},
                    {"tolerance", item.tolerance},
                    {"loads", item.answers},
                    {"holds", item.holds()}});
  }
  return list;
}

}  // namespace

CommandLine selfcheck_line() {
  return {
      "selfcheck",
      "does the simulator reproduce the latencies and the bandwidth of a machine file? Simulates "
      "pointer chases and reads in a row, and compares. Exit status 1 when one differs",
      {machine_option(),
       {"seed", 0, "COUNT",
        "Seed of the random orders of the pointer chases, and of the places of pages in memory",
        "1"},
       flag("json", 0, "Print one JSON document instead of text (presort help json-fields)")},
      {"presort selfcheck -m out/machine.yaml", "presort selfcheck -m core2-t7300 --json"}};
}

int run_selfcheck(const Arguments& arguments) {
  const uint64_t seed = parse_count("--seed", arguments.text("seed"));
  const Machine machine = load_machine(arguments.text("machine"));
  const std::vector<sim::SelfCheckItem> items = sim::self_check(machine, seed);
  const auto failed =
      std::count_if(items.begin(), items.end(), [](const auto& item) { return !item.holds(); });
  if (arguments.has("json")) {
    print_json("selfcheck/1", {{"machine", machine.name},
                               {"holds", failed == 0},
                               {"items", items_to_json(items)},
                               {"machine_values", io::machine_to_json(machine)},
                               {"provenance", io::provenance_to_json(io::current_provenance())}});
  } else {
    print_items(machine, items);
    print_out("\n{} of {} items hold\n", items.size() - static_cast<size_t>(failed), items.size());
  }
  return failed == 0 ? kDone : kCheckFailed;
}

}  // namespace presort::app
