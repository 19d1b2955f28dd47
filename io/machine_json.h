// The fully resolved machine as JSON: every key, units in the names (clock_hz, size_bytes,
// latency_cycles, latency_ns, bandwidth_bytes_per_second). Field names are a promise: add only.
#pragma once

#include "core/machine.h"
#include "io/result_json.h"

namespace presort::io {

Json machine_to_json(const Machine& machine);

}  // namespace presort::io
