// The provenance of a result, which every written file and every JSON document carries.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace presort::inline v0::io {

struct Provenance {
  std::string tool_version;  // version of presort: "0.1.0"
  std::string host;
  std::string compiler;  // compiler and version: "gcc 12.2.0"
  std::string date;      // date and time, ISO 8601, UTC: "2026-11-21T14:03:22Z"
  std::string kernel;    // operating system's kernel: "Linux 6.1.0"
};

// The provenance of a result that this program makes on this machine now.
Provenance current_provenance();

// A provenance as pairs of key and text, "toolVersion", "host", "compiler", "date", "kernel": for
// the map of a YAML file.
std::vector<std::pair<std::string, std::string>> provenance_pairs(const Provenance& provenance);

}  // namespace presort::io
