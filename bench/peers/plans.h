// The project's kernels with the plans that the table compares.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bench/peers/contender.h"

namespace presort::inline v0::bench::peers {

// Appends the contenders, those of `all_threads` threads too when that is more than one; plans that
// do not fit n and m go to `left_out`, a sentence each.
void add_plans(std::vector<Contender>& contenders, std::vector<std::string>& left_out, uint64_t n,
               uint64_t m, std::span<const int> cpus);

}  // namespace presort::bench::peers
