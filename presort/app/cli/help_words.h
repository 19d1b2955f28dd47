// Explains the placeholders and terms of option texts, below the options of a subcommand and on the
// page of commands.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace presort::inline v0::app {

struct HelpWord {
  std::string_view word;     // a placeholder or term: "COUNT", "bucket"
  std::string_view meaning;  // meaning without a final stop, and without '|', to fit Markdown
};

// Placeholders such as COUNT and SIZE, with how their values are written.
std::span<const HelpWord> value_kinds();

// Terms such as label and bucket, with their meanings.
std::span<const HelpWord> help_terms();

// The rows of `table` whose words occur in a text, in the order of the table. A word occurs alone
// or as a plural, not as a part of a longer word; its first letter may be small or a capital.
std::vector<HelpWord> words_in(std::string_view text, std::span<const HelpWord> table);

// The terms that occur in a text, and the terms that occur in the meanings of these.
std::vector<HelpWord> terms_in(std::string_view text);

}  // namespace presort::app
