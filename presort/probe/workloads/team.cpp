// Times rounds of teams of threads, each thread on a core of its own, beside their work.
#include <algorithm>
#include <chrono>
#include <span>
#include <vector>

#include "presort/core/error.h"
#include "presort/cpu/thread_team.h"
#include "presort/cpu/threads/awake.h"
#include "presort/probe/load/quiet_team.h"
#include "presort/probe/workloads/meter.h"
#include "presort/probe/workloads/workloads.h"

namespace presort::inline v0::probe {
namespace {

constexpr int kTeamSlices = 4;
constexpr int kRoundsPerSlice = 6;
// Work of a thread in a round, ns: longer than a thread takes to begin, so that all are at work
constexpr double kWorkNs = 20e3;
// Pause of the caller after which all threads sleep, ns; waking a thread that is about to sleep
// would be timed otherwise
constexpr double kPauseNs = 2 * std::chrono::duration<double, std::nano>(cpu::kAwake).count();

void work_for(double ns) {
  const auto start = SteadyClock::now();
  while (ns_since(start) < ns) {
  }
}

// Slices of a team; times are those of a round less its work, ns. The state of the caller's core is
// looked at before the team starts: awake threads of a team may share that core.
class TimedTeam {
 public:
  explicit TimedTeam(std::span<const int> cpus)
      : state_(settled_core_state()), team_(cpus.size(), cpus) {}

  Slice round() {
    run();
    const auto start = SteadyClock::now();
    for (int i = 0; i < kRoundsPerSlice; ++i) {
      run();
    }
    return slice_of(ns_since(start) / kRoundsPerSlice);
  }

  Slice waking() {
    work_for(kPauseNs);
    const auto start = SteadyClock::now();
    run();
    return slice_of(ns_since(start));
  }

 private:
  void run() {
    team_.run([](size_t) { work_for(kWorkNs); });
  }

  Slice slice_of(double round_ns) const {
    return {.value_ns = std::max(0.0, round_ns - kWorkNs),
            .cycle_ns = state_.cycle_ns,
            .crowding_before = state_.crowding,
            .crowding_after = state_.crowding};
  }

  CoreState state_;
  cpu::ThreadTeam team_;
};

}  // namespace

std::vector<size_t> team_sizes(size_t cpus) {
  std::vector<size_t> sizes;
  for (size_t threads = 2; threads < cpus; threads *= 2) {
    sizes.push_back(threads);
  }
  if (cpus > 1) {
    sizes.push_back(cpus);
  }
  return sizes;
}

void measure_team(std::span<const int> cpus, const AddSlice& add) {
  for (const size_t threads : team_sizes(cpus.size())) {
    try {
      TimedTeam team(cpus.first(threads));
      for (int i = 0; i < kTeamSlices; ++i) {
        add(Quantity::teamRound, threads, team.round());
        add(Quantity::teamWake, threads, team.waking());
      }
    } catch (const EnvironmentError&) {
      return;  // the system refuses so many threads: larger teams are not measured
    }
  }
}

}  // namespace presort::probe
