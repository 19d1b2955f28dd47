#include "presort/io/json/json_lines.h"

#include <algorithm>
#include <string_view>

#include "presort/core/error.h"
#include "presort/io/limits.h"

namespace presort::inline v0::io {

using OrderedJson = nlohmann::ordered_json;

namespace {

// Nesting depth of a JSON line's objects and arrays, found without building them: nlohmann would
// destroy and print deep ones by recursive functions.
size_t depth_of(std::string_view line) {
  size_t depth = 0;
  size_t deepest = 0;
  bool in_text = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_text) {
      i += c == '\\' ? 1 : 0;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

// Parses a line of JSON; `where` is "FILE:LINE".
void read_line(std::string_view line, const std::string& where, const std::string& what,
               const ReadJsonLine& read) {
  if (line.size() > limits::kLongestJsonLine) {
    throw InputError(where + ": found a line of " + std::to_string(line.size()) +
                     " bytes, accepted: at most " + std::to_string(limits::kLongestJsonLine));
  }
  const size_t depth = depth_of(line);
  if (depth > limits::kDeepestJson) {
    throw InputError(where + ": found objects and lists " + std::to_string(depth) +
                     " deep in one another, accepted: at most " +
                     std::to_string(limits::kDeepestJson));
  }
  try {
    read(OrderedJson::parse(line), where);
  } catch (const OrderedJson::parse_error& error) {
    throw InputError(where + ":" + std::to_string(error.byte) + ": found what is not JSON, " +
                     "accepted: a " + what);
  } catch (const OrderedJson::out_of_range& error) {
    throw InputError(where + ": found a number that no double can hold, accepted: a " + what);
  } catch (const OrderedJson::exception& error) {
    throw InputError(where + ": found no " + what + ": " + error.what());
  } catch (const InputError& error) {
    throw InputError(where + ": " + error.what());
  }
}

}  // namespace

void for_each_json_line(const std::string& text, const std::string& file, const std::string& what,
                        const ReadJsonLine& read) {
  bool any = false;
  size_t number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (!line.empty()) {
      read_line(line, file + ":" + std::to_string(number), what, read);
      any = true;
    }
  }
  if (!any) {
    throw InputError(file + ":1: found nothing, accepted: at least one " + what);
  }
}

}  // namespace presort::io
