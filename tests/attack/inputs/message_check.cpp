#include "message_check.h"

namespace presort::inline v0::attack {
namespace {

constexpr std::string_view kLibraryWords[] = {
    "std::",   "bad_alloc",      "basic_string", "vector::",       "_M_",      "what()",
    "stoul",   "json.exception", "yaml-cpp",     "YAML::",         "nlohmann", "boost::",
    "map::at", "filesystem err", "iostream",     "program_options"};

}  // namespace

std::string wrong_with(const std::string& message, std::string_view name) {
  if (message.empty()) {
    return "mute: no words";
  }
  for (const std::string_view word : kLibraryWords) {
    if (message.find(word) != std::string::npos) {
      return "cryptic: " + std::string(word);
    }
  }
  return message.find(name) == std::string::npos ? "vague: it does not name its file or key" : "";
}

}  // namespace presort::attack
