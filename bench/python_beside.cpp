// The C++ call that presort.index_add makes, for bench/python_calls.py: a shared library whose
// function runs the call inside the Python process, on the same arrays, with labels checked and
// scratch kept.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>

#include "presort/presort.h"

// Adds values into buckets by label, once.
// Shapes:  labels[n], values[n], buckets[m]
// Returns: time of the call, ns; -1 when it is refused
extern "C" __attribute__((visibility("default"))) int64_t presort_beside_add(
    const int64_t* labels, const double* values, uint64_t n, double* buckets, uint64_t m) {
  static presort::cpu::Scratch scratch;
  try {
    const auto began = std::chrono::steady_clock::now();
    presort::multireduce(std::span(labels, n), std::span(values, n), std::span(buckets, m),
                         presort::Sum<double>{},
                         {.checks = presort::cpu::Checks::on, .scratch = &scratch});
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began;
    return took.count();
  } catch (const std::exception&) {
    return -1;
  }
}
