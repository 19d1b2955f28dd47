// State of the machine and of this process at present, as `presort doctor` reads it.
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

// Comparison of the machine file that -m names with this machine.
struct FileState {
  std::string name;  // name of the machine file, as -m gives it
  // Differences between the file's machine and this one, as sentences
  FingerprintDifference difference;
  // Text on what disturbed the probe that wrote the file; "": nothing did
  std::string disturbed_probe;
};

struct HostState {
  probe::CpuIdentity cpu;
  // Name of this core's row in the table of cores (probe/assemble/core_defaults.h)
  std::string core;
  bool is_core_known = true;  // false: the row is the general one for unknown cores
  probe::Topology topology;
  probe::Limits limits;
  uint64_t free_memory_bytes = 0;  // bytes that this process can allocate without swapping
  // true: memory lies on 2 MiB pages when asked for; no value: not tried
  std::optional<bool> huge_pages;
  // Chosen word of Linux' setting transparent_hugepage/enabled; "": unknown
  std::string huge_page_setting;
  bool counters = false;               // true: hardware counters can be read
  probe::LoadJudgement load;           // how busy the machine is
  std::optional<Gpu> gpu;              // the GPU that CUDA uses; no value: none
  std::string no_gpu;                  // reason why there is no GPU
  std::optional<std::string> gnuplot;  // path of the program gnuplot; no value: not installed
  std::optional<std::string> data;     // folder of bundled machines and grids; no value: not found
  bool is_optimised = true;            // true: this program was compiled with optimisation
  std::optional<FileState> file;
};

// Reads the state of this machine in about half a second: of each core that the process may use, of
// 64 MiB of memory, and of the GPU. `machine_file`: what -m names. Leaves no trace.
// Errors: InputError when the machine file cannot be read
HostState look_at_host(const std::optional<std::string>& machine_file);

}  // namespace presort::app
