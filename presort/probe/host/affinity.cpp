#include "presort/probe/host/affinity.h"

namespace presort::inline v0::probe {

void pin_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(cpu), &set);
  sched_setaffinity(0, sizeof set, &set);
}

SavedAffinity::SavedAffinity() {
  known_ = sched_getaffinity(0, sizeof cpus_, &cpus_) == 0;
}

void SavedAffinity::restore() const {
  if (known_) {
    sched_setaffinity(0, sizeof cpus_, &cpus_);
  }
}

}  // namespace presort::probe
