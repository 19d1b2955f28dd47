// Watches the machine's load while something is timed: before, between and after the runs.
#pragma once

#include <functional>
#include <vector>

#include "presort/probe/load/machine_load.h"

namespace presort::inline v0::probe {

class LoadWatch {
 public:
  using Now = std::function<LoadMoment()>;

  // Make a watch before the thread is pinned: it watches the processors that the thread may use then.
  LoadWatch();
  explicit LoadWatch(Now now);

  // The system's load when the watch was made: before the runs.
  const LoadMoment& before() const { return before_; }

  // Calls `work`, which times runs, and adds the stretch of time that it took. A stretch that ends
  // with an exception is left out.
  template <class Work>
  void during(Work&& work) {
    const LoadMoment begin = now_();
    work();
    totals_.add(begin, now_());
  }

  // Adds a look at the core around a run of one thread. Do not add the cores of a team: on a shared
  // host some of them always have a busy sibling, and the team's runs are judged by that.
  void add_look(const CoreState& look) { totals_.add(look); }

  MachineLoad load(const UncrowdedCore& core) const { return totals_.load(core); }

 private:
  Now now_;
  LoadMoment before_;
  LoadTotals totals_;
};

}  // namespace presort::probe
