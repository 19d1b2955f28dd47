// Prints the tables of docs/results/ablation.md: recordings of real runs are predicted with and
// without each mechanism of the timing model, so that its gain shows.
// usage: ablation [--model] [--only MECHANISM]... [--against FILE] [-q] FOLDER [RECORDING[/K]...]
// FOLDER holds RECORDING.jsonl.gz (docs/results/sweeps). Without a name, all recordings are taken
//             that these predictions exist for (presort/app/validate/ablation/recordings.h).
// /K          every K-th problem of the recording, or every K-th loop, alone
// --only      switches off this mechanism, by its name in the table; otherwise each in turn
// --model     predicts by the closed form: ten seconds a recording; otherwise by simulation: hours
//             of processor time
// --against   prints no tables, but the figures that differ from those in FILE; exits with 1 if
//             there are any
// Interrupted (SIGINT), it prints the tables of the finished mechanisms. They come one after the
//             other, each over all recordings.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "presort/app/cli/interrupt.h"
#include "presort/app/validate/ablation/ablation.h"
#include "presort/app/validate/ablation/ablation_tables.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"

namespace {

using namespace presort;

constexpr char kUsage[] =
    "usage: ablation [--model] [--only MECHANISM]... [--against FILE] [-q] FOLDER "
    "[RECORDING[/K]...]";

struct Asked {
  app::Recording recording;
  size_t every = 1;
};

struct Options {
  predict::Method method = predict::Method::simulation;
  std::string against;
  std::vector<std::string> only;  // names of the mechanisms to switch off; empty: all mechanisms
  app::Verbosity verbosity = app::verbosity(false);
  std::string folder;
  std::vector<Asked> asked;
};

// A recording on the command line: "NAME", or "NAME/7" for every seventh problem.
Asked read_recording(const std::string& text) {
  const size_t slash = text.find('/');
  Asked asked{app::find_recording(text.substr(0, slash))};
  if (slash != std::string::npos) {
    asked.every = parse_count(text, text.substr(slash + 1));
  }
  if (asked.every < 1) {
    throw InputError(text + ": found 0, accepted: every problem (1), every second (2), …");
  }
  return asked;
}

// Reads the name of a mechanism. Errors: InputError, which lists the names of all mechanisms
std::string read_mechanism(const std::string& name) {
  std::vector<std::string_view> names;
  for (const app::Mechanism& mechanism : app::mechanisms()) {
    names.push_back(mechanism.name);
  }
  if (std::ranges::find(names, name) == names.end()) {
    throw InputError(
        fmt::format("--only: found '{}', accepted: '{}'", name, fmt::join(names, "', '")));
  }
  return name;
}

std::vector<Asked> all_recordings(predict::Method method) {
  std::vector<Asked> all;
  for (const app::Recording& recording : app::recordings()) {
    if (method != predict::Method::closedForm || recording.closed_form) {
      all.push_back({recording});
    }
  }
  return all;
}

// Reads a recording of real runs from its file. Errors: InputError
Options read_options(const std::vector<std::string>& arguments) {
  Options options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--model") {
      options.method = predict::Method::closedForm;
    } else if (argument == "-q") {
      options.verbosity = app::verbosity(true);
    } else if (argument == "--only" && i + 1 < arguments.size()) {
      options.only.push_back(read_mechanism(arguments[++i]));
    } else if (argument == "--against" && i + 1 < arguments.size()) {
      options.against = arguments[++i];
    } else if (argument.starts_with('-')) {
      throw InputError(argument + ": is no option, or lacks its value; " + kUsage);
    } else if (options.folder.empty()) {
      options.folder = argument;
    } else {
      options.asked.push_back(read_recording(argument));
    }
  }
  if (options.folder.empty()) {
    throw InputError(kUsage);
  }
  if (options.asked.empty()) {
    options.asked = all_recordings(options.method);
  }
  for (const Asked& asked : options.asked) {
    if (options.method == predict::Method::closedForm && !asked.recording.closed_form) {
      throw InputError(asked.recording.name + ": most of it has no closed form: without --model");
    }
  }
  return options;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) {
    throw InputError(path + ": cannot be read");
  }
  return text.str();
}

// True if the figures equal those of the kept tables at `path`; figures that moved go to stderr.
bool compare(const std::vector<app::Ablation>& ablations, const std::string& path) {
  const std::vector<std::string> moved =
      app::differences(app::figure_tables(ablations), app::parse_figure_tables(read_text(path)));
  for (const std::string& line : moved) {
    fmt::print(stderr, "{}\n", line);
  }
  if (!moved.empty()) {
    fmt::print(stderr,
               "ablation: {} figures moved against {}. If they were meant to, make it anew by the "
               "command in its third line.\n",
               moved.size(), path);
  }
  return moved.empty();
}

int run(const std::vector<std::string>& arguments) {
  const Options options = read_options(arguments);
  const app::Wanted wanted = [&options](const app::Mechanism& mechanism) {
    return options.only.empty() ||
           std::ranges::find(options.only, mechanism.name) != options.only.end();
  };
  std::vector<app::Subject> subjects;
  for (const Asked& asked : options.asked) {
    subjects.push_back(
        app::make_subject(asked.recording, options.folder, options.method, asked.every));
  }
  app::exit_on_interrupt();
  app::defer_interrupt();
  const std::vector<app::Ablation> ablations = app::ablate(subjects, wanted, options.verbosity);
  if (ablations.empty()) {
    throw InputError("interrupted before any recording was predicted");
  }
  if (!options.against.empty()) {
    return compare(ablations, options.against) ? 0 : 1;
  }
  const bool modelled = options.method == predict::Method::closedForm;
  fmt::print("# Without each mechanism, {}\n\n`build/ablation {}`\n\n{}",
             modelled ? "in closed form" : "simulated", fmt::join(arguments, " "),
             app::ablation_markdown(ablations));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "ablation: {}\n", error.what());
    return 2;
  }
}
