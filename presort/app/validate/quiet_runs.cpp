#include "presort/app/validate/quiet_runs.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace presort::inline v0::app {

namespace {

// How disturbed a run was: equal for all quiet runs, higher for more crowded ones, highest for
// preempted ones.
double rank(const TimedRun& run, double quiet_level) {
  if (probe::is_quiet(run, quiet_level)) {
    return 0;
  }
  return run.preemptions > 0 ? std::numeric_limits<double>::max()
                             : std::max(run.crowding_before, run.crowding_after);
}

}  // namespace

TimedRun without_harmless_preemptions(TimedRun run, double duration_ns) {
  if (static_cast<double>(run.preemptions) * kHarmlessPreemptionNs <= duration_ns) {
    run.preemptions = 0;
  }
  return run;
}

double quiet_level(const std::vector<TimedRun>& runs, const probe::UncrowdedCore& core) {
  const double level = probe::quiet_crowding({{probe::SeriesKey{}, runs}});
  if (core.adds_per_cycle <= 0) {
    return level;
  }
  const double shared = 1 / (core.adds_per_cycle * probe::kCrowdedPart);
  return std::min(level, shared / probe::kQuietTolerance);
}

size_t count_quiet(const std::vector<TimedRun>& runs, double quiet_level) {
  return static_cast<size_t>(std::count_if(runs.begin(), runs.end(), [=](const TimedRun& run) {
    return probe::is_quiet(run, quiet_level);
  }));
}

std::vector<size_t> runs_to_keep(const std::vector<TimedRun>& runs, double quiet_level,
                                 size_t count) {
  std::vector<size_t> kept(runs.size());
  std::iota(kept.begin(), kept.end(), size_t{0});
  std::stable_sort(kept.begin(), kept.end(), [&](size_t a, size_t b) {
    return rank(runs[a], quiet_level) < rank(runs[b], quiet_level);
  });
  kept.resize(std::min(kept.size(), count));
  std::sort(kept.begin(), kept.end());
  return kept;
}

}  // namespace presort::app
