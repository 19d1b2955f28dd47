// The errors that presort's libraries throw. Libraries never print or exit; the command maps each
// class to its exit code (see app/cli/exit_code.h).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace presort::inline v0 {

// Base of all errors that presort's libraries throw. what() is one complete sentence for a person.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The user's input is wrong: a file, an option, a value. Exit code 2.
struct InputError : Error {
  using Error::Error;
};

// A plan that does not fit the problem or the machine. Exit code 2.
struct PlanError : InputError {
  using InputError::InputError;
};

// Arrays that an operation cannot work on: misaligned, or overlapping. Exit code 2.
struct SpanError : InputError {
  using InputError::InputError;
};

// The environment lacks something (memory, a GPU, huge pages). Exit code 3.
struct EnvironmentError : Error {
  using Error::Error;
};

// Thrown by work that was asked to end before it was done (core/base/stop.h). Exit code 130.
struct Stopped : Error {
  Stopped() : Error("interrupted") {}
};

// A label that is not below the number of buckets. Exit code 1.
struct LabelError : Error {
  LabelError(uint64_t at_index, uint64_t found_label, uint64_t bucket_count)
      : Error("label " + std::to_string(found_label) + " at index " + std::to_string(at_index) +
              " is not below the number of buckets, " + std::to_string(bucket_count)),
        index(at_index),
        label(found_label),
        buckets(bucket_count) {}
  uint64_t index;
  uint64_t label;
  uint64_t buckets;
};

}  // namespace presort
