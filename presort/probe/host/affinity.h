// Sets on which CPUs the calling thread may run. Best effort: where the system refuses, its
// scheduler decides.
#pragma once

#include <sched.h>

namespace presort::inline v0::probe {

void pin_to(int cpu);

// Remembers the CPUs that the calling thread may run on, and restores them when destroyed.
class SavedAffinity {
 public:
  SavedAffinity();
  void restore() const;

 private:
  cpu_set_t cpus_{};
  bool known_ = false;
};

}  // namespace presort::probe
