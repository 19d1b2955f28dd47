// What `presort doctor` looks at: the machine and the process, as they are now.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "presort/core/machine/fingerprint.h"
#include "presort/core/machine/gpu.h"
#include "presort/probe/host/cpu_identity.h"
#include "presort/probe/host/limits.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/load/load_judgement.h"

namespace presort::inline v0::app {

// The machine file that -m names, held against this machine.
struct FileState {
  std::string name;                  // as -m names it
  FingerprintDifference difference;  // sentences on what differs from this machine
  std::string disturbed_probe;       // what disturbed the probe that wrote the file; "": nothing
};

struct HostState {
  probe::CpuIdentity cpu;
  std::string core;           // row of the table of cores (probe/assemble/core_defaults.h)
  bool is_core_known = true;  // false: the row is that of no particular core
  probe::Topology topology;
  probe::Limits limits;
  uint64_t free_memory_bytes = 0;  // bytes that this process can take without swapping
  std::optional<bool> huge_pages;  // memory lies on 2 MiB pages when asked for; none: not tried
  std::string huge_page_setting;   // Linux' transparent_hugepage/enabled, chosen word; "": unknown
  bool counters = false;           // hardware counters can be read
  probe::LoadJudgement load;       // how busy the machine is
  std::optional<Gpu> gpu;          // the current GPU
  std::string no_gpu;              // why there is none
  std::optional<std::string> gnuplot;  // path of the program that draws plots of reports
  std::optional<std::string> data;     // folder of bundled machines and grids
  bool is_optimised = true;            // this program was compiled with optimisation
  std::optional<FileState> file;
};

// Looks at this machine for about half a second: at each core it may use, at 64 MiB of memory, and at
// the GPU. `machine_file`: what -m names. Nothing is kept of the look.
// Errors: InputError when the machine file cannot be read
HostState look_at_host(const std::optional<std::string>& machine_file);

}  // namespace presort::app
