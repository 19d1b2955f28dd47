// The buffered pre-sort by several threads: after the first pass (team_partition.h) the threads
// take groups of its parts through the other passes and a kernel.
#pragma once

#include <cstddef>
#include <type_traits>

#include "presort/cpu/presort/buffered_presort.h"
#include "presort/cpu/presort/team_partition.h"
#include "presort/cpu/thread_team.h"

namespace presort::inline v0::cpu {

// Pre-sorts all inputs and runs a kernel on every part. kernel_of(before) makes the kernel (see
// BufferedPresort) of a group of parts with `before` inputs before it.
// Requires: the partition was made for as many inputs
// Errors:   what kernels throw
template <class Store, class Input, class KernelOf>
void run_threaded_presort(TeamPartition<Store>& partition, const Input& input,
                          const KernelOf& kernel_of, ThreadTeam& threads) {
  partition.run(input, threads);
  run_in_turn(threads, partition.count(), [&](size_t g) {
    const auto kernel = kernel_of(partition.inputs_before(g));
    const BufferedPresort<Store, std::remove_const_t<decltype(kernel)>> rest{partition.arrays(g),
                                                                             kernel};
    partition.for_each_part(g, [&](const PartPieces<Store>& part) { rest.finish_part(0, part); });
  });
}

}  // namespace presort::cpu
