// Messages beside a result: one line each on standard error. Nothing here fails or throws: a line
// that cannot be written (closed, full, nobody reads) is lost, and the work goes on.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace presort::inline v0::app {

// Writes bytes as they are, such as a progress bar's control sequences.
void write_to_stderr(std::string_view bytes) noexcept;

// Writes PREFIX and the text, made displayable (app/printing/displayable.h), in one line.
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

// Writes a line without prefix.
template <class... T>
void tell(fmt::format_string<T...> format, T&&... values) noexcept {
  detail::say_formatted("", format, std::forward<T>(values)...);
}

// Prints "warning: …": the result is worse than asked for.
template <class... T>
void warn(fmt::format_string<T...> format, T&&... values) noexcept {
  detail::say_formatted("warning: ", format, std::forward<T>(values)...);
}

// Prints "note: …": something was done otherwise than one may expect.
template <class... T>
void note(fmt::format_string<T...> format, T&&... values) noexcept {
  detail::say_formatted("note: ", format, std::forward<T>(values)...);
}

// Prints "presort: …": the reason why the exit status is not 0.
template <class... T>
void complain(fmt::format_string<T...> format, T&&... values) noexcept {
  detail::say_formatted("presort: ", format, std::forward<T>(values)...);
}

}  // namespace presort::app
