// Keeps a thread on a core that nobody else uses at the moment.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "presort/probe/host/affinity.h"

namespace presort::inline v0::probe {

// Time of an independent register add on the core that the thread is on, ns: the least of three
// looks of 20 us each. A busy hyper-thread sibling, a throttled clock and stolen time all raise it.
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
  // was so far; otherwise all cores are tried and the least crowded is taken. True when the thread
  // moved.
  bool settle();

  // Undoes the pinning: the thread, and threads that it starts, may run anywhere again.
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
