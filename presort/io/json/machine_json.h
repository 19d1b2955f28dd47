// The fully resolved machine as JSON: every key, units in the names (clock_hz, size_bytes,
// latency_cycles, latency_ns, bandwidth_bytes_per_second). Field names are a promise: add only.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/io/json/result_json.h"

namespace presort::inline v0::io {

Json machine_to_json(const Machine& machine);

// Every value of machine_to_json with its path, "/memory/latency_ns" and "80.0".
std::vector<std::pair<std::string, std::string>> machine_values(const Machine& machine);

}  // namespace presort::io
