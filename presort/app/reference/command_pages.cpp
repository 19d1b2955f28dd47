#include "presort/app/reference/command_pages.h"

#include <fmt/format.h>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/help_words.h"
#include "presort/app/cli/subcommands.h"

namespace presort::inline v0::app {

namespace {

std::string option_cell(const Option& option) {
  std::string text = option.letter != 0 ? fmt::format("`-{}`", option.letter) : "";
  if (option.name.size() > 1) {
    text += (text.empty() ? "`" : ", `") + shown_name(option) + "`";
  }
  return option.arity == Arity::flag ? text : fmt::format("{} `{}`", text, option.placeholder);
}

std::string option_row(const Option& option) {
  return fmt::format("| {} | {} | {}{} |\n", option_cell(option),
                     option.fallback.empty() ? "" : "`" + option.fallback + "`", option.help,
                     option.arity == Arity::repeated ? " (may repeat)" : "");
}

std::string command_section(const CommandLine& line) {
  std::string text = fmt::format("\n## presort {}\n\n{}\n\n", line.name, line.purpose);
  if (!line.operand.name.empty()) {
    text += fmt::format("`{}`: {}\n\n", line.operand.placeholder, line.operand.help);
  }
  text += "| option | default | meaning |\n| --- | --- | --- |\n";
  for (const Option& option : line.options) {
    text += option_row(option);
  }
  text += "\n```\n";
  for (const std::string& example : line.examples) {
    text += example + "\n";
  }
  return text + "```\n";
}

std::string word_table(std::string_view title, std::span<const HelpWord> words) {
  std::string text = fmt::format("\n| {} | meaning |\n| --- | --- |\n", title);
  for (const HelpWord& row : words) {
    text += fmt::format("| {} | {} |\n", row.word, row.meaning);
  }
  return text;
}

}  // namespace

std::string commands_text() {
  std::string text =
      "# Commands\n\n"
      "This text is what `presort help commands` prints, made of the option tables. "
      "`presort help SUBCOMMAND` prints the options of one.\n\n"
      "Results go to standard output, progress and warnings to standard error. What a command "
      "returns: [exit codes](exit-codes.md). What `--json` prints: [JSON fields](json-fields.md). "
      "More words: [glossary](../glossary.md).\n";
  text += word_table("value", value_kinds()) + word_table("word", help_terms());
  for (const Subcommand& subcommand : subcommands()) {
    text += command_section(subcommand.line());
  }
  return text;
}

std::string exit_codes_text() {
  std::string text =
      "# Exit codes\n\n"
      "This text is what `presort help exit-codes` prints, made of the table in "
      "`presort/app/cli/exit_code.h`. Every subcommand uses the same codes.\n\n"
      "| exit status | meaning | when |\n| --- | --- | --- |\n";
  for (const ExitMeaning& row : kExitMeanings) {
    text += fmt::format("| {} | {} | {} |\n", static_cast<int>(row.code), row.meaning, row.when);
  }
  return text +
         "\n- Options and output paths are checked before the work begins, not after it.\n"
         "- Files named by `-o`, `--record` and `--plot` are written even when standard output "
         "cannot be. A line that cannot be written to standard error changes no status.\n"
         "- Interrupted, `probe`, `tune`, `validate`, `compare` and traces keep what was finished, "
         "and say that it is not all: `complete: false` in files, JSON and lines. Where a complete "
         "file or folder stands already, the part gets a name with *partial* in it. A second "
         "signal ends the command at once.\n";
}

}  // namespace presort::app
