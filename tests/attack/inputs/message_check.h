// What is wrong with the words of a refusal. Characters that steer a terminal are not looked for:
// the command escapes them where it prints.
#pragma once

#include <string>
#include <string_view>

namespace presort::inline v0::attack {

// "VERDICT: …", or "" when nothing is: no words ("mute"), those of libraries ("cryptic"), or not
// the name that they must have ("vague").
std::string wrong_with(const std::string& message, std::string_view name);

}  // namespace presort::attack
