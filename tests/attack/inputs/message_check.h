// Finds what is wrong with the text of an error message that refuses an input. Characters that
// steer a terminal are not looked for: the command escapes them where it prints.
#pragma once

#include <string>
#include <string_view>

namespace presort::inline v0::attack {

// "VERDICT: …" about a message, or "" for a good one: "mute" without words, "cryptic" with a
// library's words, "vague" without the required name.
std::string wrong_with(const std::string& message, std::string_view name);

}  // namespace presort::attack
