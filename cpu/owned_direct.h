// The plain loop by several threads: each updates the buckets of its own range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cpu/direct_run.h"
#include "cpu/memory.h"
#include "cpu/phases/owned_direct.h"
#include "cpu/shares.h"
#include "cpu/thread_team.h"

namespace presort::cpu {

// Updates the buckets with inputs [0, count). A team of one runs the plain loop itself.
template <class Input, class Value, class Update>
void run_owned_direct(const Input& input, size_t count, std::span<Value> buckets,
                      const Update& update, Distances distances, ThreadTeam& threads) {
  if (threads.size() == 1) {
    return run_direct(input, count, buckets.data(), update, distances);
  }
  threads.run([&](size_t t) {
    const Share own = share_of(buckets.size(), t, threads.size());
    if (own.count() == 0) {
      return;
    }
    uint32_t chosen[kOwnedBlock];
    RawMemory memory;
    OwnedDirect<RawMemory, Input, Value, Update>{input,       buckets.data(), update,   own.first,
                                                 own.count(), chosen,         distances}
        .step(0, count, memory);
  });
}

}  // namespace presort::cpu
