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
  // `path` names the object in messages; "" for a whole line. The value must outlive this.
  // Errors: InputError when it is no object
  explicit JsonObject(const Json& value, std::string path = "");

  const Json& field(const char* key) const;  // field of any type
  JsonObject object(const char* key) const;
  std::string text(const char* key) const;  // text that can be displayed (core/text/display_text.h)
  bool flag(const char* key) const;         // true or false
  uint64_t whole(const char* key, const Range& range) const;
  double number(const char* key, const Range& range) const;
  std::vector<double> numbers(const char* key, const Range& range) const;  // list of numbers

  // Errors: InputError unless the field of this key is the text `accepted`.
  void require(const char* key, const char* accepted) const;

  const Json& value() const { return value_; }
  std::string path_of(const char* key) const;

 private:
  double number_in(const Json& value, const std::string& path, const Range& range) const;

  const Json& value_;
  std::string path_;
};

// Range of whole numbers that only their 64 bits limit.
inline constexpr Range kAnyWhole = {RangeUnit::count, 0, 18446744073709551615.0};

}  // namespace presort::io
