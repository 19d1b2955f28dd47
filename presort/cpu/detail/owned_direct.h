// The plain loop by several threads: each updates the buckets of its own range, in one pass over
// the inputs or several.
#pragma once

#include <cstddef>
#include <span>

#include "presort/cpu/detail/direct_run.h"
#include "presort/cpu/detail/range_passes.h"
#include "presort/cpu/plan/phase_listener.h"
#include "presort/cpu/thread_team.h"

namespace presort::inline v0::cpu {

// Updates the buckets with inputs [0, count) by all threads of a team. A team of one thread with
// one pass runs the plain loop.
template <class Input, class Value, class Update>
void run_owned_direct(const Input& input, size_t count, std::span<Value> buckets,
                      const Update& update, Distances distances, size_t range_passes,
                      ThreadTeam& threads) {
  if (threads.size() == 1 && range_passes == 1) {
    carries_out<phase::UpdateAll, LabelOf<Input>>();
    return run_direct(input, count, buckets.data(), update, distances);
  }
  threads.run([&](size_t t) {
    run_range_passes(input, count, share_of(buckets.size(), t, threads.size()), range_passes,
                     buckets.data(), update, distances);
  });
}

}  // namespace presort::cpu
