#include "presort/app/cli/help_words.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "presort/app/cli/subcommands.h"

namespace help_words_test {

using namespace presort;
using namespace presort::app;

namespace {

constexpr HelpWord kTable[] = {{"plan", "how"}, {"plain loop", "one loop"}, {"COUNT", "a number"}};

std::vector<std::string> found_in(const std::string& text) {
  std::vector<std::string> words;
  for (const HelpWord& row : words_in(text, kTable)) {
    words.emplace_back(row.word);
  }
  return words;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("a word is found alone and as a plural, in the order of the table") {
  CHECK(found_in("COUNT plans") == Words{"plan", "COUNT"});
  CHECK(found_in("the plan") == Words{"plan"});
  CHECK(found_in("plan, (plain loop)") == Words{"plan", "plain loop"});
}

TEST_CASE("the first letter of a word may be a capital") {
  CHECK(found_in("Plans") == Words{"plan"});
}

TEST_CASE("a word is not found within a longer one, nor in other letters") {
  CHECK(found_in("explanation planet plan-keys replan plans2") == Words{});
  CHECK(found_in("PLAN count COUNTS_") == Words{});
}

TEST_CASE("no word is in no text") {
  CHECK(found_in("") == Words{});
  CHECK(words_in("plan", {}).empty());
}

TEST_CASE("a later place counts where the first is part of a longer word") {
  CHECK(found_in("explanation of a plan") == Words{"plan"});
}

TEST_CASE("terms that a meaning needs are found too, and all end") {
  const auto has = [](const std::string& text, std::string_view word) {
    const std::vector<HelpWord> terms = terms_in(text);
    return std::any_of(terms.begin(), terms.end(),
                       [word](const HelpWord& row) { return row.word == word; });
  };
  CHECK(has("crossover", "pre-sort"));
  CHECK(has("crossover", "label"));
  CHECK_FALSE(has("regret", "trace"));
  CHECK(terms_in("").empty());
}

TEST_CASE("each placeholder says by itself what it takes, or is explained") {
  std::set<std::string> known = {"FILE", "DIR", "NAME", "KIND", "KEY=VALUE", "KEY=VALUE,…", "L+V"};
  for (const HelpWord& row : value_kinds()) {
    known.emplace(row.word);
  }
  for (const Subcommand& subcommand : subcommands()) {
    for (const Option& option : subcommand.line().options) {
      CHECK_MESSAGE((option.arity == Arity::flag || known.contains(option.placeholder)),
                    subcommand.name, " --", option.name, " ", option.placeholder);
    }
  }
}

TEST_CASE("help explains the words that it uses, and no others") {
  const std::string tune = help_on("tune");
  CHECK(tune.find("\nWords:\n") != std::string::npos);
  CHECK(tune.find("\n  bucket ") != std::string::npos);
  CHECK(tune.find("\n  COUNT ") != std::string::npos);
  CHECK(tune.find("\n  operation ") != std::string::npos);
  CHECK(help_on("machines").find("\n  bucket ") == std::string::npos);
}

}  // namespace help_words_test
