#include "presort/app/cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>

#include "presort/app/cli/help_words.h"
#include "presort/core/error.h"
#include "presort/core/text/names.h"

namespace presort::inline v0::app {

namespace po = boost::program_options;

Option flag(std::string name, char letter, std::string help) {
  return {std::move(name), letter, "", std::move(help), "", Arity::flag};
}

std::string shown_name(const Option& option) {
  return option.name.size() == 1 ? "-" + option.name : "--" + option.name;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  size_t start = 0;
  while (true) {
    const size_t end = text.find(separator, start);
    parts.emplace_back(text.substr(start, end - start));
    if (end == std::string_view::npos) {
      return parts;
    }
    start = end + 1;
  }
}

namespace {

const Option kHelp = flag("help", 'h', "Show this text");

po::options_description boost_options(const CommandLine& line) {
  po::options_description description;
  const auto add_valued = [&](const std::string& spec) {
    description.add_options()(spec.c_str(), po::value<std::vector<std::string>>());
  };
  const auto add = [&](const Option& option) {
    // Boost writes an option with only a short name as a long name of one letter, beside the same
    // short name.
    const bool has_letter = option.letter != 0;
    const std::string spec =
        has_letter ? fmt::format("{},{}", option.name, option.letter) : option.name;
    if (option.arity == Arity::flag) {
      description.add_options()(spec.c_str(), option.help.c_str());
    } else {
      add_valued(spec);
    }
    for (const std::string& former : option.former_names) {
      add_valued(former);
    }
  };
  add(kHelp);
  for (const Option& option : line.options) {
    add(option);
  }
  return description;
}

[[noreturn]] void refuse_unknown(const CommandLine& line, const std::string& found) {
  std::vector<std::string> accepted;
  for (const Option& option : line.options) {
    accepted.push_back(shown_name(option));
  }
  const std::string near = nearest_spelling(found, accepted);
  throw InputError(fmt::format("unknown option '{}'{}; see presort {} -h", found,
                               near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                               line.name));
}

bool is_called(const Option& option, const std::string& name) {
  return option.name == name || std::string(1, option.letter) == name ||
         std::find(option.former_names.begin(), option.former_names.end(), name) !=
             option.former_names.end();
}

// The option with a given name in the command line's table; null when there is none.
const Option* find_option(const CommandLine& line, const std::string& name) {
  const auto found =
      std::find_if(line.options.begin(), line.options.end(),
                   [&name](const Option& option) { return is_called(option, name); });
  return found == line.options.end() ? nullptr : &*found;
}

// Refuses a value for a flag, or an option without its value.
[[noreturn]] void refuse_syntax(const CommandLine& line,
                                const po::invalid_command_line_syntax& error) {
  const std::string found = error.get_option_name();
  const size_t dashes = std::min(found.find_first_not_of('-'), found.size());
  const Option* const option = find_option(line, found.substr(dashes));
  if (option == nullptr) {
    throw InputError(fmt::format("{}; see presort {} -h", error.what(), line.name));
  }
  throw InputError(
      option->arity == Arity::flag
          ? fmt::format("{} takes no value; see presort {} -h", shown_name(*option), line.name)
          : fmt::format("{} {}: the value is missing; see presort {} -h", shown_name(*option),
                        option->placeholder, line.name));
}

po::parsed_options parse_words(const CommandLine& line, const std::vector<std::string>& words) {
  using Style = po::command_line_style::style_t;
  const int style = Style::unix_style & ~Style::allow_guessing;
  const po::options_description description = boost_options(line);
  try {
    return po::command_line_parser(words).options(description).style(style).run();
  } catch (const po::unknown_option& error) {
    refuse_unknown(line, error.get_option_name());
  } catch (const po::invalid_command_line_syntax& error) {
    refuse_syntax(line, error);
  } catch (const po::error& error) {
    throw InputError(fmt::format("{}; see presort {} -h", error.what(), line.name));
  }
}

}  // namespace

const Option& Arguments::option(const std::string& name) const {
  if (!line_.operand.name.empty() && line_.operand.name == name) {
    return line_.operand;
  }
  if (const Option* const option = find_option(line_, name)) {
    return *option;
  }
  throw Error(line_.name + " has no option of the name " + name + " in its table");
}

std::string Arguments::shown(const std::string& name) const {
  return shown_name(option(name));
}

Arguments Arguments::parse(const CommandLine& line, const std::vector<std::string>& words) {
  Arguments arguments;
  arguments.line_ = line;
  if (std::find(words.begin(), words.end(), "-h") != words.end() ||
      std::find(words.begin(), words.end(), "--help") != words.end()) {
    arguments.given_["help"];
    return arguments;
  }
  for (const po::option& found : parse_words(line, words).options) {
    if (found.position_key >= 0) {
      const std::string word = found.value.empty() ? "" : found.value.front();
      if (!line.operand.name.empty()) {
        std::vector<std::string>& operands = arguments.given_[line.operand.name];
        operands.push_back(word);
        if (line.operand.arity == Arity::once && operands.size() > 1) {
          throw InputError(fmt::format("{} is given twice: '{}' and '{}'", line.operand.placeholder,
                                       operands[0], operands[1]));
        }
        continue;
      }
      throw InputError(
          fmt::format("'{}' belongs to no option; see presort {} -h", word, line.name));
    }
    const Option& option = arguments.option(found.string_key);
    std::vector<std::string>& values = arguments.given_[option.name];
    values.insert(values.end(), found.value.begin(), found.value.end());
    if (option.arity == Arity::once && values.size() > 1) {
      throw InputError(fmt::format("{} is given twice: '{}' and '{}'", shown_name(option),
                                   values[0], values[1]));
    }
  }
  return arguments;
}

std::optional<std::string> Arguments::optional(const std::string& name) const {
  const auto found = given_.find(name);
  if (found != given_.end() && !found->second.empty()) {
    return found->second.front();
  }
  const Option& row = option(name);
  return row.fallback.empty() ? std::nullopt : std::optional<std::string>(row.fallback);
}

std::string Arguments::text(const std::string& name) const {
  const std::optional<std::string> value = optional(name);
  if (!value) {
    const Option& row = option(name);
    throw InputError(fmt::format("{} {} is missing: {}; see presort {} -h", shown_name(row),
                                 row.placeholder, row.help, line_.name));
  }
  return *value;
}

std::vector<std::string> Arguments::all(const std::string& name) const {
  const auto found = given_.find(name);
  return found == given_.end() ? std::vector<std::string>() : found->second;
}

std::vector<std::string> Arguments::list(const std::string& name) const {
  std::vector<std::string> items;
  const std::vector<std::string> values = has(name) ? all(name) : std::vector{text(name)};
  for (const std::string& value : values) {
    for (const std::string& item : split(value, ',')) {
      items.push_back(item);
    }
  }
  return items;
}

namespace {

// Column of a help text in which the descriptions of options begin
constexpr size_t kHelpColumn = 31;
// Columns of a line of help text: most of them, and those that it has on the narrowest terminal
constexpr size_t kHelpWidth = 97;
constexpr size_t kLeastHelpWidth = 60;

// Columns that a text takes on a terminal. A byte that continues a UTF-8 character takes none.
size_t columns(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// Breaks a text that begins in column `indent` at spaces into lines of at most `most`
// columns; later lines are indented by `indent` columns.
std::string wrapped(const std::string& text, size_t indent, size_t most) {
  std::string result;
  size_t used = 0;  // columns that the words of the current output line take so far
  for (const std::string& word : split(text, ' ')) {
    const size_t width = columns(word);
    if (used > 0 && indent + used + 1 + width > most) {
      result += "\n" + std::string(indent, ' ');
      used = 0;
    } else if (used > 0) {
      result += ' ';
      ++used;
    }
    result += word;
    used += width;
  }
  return result;
}

std::string words_section(const std::string& title, const std::vector<HelpWord>& words,
                          size_t most) {
  constexpr size_t kMeaningColumn = 16;
  std::string text = words.empty() ? "" : fmt::format("\n{}:\n", title);
  for (const HelpWord& row : words) {
    text += fmt::format("  {:<13} {}\n", row.word,
                        wrapped(std::string(row.meaning), kMeaningColumn, most));
  }
  return text;
}

// The operands in a usage line: " PATH..."; "" where the command takes none.
std::string operand_of(const CommandLine& line) {
  return line.operand.name.empty() ? ""
                                   : " " + line.operand.placeholder +
                                         (line.operand.arity == Arity::repeated ? "..." : "");
}

}  // namespace

std::string help_text(const CommandLine& line, int columns) {
  const size_t most = columns == 0
                          ? kHelpWidth
                          : std::clamp(static_cast<size_t>(columns), kLeastHelpWidth, kHelpWidth);
  const std::string title = fmt::format("presort {}: ", line.name);
  std::string text =
      fmt::format("{}{}\n\nUsage: presort {} [options]{}\n\n", title,
                  wrapped(line.purpose, title.size(), most), line.name, operand_of(line));
  const auto row = [&](const Option& option) {
    std::string left = option.letter != 0 ? fmt::format("-{}", option.letter) : "  ";
    if (option.name.size() > 1) {
      left += (option.letter != 0 ? ", " : "  ") + shown_name(option);
    }
    if (option.arity != Arity::flag) {
      left += " " + option.placeholder;
    }
    const std::string help = option.help +
                             (option.arity == Arity::repeated ? " (may repeat)" : "") +
                             (option.fallback.empty() ? "" : fmt::format(" [{}]", option.fallback));
    text += fmt::format("  {:<28} {}\n", left, wrapped(help, kHelpColumn, most));
  };
  if (!line.operand.name.empty()) {
    text += fmt::format("  {:<28} {}\n\n", line.operand.placeholder,
                        wrapped(line.operand.help, kHelpColumn, most));
  }
  for (const Option& option : line.options) {
    row(option);
  }
  row(kHelp);
  text += words_section("Values", words_in(text, value_kinds()), most) +
          words_section("Words", terms_in(text), most) + "\nExamples:\n";
  for (const std::string& example : line.examples) {
    text += "  " + example + "\n";
  }
  return text;
}

}  // namespace presort::app
