// The checks behind find_machine_problem, which finds keys of a machine that contradict each other;
// only core/machine/ includes this. A check returns the first problem it finds. They run in the
// order names, lists, ranges (core/machine/fields/machine_fields.h), caches, prefetchers,
// translation, memory, numa, storage, gpu, gpuHardware, state (core/machine/machine_state.h), and
// each may rely on earlier ones: every number is in its range.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "presort/core/machine/machine.h"
#include "presort/core/text/range.h"

namespace presort::inline v0 {

using Found = std::optional<MachineProblem>;

// Checks that names can be shown (core/text/display_text.h)
Found check_names(const Machine& machine);
Found check_lists(const Machine& machine);  // checks the lengths of lists
Found check_caches(const Machine& machine);
Found check_prefetchers(const Machine& machine);
Found check_translation(const Machine& machine);
Found check_numa(const Machine& machine);
Found check_storage(const Machine& machine);
Found check_gpu(const Machine& machine);
Found check_gpu_hardware(const Machine& machine);

// Parts that checks of a machine are built of.
MachineProblem machine_problem(const std::string& key_path, const std::string& found,
                               const std::string& accepted);
// A problem unless a page size is a power of two and at least a line.
Found unless_page(const std::string& key_path, uint64_t bytes, uint64_t line_bytes);
// A problem unless a text is the name of one of the machine's cache levels.
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
