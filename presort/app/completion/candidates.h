// Candidates for the next word of a command line, for the completion scripts of shells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "presort/app/cli/options.h"

namespace presort::inline v0::app {

struct Candidate {
  std::string word;         // the whole word; ends with '=', ':' or '.' if more follows
  std::string description;  // description in one line; may be empty
  auto operator<=>(const Candidate&) const = default;
};

// Paths that the shell offers besides the candidates.
enum class Paths { none, files, folders };

struct Completion {
  std::vector<Candidate> candidates;  // in the order of their tables; all begin with the last word
  Paths paths = Paths::none;
  std::string path_prefix = "";  // part of the last word before the path: "file:"
};

// Completes the last of the words behind `presort`, which may be empty. A value may be attached to
// its option, "--op=gat"; lists and plans are completed behind their last comma.
//   Errors: none for any words; without the command's data no machine is offered
Completion complete(const std::vector<std::string>& words);

// True if completion knows the values of an option: names, a number, or a path. A test checks all
// options.
bool knows_values_of(const Option& option);

// One candidate a line, "WORD DESCRIPTION"; where paths are to be offered, a last line ":files
// PREFIX" or ":folders PREFIX". No candidate begins with a colon.
std::string completion_lines(const Completion& completion);

}  // namespace presort::app
