// Errors as values, for callers that take no exceptions.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "presort/core/error.h"

namespace presort::inline v0 {

enum class StatusCode {
  ok,
  input,        // InputError and what derives from it: a plan, arrays, a value
  label,        // LabelError: a label that is not below the number of buckets
  environment,  // EnvironmentError: memory, threads, a device
  stopped,      // Stopped
  other,        // anything else, such as what an operator throws
};

struct [[nodiscard]] Status {
  StatusCode code = StatusCode::ok;
  std::string message;  // one sentence for a person; empty where there is no memory for it

  explicit operator bool() const { return code == StatusCode::ok; }
};

namespace detail {

inline Status failed(StatusCode code, const char* message) noexcept {
  try {
    return {code, message};
  } catch (...) {
    return {code, {}};
  }
}

}  // namespace detail

// Calls f() and tells what it threw:
//   const presort::Status status = presort::status_of([&] {
//     presort::multireduce(labels, values, sums);
//   });
template <class F>
Status status_of(F&& f) noexcept {
  try {
    std::forward<F>(f)();
    return {};
  } catch (const InputError& error) {
    return detail::failed(StatusCode::input, error.what());
  } catch (const LabelError& error) {
    return detail::failed(StatusCode::label, error.what());
  } catch (const EnvironmentError& error) {
    return detail::failed(StatusCode::environment, error.what());
  } catch (const Stopped& error) {
    return detail::failed(StatusCode::stopped, error.what());
  } catch (const std::bad_alloc&) {
    return detail::failed(StatusCode::environment, "there is no memory");
  } catch (const std::exception& error) {
    return detail::failed(StatusCode::other, error.what());
  } catch (...) {
    return detail::failed(StatusCode::other, "an error of unknown type");
  }
}

}  // namespace presort
