// Puts a machine together from what was measured, what the system announces, and what is documented
// of the core. Pure functions.
#pragma once

#include <string>

#include "presort/probe/analysis/findings.h"
#include "presort/probe/assemble/core_defaults.h"
#include "presort/probe/host/cpu_identity.h"
#include "presort/probe/probe.h"

namespace presort::inline v0::probe {

struct Surroundings {
  std::string date;          // day of the probe, ISO 8601
  double huge_fraction = 1;  // share of the probe's memory that really lay on 2 MiB pages
};

// Makes a valid machine: find_machine_problem finds nothing. What was not measured comes from the
// core's row (core_table.cpp) or is left at its default, with a warning.
ProbeResult assemble(const Findings& findings, const Estimates& estimates, const Topology& topology,
                     const CpuIdentity& cpu, const CoreDefaults& core,
                     const Surroundings& surroundings);

}  // namespace presort::probe
