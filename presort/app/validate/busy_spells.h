// Spells: lengths of time in which other programs used processors while runs were timed. A run
//         within a busy spell is not quiet, however undisturbed its own core looked: a program on
//         the next core takes memory bandwidth and the last cache level, and no look at the run's
//         own core shows it.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "presort/core/base/stop.h"
#include "presort/probe/load/load_moment.h"

namespace presort::inline v0::app {

// Least length of a spell, s, that is judged: processors' time is counted in ticks of up to 10 ms.
inline constexpr double kShortestSpell_s = 0.25;

// Number of processors, such as 0.9, that other processes and the hypervisor kept busy between two
// moments: what /proc/stat counts less what this process used. No value where the system does not
// say.
std::optional<double> processors_of_others(const probe::LoadMoment& begin,
                                           const probe::LoadMoment& end);

// True if `busy` busy processors of `processors` disturb runs: 0.3 of a processor, or one in twenty
// if that is more. The system's own daemons take less than a tenth of a processor; a busy loop
// takes a whole one.
bool disturbs(double busy, int processors);

// Waits until other programs are quiet, up to a total time.
class QuietWait {
 public:
  using Now = std::function<probe::LoadMoment()>;
  using Sleep = std::function<void(double seconds)>;

  // Makes a wait. `most_s`: most seconds of all waits together; 0: never waits.
  QuietWait(double most_s, Now now, Sleep sleep)
      : most_s_(most_s), now_(std::move(now)), sleep_(std::move(sleep)) {}

  // Returns once other programs were quiet for a spell, or the time has run out.
  // Errors: Stopped once `stop` asks for it
  void wait(StopToken stop);

  // Seconds waited so far, with the spells that were quiet
  double waited_s() const { return waited_s_; }
  bool ran_out() const { return most_s_ > 0 && waited_s_ >= most_s_; }

 private:
  double most_s_;
  Now now_;
  Sleep sleep_;
  double waited_s_ = 0;
};

}  // namespace presort::app
