#include "presort/app/cli/subcommands.h"

#include <fmt/format.h>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/printing/output.h"
#include "presort/app/reference/help_topics.h"
#include "presort/core/error.h"
#include "presort/core/text/names.h"

namespace presort::inline v0::app {

const std::vector<Subcommand>& subcommands() {
  static const std::vector<Subcommand> table = {
      {"probe", "measure this machine; writes a machine file", probe_line, run_probe},
      {"tune", "choose the best plan of each problem; writes a tuned file", tune_line, run_tune},
      {"run", "run a kernel with a plan on this machine, and time it", run_line, run_run},
      {"simulate", "predict how long a problem or a trace takes on a machine", simulate_line,
       run_simulate},
      {"validate", "compare predictions with runs; writes a report", validate_line, run_validate},
      {"report", "one page (HTML) of the results of one or several machines", report_line,
       run_report},
      {"compare", "what if? The same problems on several machines, or on one changed", compare_line,
       run_compare},
      {"campaign", "run a large set of points, on all cores or on many machines", campaign_line,
       run_campaign},
      {"machines", "list the bundled machines, with their caches", machines_line, run_machines},
      {"doctor", "what is here, what limits predictions and times, and what to do about it",
       doctor_line, run_doctor},
      {"selfcheck", "does the simulator reproduce the values of a machine file?", selfcheck_line,
       run_selfcheck},
      {"calibrate", "fit what a micro-operation costs the core of this machine", calibrate_line,
       run_calibrate},
      {"fit", "fit a machine file to a measured latency matrix", fit_line, run_fit},
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
    return help_text(subcommand->line(), output_columns());
  }
  std::vector<std::string> accepted = subcommand_names();
  for (const io::Reference& reference : help_topics()) {
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
  for (const io::Reference& topic : help_topics()) {
    text += fmt::format("presort help {:<13} {}\n", topic.name, topic.purpose);
  }
  text +=
      "presort version (or --version, -V) prints the version, and how it was built.\n"
      "presort completion SHELL prints a completion script for bash, zsh or fish.\n"
      "presort help --man [SUBCOMMAND] prints a manual page, as roff.\n"
      "On a terminal text has its width, and colours unless NO_COLOR is set.\n\nExit status:\n";
  for (const ExitMeaning& row : kExitMeanings) {
    text +=
        fmt::format("  {:>3}  {}\n       {}\n", static_cast<int>(row.code), row.meaning, row.when);
  }
  return text +
         "\nExample: how long do 2^26 inputs into 2^24 buckets take, pre-sorted by 9 bits?\n"
         "  presort simulate -m cascade-lake-vm -n 2^26 -b 2^24 --plan sortBits=9\n";
}

}  // namespace presort::app
