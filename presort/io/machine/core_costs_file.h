// Core costs, `presort: coreCosts/1`, beside the machine file that names them (cpu.costs):
//   presort: coreCosts/1
//   machine: golden-cove-vm
//   provenance: {date: 2026-11-21, cpu: …}     # optional, free text
//   clock: 3588MHz
//   dispatchWidth: 6
//   slots: {plain: 1, load: 1.3, …}            # of dispatch, each kind of
//                                              # core/machine/core_costs.h; the coefficients of the
//                                              # fit
//   points:                                    # what they were fitted to
//     - {op: multireduce, n: 2^13, m: 2^8, plan: {sortBits: 0}, measuredNs: 0.41,
//        simulatedNs: 0.40, residual: -2.4%, coreShare: 0.98, quiet: 30, runs: 31}
//   leftOut: […]                               # optional; points that the core does not bind
// A residual is written for the reader; it is simulatedNs / measuredNs - 1 and not read.
// Errors: InputError "FILE:LINE:COLUMN: KEY.PATH: found …, accepted: …"
#pragma once

#include <string>

#include "presort/core/machine/core_costs.h"

namespace presort::inline v0::io {

// File name ending of core-cost files; no machine file has this ending.
inline constexpr char kCoreCostsEnding[] = ".costs.yaml";

// Name of the core-cost file beside a machine file: "dir/machine.yaml" -> "dir/machine.costs.yaml"
std::string core_costs_path(const std::string& machine_path);

CoreCalibration read_core_costs(const std::string& path);
CoreCalibration parse_core_costs(const std::string& text, const std::string& file);

std::string core_costs_to_text(const CoreCalibration& calibration);

// Writes core costs atomically. Errors: InputError for an unwritable path.
void write_core_costs(const std::string& path, const CoreCalibration& calibration);

}  // namespace presort::io
