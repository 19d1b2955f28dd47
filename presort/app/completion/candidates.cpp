#include "presort/app/completion/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "presort/app/cli/subcommands.h"
#include "presort/app/completion/scripts.h"
#include "presort/app/completion/value_words.h"
#include "presort/app/reference/help_topics.h"

namespace presort::inline v0::app {
namespace {

// The first sentence of an option's text, for menus of a shell.
std::string first_sentence(const std::string& text) {
  return text.substr(0, std::min(text.find(". "), text.find(" (")));
}

void add_subcommands(Completion& result) {
  for (const Subcommand& subcommand : subcommands()) {
    result.candidates.push_back({subcommand.name, subcommand.description});
  }
}

void add_topics(Completion& result) {
  for (const io::Reference& topic : help_topics()) {
    result.candidates.push_back({topic.name, topic.purpose});
  }
}

// Candidates for the first word of a command line: subcommands and general options.
Completion first_word() {
  Completion result;
  add_subcommands(result);
  result.candidates.push_back({"help", "print the options of a subcommand, or a page"});
  result.candidates.push_back({"version", "print the version, and how it was built"});
  result.candidates.push_back({"completion", "print a completion script for a shell"});
  return result;
}

Completion option_words(const CommandLine& line) {
  Completion result;
  for (const Option& option : line.options) {
    result.candidates.push_back({shown_name(option), first_sentence(option.help)});
  }
  result.candidates.push_back({"--help", "Show the options of this subcommand"});
  return result;
}

// The option named by a word such as "-m" or "--machine"; null when there is none.
const Option* named_option(const CommandLine& line, std::string_view word) {
  for (const Option& option : line.options) {
    const bool by_letter = option.letter != 0 && word == std::string("-") + option.letter;
    if (by_letter || word == shown_name(option)) {
      return &option;
    }
  }
  return nullptr;
}

Completion words_of_subcommand(const CommandLine& line, std::span<const std::string> words) {
  const std::string& last = words.back();
  const size_t equals = last.find('=');
  if (last.starts_with("--") && equals != std::string::npos) {
    const Option* const option = named_option(line, last.substr(0, equals));
    if (option == nullptr || option->arity == Arity::flag) {
      return {};
    }
    Completion result = values_of(*option, last.substr(equals + 1), words);
    const std::string prefix = last.substr(0, equals + 1);
    for (Candidate& candidate : result.candidates) {
      candidate.word.insert(0, prefix);
    }
    result.path_prefix.insert(0, prefix);
    return result;
  }
  if (words.size() > 1) {
    const Option* const option = named_option(line, words[words.size() - 2]);
    if (option != nullptr && option->arity != Arity::flag) {
      return values_of(*option, last, words);
    }
  }
  Completion result = option_words(line);
  if (!line.operand.name.empty()) {
    result.paths = Paths::files;
  }
  return result;
}

Completion all_words(const std::vector<std::string>& words) {
  if (words.size() <= 1) {
    return first_word();
  }
  Completion result;
  if (words[0] == "help") {
    const bool man = words[1] == "--man";
    if (words.size() == (man ? 3 : 2)) {
      add_subcommands(result);
    }
    if (words.size() == 2) {
      add_topics(result);
    }
  } else if (words[0] == "completion" && words.size() == 2) {
    for (const std::string& shell : completion_shells()) {
      result.candidates.push_back({shell, ""});
    }
  } else {
    for (const Subcommand& subcommand : subcommands()) {
      if (subcommand.name == words[0]) {
        return words_of_subcommand(subcommand.line(), std::span(words).subspan(1));
      }
    }
  }
  return result;
}

}  // namespace

Completion complete(const std::vector<std::string>& words) {
  Completion result = all_words(words);
  const std::string last = words.empty() ? "" : words.back();
  std::erase_if(result.candidates,
                [&last](const Candidate& candidate) { return !candidate.word.starts_with(last); });
  return result;
}

std::string completion_lines(const Completion& completion) {
  std::string text;
  for (const Candidate& candidate : completion.candidates) {
    text +=
        candidate.word + (candidate.description.empty() ? "" : " " + candidate.description) + "\n";
  }
  if (completion.paths != Paths::none) {
    text += completion.paths == Paths::files ? ":files" : ":folders";
    text += (completion.path_prefix.empty() ? "" : " " + completion.path_prefix) + "\n";
  }
  return text;
}

}  // namespace presort::app
