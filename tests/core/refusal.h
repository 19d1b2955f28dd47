// For tests: the message of the error that a call throws.
#pragma once

#include <string>

namespace presort::inline v0::test {

// The message of the error Expected that `action` throws, or "" when it throws none.
template <class Expected, class Action>
std::string refusal(Action action) {
  try {
    action();
    return "";
  } catch (const Expected& error) {
    return error.what();
  }
}

}  // namespace presort::test
