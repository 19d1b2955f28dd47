// Pieces of YAML text that the strict binder reads back to the same values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "presort/core/text/exact_text.h"

namespace presort::inline v0::io {

// The text as a YAML scalar, in double quotes where plain text would be read as something else.
std::string yaml_scalar(std::string_view text);

// A map on one line, "{key: value, …}", from keys and values that are YAML already.
class FlowMap {
 public:
  FlowMap& add(std::string_view key, std::string_view yaml);
  FlowMap& add_number(std::string_view key, uint64_t number);
  FlowMap& add_flag(std::string_view key, bool value);
  std::string str() const { return "{" + body_ + "}"; }

 private:
  std::string body_;
};

std::string flow_list(const std::vector<std::string>& items);

// A map in lines, "KEY:\n  a: b\n  …", with free keys and text values, or nothing for no pairs.
// Requires: distinct keys
std::string text_map_block(std::string_view key, std::string_view indent,
                           const std::vector<std::pair<std::string, std::string>>& pairs);

}  // namespace presort::io
