// The checks behind find_machine_problem; only core/machine*.cpp include this. A check returns the
// first problem it finds. Parts are checked in the order core, caches, prefetchers, translation,
// memory, storage, gpu, and each may rely on those before it.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/machine.h"

namespace presort {

using Found = std::optional<MachineProblem>;

Found check_caches(const Machine& machine);
Found check_prefetchers(const Machine& machine);
Found check_translation(const Machine& machine);
Found check_storage(const Machine& machine);
Found check_gpu(const Machine& machine);

// The building blocks.
std::string number_text(double value);
MachineProblem machine_problem(const std::string& key_path, const std::string& found,
                               const std::string& accepted);
Found unless_at_least_one(const std::string& key_path, int value);
Found unless_positive(const std::string& key_path, double value, const std::string& unit);
Found unless_non_negative(const std::string& key_path, double value, const std::string& unit);
// A power of two that holds a line.
Found unless_page(const std::string& key_path, uint64_t bytes, uint64_t line_bytes);
// The name of one of the machine's cache levels.
Found unless_level(const Machine& machine, const std::string& key_path, const std::string& name);

// The first problem of several checks, in their order.
template <class... Rest>
Found first_of(Found first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return first;
  } else {
    return first ? first : first_of(std::move(rest)...);
  }
}

}  // namespace presort
