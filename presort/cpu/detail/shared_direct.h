// The plain loop by several threads that write to the same buckets.
#pragma once

#include <atomic>
#include <cstddef>
#include <type_traits>

#include "presort/cpu/detail/direct_run.h"
#include "presort/cpu/plan/phase_listener.h"
#include "presort/cpu/thread_team.h"
#include "presort/cpu/threads/shares.h"

namespace presort::inline v0::cpu {

// True if two threads may store to one Value at the same time: it then holds one of the two stored
// values.
template <class Value>
constexpr bool can_store_shared() {
  return std::atomic_ref<Value>::is_always_lock_free;
}

// An update (phases/update.h): buckets[k] = v, which other threads may write at the same time.
struct SharedAssignUpdate {
  template <class Memory, class Buckets>
  void operator()(Memory& memory, const Buckets& buckets, const auto& k, const auto& v,
                  const auto&) const {
    memory.store_shared(buckets, k, v);
  }
};

// Updates the buckets with inputs [0, count), a share for each thread.
template <class Input, class Value, class Update>
void run_shared_direct(const Input& input, size_t count, Value* buckets, const Update& update,
                       Distances distances, ThreadTeam& threads) {
  threads.run([&](size_t t) {
    const Share own = share_of(count, t, threads.size());
    carries_out<phase::UpdateAll, LabelOf<Input>>();
    run_direct(input.from(own.first), own.count(), buckets, update, distances);
  });
}

}  // namespace presort::cpu
