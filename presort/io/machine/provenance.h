// Where a result comes from: what every written file and every JSON document carries.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace presort::inline v0::io {

struct Provenance {
  std::string tool_version;  // "0.1.0"
  std::string host;
  std::string compiler;  // "gcc 12.2.0"
  std::string date;      // ISO 8601, UTC: "2026-11-21T14:03:22Z"
  std::string kernel;    // "Linux 6.1.0"
};

// The provenance of a result that this program makes on this machine now.
Provenance current_provenance();

// "toolVersion", "host", "compiler", "date", "kernel": for the provenance map of a YAML file.
std::vector<std::pair<std::string, std::string>> provenance_pairs(const Provenance& provenance);

}  // namespace presort::io
