// Measured memory loops, `presort: loop/1`: one JSON object a line, as `validate --loops` writes
// them (loops.jsonl) and reads them again, plain or compressed with gzip.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "presort/core/loop.h"

namespace presort::inline v0::io {

// A measured memory loop, read from a line of loops.jsonl.
struct RecordedLoop {
  Loop loop;
  std::vector<double> ns;  // times of the kept runs, ns per item; at least one
  size_t quiet = 0;        // number of kept runs that had the core to themselves
  double cycle_ns = 0;     // the core's cycle around the kept runs, median, ns
};

// Reads the loops of a file. Keys that are not members of RecordedLoop (predictions, machine,
// provenance) are ignored.
// Errors: InputError "FILE:LINE: KEY: found …, accepted: …" for a line of another form; "FILE: …"
//         when the file cannot be read, or is damaged, cut short or too large (io/limits.h)
std::vector<RecordedLoop> read_loop_lines(const std::string& path);
std::vector<RecordedLoop> parse_loop_lines(const std::string& text, const std::string& file);

}  // namespace presort::io
