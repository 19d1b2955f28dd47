// The message with which something is refused.
#pragma once

#include <string>

namespace presort::inline v0::test {

// The message of the Expected that `action` throws, or "" when it does not throw.
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
