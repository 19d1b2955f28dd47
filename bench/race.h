// Several ways to do one thing, timed by turns on one thread, so that a busy neighbour on the
// machine or a change of the clock slows all of them alike.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "presort/probe/analysis/samples.h"
#include "presort/probe/workloads/meter.h"

namespace presort::inline v0::bench {

struct Contender {
  std::string name;
  double bytes_per_input = 0;     // least number of bytes that a run reads and writes
  std::function<void()> prepare;  // function called before each run, not timed; may be empty
  std::function<void()> run;
};

struct Finish {
  double ns_per_input =
      0;  // median time of the quiet runs, or of all runs if fewer than three are quiet
  double gb_per_second = 0;
  size_t quiet = 0;
};

// Runs each contender once to warm up and then `rounds` times by turns. quiet: of
// probe/analysis/samples.h.
inline std::vector<Finish> race(const std::vector<Contender>& contenders, uint64_t inputs,
                                int rounds) {
  probe::Samples samples;  // a sample's `at`: index of its contender
  for (int round = -1; round < rounds; ++round) {
    for (size_t i = 0; i < contenders.size(); ++i) {
      if (contenders[i].prepare) {
        contenders[i].prepare();
      }
      const probe::Slice slice = probe::take_slice(inputs, contenders[i].run);
      if (round >= 0) {
        samples[{probe::Quantity::streamRead, i}].push_back(slice);
      }
    }
  }
  const double quiet = probe::quiet_crowding(samples);
  std::vector<Finish> finishes;
  for (size_t i = 0; i < contenders.size(); ++i) {
    const auto& slices = samples[{probe::Quantity::streamRead, i}];
    const probe::Estimate found = probe::estimate(slices, quiet, slices.front().cycle_ns);
    finishes.push_back({found.value_ns, contenders[i].bytes_per_input / found.value_ns,
                        static_cast<size_t>(found.quiet)});
  }
  return finishes;
}

}  // namespace presort::bench
