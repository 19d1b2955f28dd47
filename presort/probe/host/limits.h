// Limits of this process that affect a probe: what it may not do, and what the system does not tell
// it.
#pragma once

#include <string>
#include <vector>

namespace presort::inline v0::probe {

struct Limits {
  // CPUs' worth of time that the process's control group may use; 0: no limit
  double cpu_quota = 0;
  int cores = 1;            // physical cores that the process may run on
  bool may_pin = true;      // true: threads may be pinned to cores
  bool is_unknown = false;  // true: the processor fits no row of the core table
};

// The limits of this process; the caller fills in cores and is_unknown.
Limits these_limits();

// CPUs by the text of a control group's cpu.max: "50000 100000" -> 0.5. 0 for "max 100000" and for
// text of another form.
double parse_cpu_max(const std::string& text);

// One sentence for each limit of the process that makes values less certain; none for an ordinary machine.
std::vector<std::string> warnings_of(const Limits& limits);

}  // namespace presort::probe
