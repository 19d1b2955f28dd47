// Promises of the readers about inputs that they accept, checked by the fuzzers here and by
// tests/attack: what was read can be written, and read back it is the same; records of traces are
// in range.
// Errors: all functions throw what readers throw for inputs that they refuse, and BrokenPromise
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "presort/core/machine/machine.h"
#include "presort/sim/trace/trace_reader.h"

namespace presort::inline v0::fuzz {

struct BrokenPromise : std::logic_error {
  using std::logic_error::logic_error;
};
inline void require(bool promise, const std::string& what) {
  if (!promise) {
    throw BrokenPromise(what);
  }
}

// Read a file's text and check what was read. `file` is the name used in messages; files that a machine
// file names are looked for in its folder.
Machine read_machine(const std::string& text, const std::string& file);
void read_core_costs(const std::string& text, const std::string& file);
void read_problems(const std::string& text, const std::string& file);
void read_tuned(const std::string& text, const std::string& file);
void read_plan_grid(const std::string& text, const std::string& file);

// Reads records of a trace, compressed or not, up to a limit: few compressed bytes can become any
// number of decompressed ones. Without a format, the reader guesses one.
void read_trace(const std::string& bytes, const std::string& file,
                const std::optional<std::string>& format, sim::TraceOptions options);

}  // namespace presort::fuzz
