// Tuned files, `presort: tuned/1`:
//   presort: tuned/1
//   machine: example
//   fingerprint: {hard: {isa: generic, L2: 1MiB/16}, soft: {clock: 2.5GHz}}   # free keys, text
//   provenance: {date: 2026-11-21}                                            # optional
//   complete: true        # optional; false: interrupted, problems are missing
//   entryCount: 1         # optional; how many entries follow: a file that was cut short is refused
//   entries:
//     - device: cpu                         # gpu: with `devices: 2` also scheme, directScheme,
//                                           # runnerUpScheme (core/plan/device_scheme.h)
//       problem: {op: multireduce, types: u32+u32, dist: uniform, n: 2^26, m: 2^20}
//       plan: {sortBits: 9, passes: 1, …}
//       predictedNsPerInput: 6.1
//       directPlan: {sortBits: 0, …}          # the best plan without a pre-sort
//       directNsPerInput: 11.2
//       runnerUp: {sortBits: 8, …}
//       runnerUpNsPerInput: 6.4
//       margin: 0.0492                        # optional; runner-up / plan - 1
//       matters: true
//       origin: simulation                    # or model, or measurement
// Errors: InputError "FILE:LINE:COLUMN: KEY.PATH: found …, accepted: …"
#pragma once

#include <string>

#include "presort/core/plan/tuned.h"

namespace presort::inline v0::io {

Tuned read_tuned(const std::string& path);
Tuned parse_tuned(const std::string& text, const std::string& file);

// A tuned table as the text of a file. Read back, it gives the same Tuned.
std::string tuned_to_text(const Tuned& tuned);
void write_tuned(const std::string& path, const Tuned& tuned);

}  // namespace presort::io
