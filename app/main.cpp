// The `presort` command: finds the subcommand, parses its options, maps errors to exit codes.
#include <fmt/format.h>

#include <exception>
#include <new>
#include <string>
#include <vector>

#include "app/displayable.h"
#include "app/exit_code.h"
#include "app/interrupt.h"
#include "app/notes.h"
#include "app/output.h"
#include "app/standard_streams.h"
#include "app/subcommand.h"
#include "core/error.h"
#include "core/names.h"
#include "io/provenance.h"

namespace presort::app {
namespace {

struct Subcommand {
  std::string name;
  std::string description;
  CommandLine (*line)();
  int (*run)(const Arguments&);
};

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

std::string overview() {
  std::string text =
      "presort: does radix pre-sorting pay on this machine, and with which parameters?\n\n"
      "Usage: presort SUBCOMMAND [options]\n\n";
  for (const Subcommand& subcommand : subcommands()) {
    text += fmt::format("  {:<10} {}\n", subcommand.name, subcommand.description);
  }
  text +=
      "\npresort SUBCOMMAND -h lists the options of one. presort --version prints the version.\n"
      "Exit status: 0 done, 1 a check failed, 2 bad usage or file, 3 the environment lacks\n"
      "something or standard output cannot be written, 130 interrupted.\n\n"
      "Example:\n  presort simulate -m cascade-lake-vm -n 2^26 -b 2^24 --plan sortBits=9\n";
  return text;
}

const Subcommand& find_subcommand(const std::string& name) {
  std::vector<std::string> accepted;
  for (const Subcommand& subcommand : subcommands()) {
    if (subcommand.name == name) {
      return subcommand;
    }
    accepted.push_back(subcommand.name);
  }
  throw InputError(unknown_name_message("subcommand", name, accepted));
}

int dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    write_to_stderr(overview());
    return kBadInput;
  }
  if (words[0] == "-h" || words[0] == "--help" || words[0] == "help") {
    print_text(overview());
    return kDone;
  }
  if (words[0] == "--version") {
    print_out("presort {}\n", io::current_provenance().tool_version);
    return kDone;
  }
  const Subcommand& subcommand = find_subcommand(words[0]);
  const CommandLine line = subcommand.line();
  const Arguments arguments = Arguments::parse(line, {words.begin() + 1, words.end()});
  if (arguments.help()) {
    print_text(help_text(line));
    return kDone;
  }
  return subcommand.run(arguments);
}

// A value found in a file may be as long as the file.
constexpr size_t kLongestMessage = 4000;  // bytes

int report(const std::exception& error, int code) {
  flush_output();
  complain("{}", shortened(error.what(), kLongestMessage));
  return code;
}

int run_command(const std::vector<std::string>& words) {
  try {
    const int code = dispatch(words);
    require_output();
    return code;
  } catch (const InputError& error) {
    return report(error, kBadInput);
  } catch (const EnvironmentError& error) {
    return report(error, kBadEnvironment);
  } catch (const LabelError& error) {
    return report(error, kCheckFailed);
  } catch (const std::bad_alloc&) {
    return report(EnvironmentError("not enough memory"), kBadEnvironment);
  } catch (const std::exception& error) {
    return report(error, kCheckFailed);
  }
}

}  // namespace
}  // namespace presort::app

int main(int argc, char** argv) {
  presort::app::reserve_standard_streams();
  presort::app::exit_on_interrupt();
  return presort::app::run_command({argv + 1, argv + argc});
}
