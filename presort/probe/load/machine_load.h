// How busy a machine was with other work while something was timed, from the system's files and
// from looks at the core. An absolute measure: "quiet" in samples.h is relative to the quietest
// moment seen. Pure functions.
#pragma once

#include <optional>
#include <vector>

#include "presort/probe/load/load_moment.h"
#include "presort/probe/workloads/meter.h"

namespace presort::inline v0::probe {

// The speed of a core that nobody else uses; a number of 0: not known.
struct UncrowdedCore {
  double clock_hz = 0;
  double adds_per_cycle = 0;  // independent register adds per cycle (meter.h)
};

// How busy the machine was. Parts are 0 to 1; no value where the system does not say, or the time
// was too short to tell.
struct MachineLoad {
  double seconds = 0;                 // time that was observed, s
  int processors = 0;                 // logical processors that the process may use; 0: not known
  std::optional<double> others = {};  // part of the processors' time that other processes used
  std::optional<double> stolen = {};  // part of the processors' time that the hypervisor took
  // Parts of the time in which a thread was ready to run and had no processor: the timing thread,
  // any thread of this process' control group, any thread of the system.
  std::optional<double> waited = {};
  std::optional<double> group_pressure = {};
  std::optional<double> pressure = {};
  // Threads of other processes that were ready to run, per processor of the system: the mean of all
  // moments. May exceed 1.
  std::optional<double> contenders = {};
  std::optional<double> crowded = {};  // part of the looks at the core in which something shared it
  // The core's cycle, median, / the cycle of UncrowdedCore: above 1 when the clock is slower.
  std::optional<double> slowdown = {};
};

// A core is shared when it does less than this part of an uncrowded core's adds per cycle. A busy
// hyper-thread sibling leaves 0.55 to 0.65 of them; without one, looks are less than 0.1 apart.
inline constexpr double kCrowdedPart = 0.75;

// Adds up observed times, each between two moments, and looks at the core within them.
class LoadTotals {
 public:
  void add(const LoadMoment& begin, const LoadMoment& end);
  void add(const CoreState& look) { looks_.push_back(look); }
  MachineLoad load(const UncrowdedCore& core) const;

 private:
  // A share as two sums, part and whole, over the observed times in which it is known.
  struct Share {
    double amount = 0;
    double of = 0;
    void add(const std::optional<double>& more, double more_of);
    std::optional<double> part() const;
  };

  double seconds_ = 0;
  int processors_ = 0;
  Share others_, stolen_, waited_, group_pressure_, pressure_, contenders_;
  std::vector<CoreState> looks_;
};

}  // namespace presort::probe
