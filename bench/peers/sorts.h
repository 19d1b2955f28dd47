// Multireduce by the sorts of other libraries. Only std::sort is always there: CMake defines
// PRESORT_PEER_… for each library that it found.
#pragma once

#include <string>
#include <vector>

#include "bench/peers/contender.h"

namespace presort::inline v0::bench::peers {

// Appends a contender for each library's sort of n keys; libraries that were not found go to
// `left_out`.
void add_sorts(std::vector<Contender>& contenders, std::vector<std::string>& left_out, uint64_t n);

// Appends the sorts of oneTBB as contenders: with one thread and with all. Without oneTBB a
// sentence goes to `left_out`.
void add_tbb(std::vector<Contender>& contenders, std::vector<std::string>& left_out, uint64_t n,
             int all_threads);

std::string sort_versions();  // names and versions, "libstdc++ 12, Highway 1.0.3, …"
std::string tbb_version();    // version of oneTBB; empty without oneTBB

}  // namespace presort::bench::peers
