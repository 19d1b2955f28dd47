// Messages beside a result: one line each on standard error. No function here fails or throws: a
// line that cannot be written (stderr closed, full, or not read) is lost, and the work goes on.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace presort::inline v0::app {

// Writes bytes to standard error unchanged, such as a progress bar's control sequences.
void write_to_stderr(std::string_view bytes) noexcept;

// Writes `prefix` and the text, made displayable (app/printing/displayable.h), in one line on
// standard error; the prefix in a colour where that is a terminal that shows colours.
void say(std::string_view prefix, std::string_view text) noexcept;

namespace detail {
template <class... T>
void say_formatted(std::string_view prefix, fmt::format_string<T...> format, T&&... values) {
  try {
    say(prefix, fmt::format(format, std::forward<T>(values)...));
  } catch (...) {  // out of memory: the message is lost
  }
}
}  // namespace detail

// Writes a line without prefix to standard error.
template <class... T>
void tell(fmt::format_string<T...> format, T&&... values) noexcept {
  detail::say_formatted("", format, std::forward<T>(values)...);
}

// Prints "warning: …" on standard error: the result is worse than asked for.
template <class... T>
void warn(fmt::format_string<T...> format, T&&... values) noexcept {
  detail::say_formatted("warning: ", format, std::forward<T>(values)...);
}

// Prints "note: …" on standard error: something was done otherwise than a user may expect.
template <class... T>
void note(fmt::format_string<T...> format, T&&... values) noexcept {
  detail::say_formatted("note: ", format, std::forward<T>(values)...);
}

// Prints "presort: …" on standard error: the reason why the exit status is not 0.
template <class... T>
void complain(fmt::format_string<T...> format, T&&... values) noexcept {
  detail::say_formatted("presort: ", format, std::forward<T>(values)...);
}

}  // namespace presort::app
