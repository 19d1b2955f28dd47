// What this process is not allowed, or not told, and what that means for the probe.
#pragma once

#include <string>
#include <vector>

namespace presort::inline v0::probe {

struct Limits {
  double cpu_quota = 0;     // CPUs' worth of time that its control group gets; 0: no limit
  int cores = 1;            // that it may run on
  bool may_pin = true;      // threads to cores
  bool is_unknown = false;  // the processor: no row of the core table fits
};

// The limits of this process; the caller fills in cores and is_unknown.
Limits these_limits();

// The text of a control group's cpu.max: "50000 100000" -> 0.5. 0 for "max 100000" and for what is
// none.
double parse_cpu_max(const std::string& text);

// One sentence for each limit that makes values less certain; none for an ordinary machine.
std::vector<std::string> warnings_of(const Limits& limits);

}  // namespace presort::probe
