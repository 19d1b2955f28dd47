// The fields of a JSON object by key, strictly: every error is an InputError "KEY.PATH: found …,
// accepted: …". Keys that nobody asks for are passed over.
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
  // `path` names the object in messages, "" where it is a whole line. The value must outlive this.
  // Errors: InputError when it is no object
  explicit JsonObject(const Json& value, std::string path = "");

  const Json& field(const char* key) const;  // returns a field of any type
  JsonObject object(const char* key) const;
  std::string text(const char* key) const;  // returns a text field, which must be displayable
                                            // (core/text/display_text.h)
  bool flag(const char* key) const;         // returns a field that is true or false
  uint64_t whole(const char* key, const Range& range) const;
  double number(const char* key, const Range& range) const;
  std::vector<double> numbers(const char* key, const Range& range) const;  // a list

  // Errors: InputError unless the field of this key is the text `accepted`.
  void require(const char* key, const char* accepted) const;

  const Json& value() const { return value_; }
  std::string path_of(const char* key) const;

 private:
  double number_in(const Json& value, const std::string& path, const Range& range) const;

  const Json& value_;
  std::string path_;
};

// The range of whole numbers that only their type, 64 bits, limits.
inline constexpr Range kAnyWhole = {RangeUnit::count, 0, 18446744073709551615.0};

}  // namespace presort::io
