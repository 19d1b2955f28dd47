#include "presort/app/cli/subcommands.h"

#include <fmt/format.h>

#include "presort/app/cli/subcommand.h"
#include "presort/core/error.h"
#include "presort/core/text/names.h"
#include "presort/io/reference/references.h"

namespace presort::inline v0::app {

const std::vector<Subcommand>& subcommands() {
  static const std::vector<Subcommand> table = {
      {"probe", "measures this machine and writes machine.yaml", probe_line, run_probe},
      {"calibrate", "fits the core costs of a machine file to this machine", calibrate_line,
       run_calibrate},
      {"selfcheck", "does the simulator give back what the machine file says", selfcheck_line,
       run_selfcheck},
      {"simulate", "predicts one problem on a machine", simulate_line, run_simulate},
      {"tune", "chooses plans and writes a tuned file", tune_line, run_tune},
      {"run", "runs a real kernel and times it", run_line, run_run},
      {"validate", "runs, compares with predictions, reports", validate_line, run_validate},
      {"compare", "what if: several machines, or one machine changed", compare_line, run_compare},
      {"fit", "fits a machine to a measured latency matrix", fit_line, run_fit},
      {"machines", "lists the bundled machines with their hierarchies", machines_line,
       run_machines},
  };
  return table;
}

namespace {

const Subcommand* find_row(const std::string& name) {
  for (const Subcommand& subcommand : subcommands()) {
    if (subcommand.name == name) {
      return &subcommand;
    }
  }
  return nullptr;
}

std::vector<std::string> subcommand_names() {
  std::vector<std::string> names;
  for (const Subcommand& subcommand : subcommands()) {
    names.push_back(subcommand.name);
  }
  return names;
}

}  // namespace

const Subcommand& find_subcommand(const std::string& name) {
  if (const Subcommand* subcommand = find_row(name)) {
    return *subcommand;
  }
  throw InputError(unknown_name_message("subcommand", name, subcommand_names()));
}

std::string help_on(const std::string& topic) {
  if (const Subcommand* subcommand = find_row(topic)) {
    return help_text(subcommand->line());
  }
  std::vector<std::string> accepted = subcommand_names();
  for (const io::Reference& reference : io::references()) {
    if (reference.name == topic) {
      return reference.text();
    }
    accepted.push_back(reference.name);
  }
  throw InputError(unknown_name_message("help", topic, accepted));
}

std::string overview() {
  std::string text =
      "presort: does radix pre-sorting pay on this machine, and with which parameters?\n\n"
      "Usage: presort SUBCOMMAND [options]\n\n";
  for (const Subcommand& subcommand : subcommands()) {
    text += fmt::format("  {:<10} {}\n", subcommand.name, subcommand.description);
  }
  text += "\npresort help SUBCOMMAND (or presort SUBCOMMAND -h) lists the options of one.\n";
  for (const io::Reference& reference : io::references()) {
    text += fmt::format("presort help {}: {}.\n", reference.name, reference.purpose);
  }
  return text +
         "presort version (or --version, -V) prints the version.\n\n"
         "Exit status: 0 done, 1 a check failed, 2 bad usage or file, 3 the environment lacks\n"
         "something or standard output cannot be written, 4 with --strict: the machine was too "
         "busy for the figures to be believed,\n"
         "130 interrupted.\n\n"
         "Example:\n  presort simulate -m cascade-lake-vm -n 2^26 -b 2^24 --plan sortBits=9\n";
}

}  // namespace presort::app
