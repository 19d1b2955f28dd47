#include "presort/io/json/json_object.h"

#include <utility>

#include "presort/core/error.h"
#include "presort/core/text/display_text.h"
#include "presort/core/text/names.h"

namespace presort::inline v0::io {
namespace {

// A JSON value as a message shows it. (Lists and objects may be as long as a line.)
std::string shown(const Json& value) {
  if (value.is_array() || value.is_object()) {
    return value.is_array() ? "a list" : "an object";
  }
  return quoted_text(
      with_hidden_replaced(value.is_string() ? value.get<std::string>() : value.dump()));
}

[[noreturn]] void refuse(const std::string& path, const Json& found, const std::string& accepted) {
  throw InputError(path + ": found " + shown(found) + ", accepted: " + accepted);
}

}  // namespace

JsonObject::JsonObject(const Json& value, std::string path)
    : value_(value), path_(std::move(path)) {
  if (!value.is_object()) {
    refuse(path_.empty() ? "the line" : path_, value, "an object, {\"key\": value, …}");
  }
}

std::string JsonObject::path_of(const char* key) const {
  return path_.empty() ? std::string(key) : path_ + "." + key;
}

const Json& JsonObject::field(const char* key) const {
  const auto found = value_.find(key);
  if (found == value_.end()) {
    throw InputError(path_of(key) + ": found nothing, accepted: the key '" + key +
                     "' is required here");
  }
  return *found;
}

JsonObject JsonObject::object(const char* key) const {
  return JsonObject(field(key), path_of(key));
}

std::string JsonObject::text(const char* key) const {
  const Json& found = field(key);
  if (!found.is_string()) {
    refuse(path_of(key), found, "text");
  }
  std::string text = found.get<std::string>();
  check_displayable(path_of(key), text);
  return text;
}

bool JsonObject::flag(const char* key) const {
  const Json& found = field(key);
  if (!found.is_boolean()) {
    refuse(path_of(key), found, "true, false");
  }
  return found.get<bool>();
}

uint64_t JsonObject::whole(const char* key, const Range& range) const {
  const Json& found = field(key);
  if (!found.is_number_unsigned() || !contains(range, found.get<double>())) {
    refuse(path_of(key), found, "a whole number, " + accepted_text(range));
  }
  return found.get<uint64_t>();
}

double JsonObject::number_in(const Json& value, const std::string& path, const Range& range) const {
  if (!value.is_number() || !contains(range, value.get<double>())) {
    refuse(path, value, accepted_text(range));
  }
  return value.get<double>();
}

double JsonObject::number(const char* key, const Range& range) const {
  return number_in(field(key), path_of(key), range);
}

std::vector<double> JsonObject::numbers(const char* key, const Range& range) const {
  const Json& list = field(key);
  if (!list.is_array()) {
    refuse(path_of(key), list, "a list of numbers");
  }
  std::vector<double> numbers;
  for (const Json& item : list) {
    const std::string path = path_of(key) + "[" + std::to_string(numbers.size()) + "]";
    numbers.push_back(number_in(item, path, range));
  }
  return numbers;
}

void JsonObject::require(const char* key, const char* accepted) const {
  if (text(key) != accepted) {
    refuse(path_of(key), field(key), accepted);
  }
}

}  // namespace presort::io
