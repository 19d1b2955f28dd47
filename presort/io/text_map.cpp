#include "presort/io/text_map.h"

#include <unordered_set>

#include "presort/core/text/display_text.h"

namespace presort::inline v0::io {
namespace {

using Keys = std::unordered_set<std::string>;

void append_pairs(const ValueReader& value, const std::string& prefix, std::string_view except,
                  TextPairs& pairs, Keys& known) {
  MapReader map = value.map();
  for (const auto& [key, entry] : map.entries()) {
    if (!except.empty() && key == except) {
      continue;
    }
    const std::string dotted = prefix + key;
    if (dotted.size() > kLongestText) {
      entry.fail_with(value.path() + ": found a key of " + std::to_string(dotted.size()) +
                      " bytes with those around it, accepted: " + displayable_accepted());
    }
    if (entry.is_map()) {
      append_pairs(entry, dotted + ".", {}, pairs, known);
      continue;
    }
    if (!known.insert(dotted).second) {
      entry.fail("each key once; '" + dotted + "' stands above");
    }
    pairs.emplace_back(dotted, entry.text());
  }
}

}  // namespace

TextPairs read_text_pairs(const ValueReader& value, std::string_view except) {
  TextPairs pairs;
  Keys known;
  append_pairs(value, "", except, pairs, known);
  return pairs;
}

}  // namespace presort::io
