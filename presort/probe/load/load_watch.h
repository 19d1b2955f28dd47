// Watches the machine's load before, between and after timed runs.
#pragma once

#include <functional>
#include <vector>

#include "presort/probe/load/machine_load.h"

namespace presort::inline v0::probe {

class LoadWatch {
 public:
  using Now = std::function<LoadMoment()>;

  // Makes a watch of the processors that the calling thread may use. Make it before the thread is
  // pinned.
  LoadWatch();
  explicit LoadWatch(Now now);

  // The system's load before the runs: when the watch was made.
  const LoadMoment& before() const { return before_; }

  // Calls `work`, which times runs, and adds the load meanwhile to the watch. If `work` throws,
  // nothing is added.
  template <class Work>
  void during(Work&& work) {
    const LoadMoment begin = now_();
    work();
    totals_.add(begin, now_());
  }

  // Adds a look at the core around a run of one thread. Do not add the cores of a team of threads:
  // on a shared host some of them always have a busy sibling, and would make every team's runs look
  // disturbed.
  void add_look(const CoreState& look) { totals_.add(look); }

  MachineLoad load(const UncrowdedCore& core) const { return totals_.load(core); }

 private:
  Now now_;
  LoadMoment before_;
  LoadTotals totals_;
};

}  // namespace presort::probe
