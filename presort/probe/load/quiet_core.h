// Keeps a thread on a core that nobody else uses at the moment.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "presort/probe/host/affinity.h"

namespace presort::inline v0::probe {

// ns per independent register add on the core that the thread is on, the least of three looks of
// 20 us each: a busy hyper-thread sibling, a throttled clock and stolen time all raise it.
double crowded_add_ns();

// Pins a thread to the quietest core. Neighbours come and go by the second, and not on all cores at
// once: measured on a two-core virtual machine, the first core did 2.4 adds a cycle and the second
// 4.2, and a minute later the other way round.
class QuietCore {
 public:
  using Look = std::function<double()>;

  // Makes a quiet core of `cpus`: one logical CPU of each core that may be used; with fewer than
  // two the thread stays where it is. Belongs to the thread that makes it.
  explicit QuietCore(std::vector<int> cpus, Look look = crowded_add_ns);
  ~QuietCore() { release(); }
  QuietCore(const QuietCore&) = delete;
  QuietCore& operator=(const QuietCore&) = delete;

  // Pins the thread to a quiet core. It stays on its core as long as that one is as quiet as any
  // was so far; otherwise it looks at all and takes the least crowded. True when it moved.
  bool settle();

  // Lets the thread run anywhere again, as before, and so may the threads that it starts.
  void release();

 private:
  static constexpr double kTolerance = 1.05;

  std::vector<int> cpus_;
  Look look_;
  SavedAffinity before_;
  int cpu_ = -1;  // CPU that the thread is pinned to; -1: none
  double quietest_ns_ = std::numeric_limits<double>::infinity();
};

}  // namespace presort::probe
