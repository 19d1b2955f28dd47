#include "io/text_map.h"

#include <algorithm>

namespace presort::io {
namespace {

void append_pairs(const ValueReader& value, const std::string& prefix, TextPairs& pairs) {
  MapReader map = value.map();
  for (const auto& [key, entry] : map.entries()) {
    const std::string dotted = prefix + key;
    if (entry.is_map()) {
      append_pairs(entry, dotted + ".", pairs);
      continue;
    }
    const bool known = std::any_of(pairs.begin(), pairs.end(),
                                   [&](const auto& pair) { return pair.first == dotted; });
    if (known) {
      entry.fail("each key once; '" + dotted + "' stands above");
    }
    pairs.emplace_back(dotted, entry.text());
  }
}

}  // namespace

TextPairs read_text_pairs(const ValueReader& value) {
  TextPairs pairs;
  append_pairs(value, "", pairs);
  return pairs;
}

}  // namespace presort::io
