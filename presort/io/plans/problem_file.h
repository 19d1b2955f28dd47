// Problem files, `presort: problem/1`, with one problem or a list:
//   presort: problem/1            presort: problem/1
//   op: multireduce               problems:
//   n: 2^26                         - {op: multireduce, n: 2^26, m: 2^20}
//   m: 2^20                         - {op: scatter, n: 2^26, m: 2^22, dist: zipf:1, types: u32+f64}
//   dist: uniform    # optional
//   types: u32+u32   # optional
//   seed: 1          # optional
// Errors: InputError "FILE:LINE:COLUMN: KEY.PATH: found …, accepted: …"
#pragma once

#include <string>
#include <vector>

#include "presort/core/problem.h"

namespace presort::inline v0::io {

// Reads the problems of a file, at least one.
std::vector<Problem> read_problems(const std::string& path);
std::vector<Problem> parse_problems(const std::string& text, const std::string& file);

// Problems as the text of a file, in the form of a list.
std::string problems_to_text(const std::vector<Problem>& problems);
void write_problems(const std::string& path, const std::vector<Problem>& problems);

}  // namespace presort::io
