#include "presort/app/reference/man_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>
#include <vector>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/help_words.h"
#include "presort/app/cli/subcommands.h"
#include "presort/app/reference/help_topics.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::app {
namespace {

// Escapes a text for roff, which would otherwise interpret or typeset parts of it.
std::string roff(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (text.substr(i).starts_with("…")) {
      result += "...";
      i += std::strlen("…") - 1;
    } else if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '^') {
      result += "\\(ha";
    } else if (c == '~') {
      result += "\\(ti";
    } else if (c == '\'') {
      result += "\\(aq";
    } else if (c == '"') {
      result += "\\(dq";
    } else if (c == '.' && i == 0) {
      result += "\\&.";
    } else {
      result += c;
    }
  }
  return result;
}

constexpr size_t kSourceWidth = 76;  // columns of a line in the roff source, which roff fills anew

// Running text for roff, escaped and in short lines; each sentence begins a line.
std::string roff_text(const std::string& text) {
  std::string result;
  size_t used = 0;
  for (const std::string& word : split(text, ' ')) {
    const bool new_sentence = result.ends_with('.');
    if (used > 0 && (new_sentence || used + 1 + word.size() > kSourceWidth)) {
      result += '\n';
      used = 0;
    } else if (used > 0) {
      result += ' ';
    }
    const std::string escaped = roff(word);
    result += escaped;
    used += escaped.size() + 1;
  }
  return result;
}

// A text as a sentence: with a final stop, unless it has a mark at its end.
std::string sentence(const std::string& text) {
  const bool ends = text.ends_with('.') || text.ends_with('?');
  return roff_text(text) + (ends ? "" : ".");
}

std::string bold(std::string_view text) {
  return "\\fB" + roff(text) + "\\fR";
}

std::string italic(std::string_view text) {
  return "\\fI" + roff(text) + "\\fR";
}

// A roff paragraph with a tag that hangs to its left.
std::string tagged(const std::string& tag, const std::string& text) {
  return ".TP\n" + tag + "\n" + text + "\n";
}

// The date of the manual page, UTC: "2026-11-25"
std::string page_date() {
  const char* const seconds = std::getenv("SOURCE_DATE_EPOCH");
  std::time_t time = std::time(nullptr);
  if (seconds != nullptr) {
    std::from_chars(seconds, seconds + std::strlen(seconds), time);
  }
  std::tm utc{};
  if (gmtime_r(&time, &utc) == nullptr) {
    return "";
  }
  return fmt::format("{:04}-{:02}-{:02}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

std::string page_head(std::string name, std::string_view purpose) {
  const std::string shown = name;
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return fmt::format(
      ".TH {} 1 {} \"presort {}\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n{} \\- {}\n", roff(name),
      page_date(), io::current_provenance().tool_version, roff(shown), roff(purpose));
}

std::string option_tag(const Option& option) {
  std::string tag;
  if (option.letter != 0) {
    tag = bold(std::string("-") + option.letter);
  }
  if (option.name.size() > 1) {
    tag += (tag.empty() ? "" : ", ") + bold(shown_name(option));
  }
  return option.arity == Arity::flag ? tag : tag + " " + italic(option.placeholder);
}

std::string option_paragraph(const Option& option) {
  std::string text = sentence(option.help);
  if (option.arity == Arity::repeated) {
    text += "\nMay repeat.";
  }
  if (!option.fallback.empty()) {
    text += "\nDefault: " + bold(option.fallback) + ".";
  }
  return tagged(option_tag(option), text);
}

std::string word_section(std::string_view name, const std::vector<HelpWord>& words) {
  std::string text = words.empty() ? "" : fmt::format(".SH {}\n", name);
  for (const HelpWord& word : words) {
    text += tagged(italic(word.word), sentence(std::string(word.meaning)));
  }
  return text;
}

std::string exit_section() {
  std::string text = ".SH \"EXIT STATUS\"\n";
  for (const ExitMeaning& row : kExitMeanings) {
    text += tagged(bold(std::to_string(static_cast<int>(row.code))),
                   roff_text(fmt::format("{}: {}.", row.meaning, row.when)));
  }
  return text;
}

std::string example_section(const std::vector<std::string>& examples) {
  std::string text = ".SH EXAMPLES\n.nf\n";
  for (const std::string& example : examples) {
    text += roff(example) + "\n";
  }
  return text + ".fi\n";
}

// The manual pages to see also, without `page` itself: "presort\-probe(1), presort\-tune(1)".
std::string see_also(const std::string& page) {
  std::string text;
  const auto add = [&](const std::string& name) {
    if (name != page) {
      text += (text.empty() ? "" : ",\n") + bold(name) + "(1)";
    }
  };
  add("presort");
  for (const Subcommand& subcommand : subcommands()) {
    add("presort-" + subcommand.name);
  }
  return ".SH \"SEE ALSO\"\n" + text + "\n";
}

}  // namespace

std::string man_page() {
  std::string text = page_head("presort", "does radix pre-sorting pay on this machine?") +
                     ".SH SYNOPSIS\n" + bold("presort") + " " + italic("SUBCOMMAND") + " [" +
                     italic("options") + "]\n.SH DESCRIPTION\n";
  text += roff_text(
      "presort tells whether moving the inputs into parts by the top bits of their labels makes a "
      "multireduce (group-by), histogram, scatter, gather or scan faster on a machine, by how "
      "much, "
      "and with which parameters. It predicts by simulation, chooses a plan, runs it, and "
      "compares.");
  text += "\n";
  text += ".SH SUBCOMMANDS\n";
  for (const Subcommand& subcommand : subcommands()) {
    text += tagged(bold(subcommand.name), sentence(subcommand.description));
  }
  text += tagged(bold("help") + " [" + italic("TOPIC") + "]",
                 "Print the options of a subcommand, or a page:");
  text += ".RS\n";
  for (const io::Reference& topic : help_topics()) {
    text += tagged(bold(topic.name), sentence(topic.purpose));
  }
  text += ".RE\n";
  text += tagged(bold("help --man") + " [" + italic("SUBCOMMAND") + "]", "Print a manual page.");
  text += tagged(bold("version"), "Print the version, and how it was built.");
  text += tagged(bold("completion") + " " + italic("SHELL"),
                 "Print a completion script for bash, zsh or fish.");
  text += ".SH ENVIRONMENT\n" +
          tagged(bold("PRESORT_DATA"),
                 "Folder with the bundled machines and plan grids, instead of the installed one.");
  return text + exit_section() +
         example_section(
             {"presort probe -o machine.yaml",
              "presort tune -m machine.yaml -n 2^24 -b 2^24 --explain",
              "presort simulate -m cascade-lake-vm -n 2^26 -b 2^24 --plan sortBits=9"}) +
         see_also("presort");
}

std::string man_page_of(const std::string& subcommand) {
  const Subcommand& row = find_subcommand(subcommand);
  const CommandLine line = row.line();
  const std::string name = "presort-" + row.name;
  const bool takes_operands = !line.operand.name.empty();
  std::string text = page_head(name, row.description) + ".SH SYNOPSIS\n" +
                     bold("presort " + row.name) + " [" + italic("options") + "]" +
                     (takes_operands ? " " + italic(line.operand.placeholder) : "") +
                     "\n.SH DESCRIPTION\n" + bold("presort " + row.name) + "\n" +
                     sentence(line.purpose) + "\n.SH OPTIONS\n";
  if (takes_operands) {
    text += tagged(italic(line.operand.placeholder), sentence(line.operand.help));
  }
  for (const Option& option : line.options) {
    text += option_paragraph(option);
  }
  text += tagged(bold("-h") + ", " + bold("--help"), "Show the options.");
  const std::string help = help_text(line);
  return text + word_section("VALUES", words_in(help, value_kinds())) +
         word_section("WORDS", terms_in(help)) + exit_section() + example_section(line.examples) +
         see_also(name);
}

}  // namespace presort::app
