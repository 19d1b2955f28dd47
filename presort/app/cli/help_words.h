// What the placeholders and the terms of option texts mean, printed below the options of a subcommand
// and on the page of commands.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace presort::inline v0::app {

struct HelpWord {
  std::string_view word;     // a placeholder or term: "COUNT", "bucket"
  std::string_view meaning;  // meaning without a final stop, and without '|', to fit Markdown
};

// Kinds of values, such as COUNT and SIZE: how a value is written.
std::span<const HelpWord> value_kinds();

// Terms, such as label and bucket: what they mean.
std::span<const HelpWord> help_terms();

// The rows of a table whose words stand in a text, in the order of the table. A word stands there
// alone or as a plural, within no longer word; its first letter may be small or a capital.
std::vector<HelpWord> words_in(std::string_view text, std::span<const HelpWord> table);

// The terms that stand in a text, and those that stand in their meanings.
std::vector<HelpWord> terms_in(std::string_view text);

}  // namespace presort::app
