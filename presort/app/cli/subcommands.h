// The table of all subcommands, and what `presort help` says of it.
#pragma once

#include <string>
#include <vector>

#include "presort/app/cli/options.h"

namespace presort::inline v0::app {

struct Subcommand {
  std::string name;
  std::string description;
  CommandLine (*line)();
  int (*run)(const Arguments&);
};

const std::vector<Subcommand>& subcommands();

// Finds a subcommand by name.
// Errors: InputError with the nearest spelling
const Subcommand& find_subcommand(const std::string& name);

// The page of `presort help`: all subcommands, the exit codes, an example.
std::string overview();

// The help of a topic: the options of a subcommand, or a page of reference/help_topics.h.
// Errors: InputError with the nearest spelling
std::string help_on(const std::string& topic);

}  // namespace presort::app
