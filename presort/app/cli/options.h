// The options of a subcommand: one table, from which parsing, -h and error messages follow.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace presort::inline v0::app {

enum class Arity { flag, once, repeated };

struct Option {
  std::string name;  // long name of the option, without dashes
  char letter = 0;   // short name of the option; 0: none
  // Name of the option's value in the help; "" for a flag, which has no value
  std::string placeholder;
  std::string help;
  std::string fallback = "";  // default value that text() gives when the option is absent
  Arity arity = Arity::once;
  // Former names of the option: accepted still, but not shown
  std::vector<std::string> former_names = {};
};

// A row of the option table for a flag, which has no value.
Option flag(std::string name, char letter, std::string help);

struct CommandLine {
  std::string name;     // name of the subcommand
  std::string purpose;  // purpose of the subcommand, one line
  std::vector<Option> options;
  std::vector<std::string> examples;
  // The words that belong to no option, such as names of files: placeholder and help, and the name
  // under which Arguments has them; the arity says how many. No name: such words are refused
  Option operand = {};
};

// The options and arguments of one command line. Values are text: parse them with
// core/text/units.h, key "-n" or "--dist".
class Arguments {
 public:
  // Parses the words of a command line. With -h nothing but the help is looked at.
  // Errors: InputError for unknown options (with the nearest spelling), words that belong to no
  //         option where the table has no operand, missing values and values given twice
  static Arguments parse(const CommandLine& line, const std::vector<std::string>& words);

  bool has(const std::string& name) const { return given_.contains(name); }
  bool help() const { return has("help"); }

  // The name of an option in messages: "--buckets" or "-n".
  // Errors: Error when the table has no such option
  std::string shown(const std::string& name) const;

  // The value of an option, or its default.
  // Errors: InputError when there is neither.
  std::string text(const std::string& name) const;
  std::optional<std::string> optional(const std::string& name) const;
  // All values of a repeated option, in order; empty when it was not given.
  std::vector<std::string> all(const std::string& name) const;
  // The values of a repeated option, each split at commas; the default when the option was not
  // given.
  std::vector<std::string> list(const std::string& name) const;

 private:
  const Option& option(const std::string& name) const;

  CommandLine line_;
  std::map<std::string, std::vector<std::string>> given_;
};

// The name of an option in messages: "--buckets" or "-n".
std::string shown_name(const Option& option);
// The help of a subcommand, for a terminal of `columns` columns; 0: any width, of which 97 are used.
std::string help_text(const CommandLine& line, int columns = 0);

std::vector<std::string> split(std::string_view text, char separator);

}  // namespace presort::app
