// The values that a probe writes into a machine file, read back from one. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "presort/core/error.h"
#include "presort/core/machine/machine.h"
#include "presort/probe/analysis/quality.h"

namespace presort::inline v0::probe {

struct FileValue {
  std::string key;  // key of the value: "cpu.caches.L3.share", "memory.streamUnderRandom.L2"
  double value = 0;
  std::string unit;  // unit of the value: "cy", "ns", "GB/s", "GHz", "KiB", "MiB" or none
  Quality quality = Quality::guess;
  // Relative half-width of the value's 95 % interval; 0 where nothing was measured
  double uncertainty = 0;
};

// An entry of the provenance that cannot be understood; what() names its key.
struct ProvenanceError : InputError {
  ProvenanceError(const std::string& key, const std::string& message)
      : InputError(message), key_path("provenance." + key) {}
  std::string key_path;  // key of the entry: "provenance.probed.memory.latency"
};

// All probed values of a machine in the order of its file. The number is the one in the provenance
// or, if that has none, the machine's value of the key.
// Errors: ProvenanceError for text that is no number, and for a key that the machine does not have
std::vector<FileValue> file_values(const Machine& machine);

}  // namespace presort::probe
