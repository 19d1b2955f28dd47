// Strict access to the fields of a JSON object by key: every error is an InputError "KEY.PATH:
// found …, accepted: …". Keys that nobody asks for are ignored.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "presort/core/text/range.h"

namespace presort::inline v0::io {

using Json = nlohmann::ordered_json;

class JsonObject {
 public:
  // Wraps a JSON value. `path` names the object in messages; "" for a whole line. The value must
  // outlive this object.
  // Errors: InputError when the value is not a JSON object
  explicit JsonObject(const Json& value, std::string path = "");

  const Json& field(const char* key) const;  // field of a key, with a value of any type
  JsonObject object(const char* key) const;
  // Field of a key with text that can be displayed (core/text/display_text.h)
  std::string text(const char* key) const;
  bool flag(const char* key) const;  // field of a key with true or false
  uint64_t whole(const char* key, const Range& range) const;
  double number(const char* key, const Range& range) const;
  // Field of a key with a list of numbers
  std::vector<double> numbers(const char* key, const Range& range) const;

  // Checks a field.
  // Errors: InputError unless the key's value is the text `accepted`.
  void require(const char* key, const char* accepted) const;

  const Json& value() const { return value_; }
  std::string path_of(const char* key) const;

 private:
  double number_in(const Json& value, const std::string& path, const Range& range) const;

  const Json& value_;
  std::string path_;
};

// Range of any unsigned 64-bit number.
inline constexpr Range kAnyWhole = {RangeUnit::count, 0, 18446744073709551615.0};

}  // namespace presort::io
