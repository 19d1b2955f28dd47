// Candidates for the next word of a command line, for the completion scripts of shells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "presort/app/cli/options.h"

namespace presort::inline v0::app {

struct Candidate {
  // The whole word to insert; ends with '=', ':' or '.' if more text follows
  std::string word;
  std::string description;  // description of the word in one line; may be empty
  auto operator<=>(const Candidate&) const = default;
};

// Paths that the shell offers besides the candidates.
enum class Paths { none, files, folders };

struct Completion {
  // In the order of their tables; the words of all candidates begin with the last word typed
  std::vector<Candidate> candidates;
  Paths paths = Paths::none;
  std::string path_prefix = "";  // part of the typed word in front of a path, such as "file:"
};

// Completes the last of the words after `presort`, which may be empty. A value may be attached to
// its option, "--op=gat"; lists and plans are completed after their last comma.
// Errors: none, whatever the words are; without the command's data no machine is offered
Completion complete(const std::vector<std::string>& words);

// True if completion can offer values of an option: names, a number, or a path. A test checks all
// options.
bool knows_values_of(const Option& option);

// The candidates as text, one a line: "WORD DESCRIPTION". Where paths are to be offered, the last
// line is ":files PREFIX" or ":folders PREFIX". No candidate begins with a colon.
std::string completion_lines(const Completion& completion);

}  // namespace presort::app
