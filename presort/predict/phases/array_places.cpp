#include "presort/predict/phases/array_places.h"

#include <algorithm>
#include <vector>

#include "presort/core/base/carver.h"
#include "presort/core/machine/node_layout.h"
#include "presort/predict/trace/layout.h"

namespace presort::inline v0::predict {
namespace {

// Bytes from one thread's own arrays to the next thread's, less those of the arrays
// (phases/core_phases.h)
constexpr uint64_t kOwnArrays = uint64_t{1} << 30;

struct Array {
  Region region;
  uint64_t elements;
  uint64_t element_bytes;
};

uint64_t bytes_of_pair(uint64_t label, uint64_t value) {
  const uint64_t align = std::max(label, value);
  return (label + value + align - 1) / align * align;
}

// The arrays that threads share, with their lengths.
std::vector<Array> shared_arrays(const Problem& problem, Layout layout) {
  const uint64_t label = size_bytes(problem.types.label);
  const uint64_t value = size_bytes(problem.types.value);
  const bool segments = is_segmented(problem.operation);
  const bool sorts = problem.operation == Operation::partialSort;
  const uint64_t n = problem.n;
  const uint64_t m = problem.m;
  const uint64_t partitioned = has_values(problem.operation) && layout == Layout::pairs
                                   ? bytes_of_pair(label, value)
                                   : label;
  const uint64_t results = problem.operation == Operation::segmentedReduce ? m : n;
  return {{Region::labels, segments ? m + 1 : n, label},
          {Region::values, n, value},
          {Region::buckets, m, sorts ? sizeof(size_t) : value},
          {Region::partitioned, n, partitioned},
          {Region::partitioned_values, n, value},
          {Region::scratch, n, partitioned},
          {Region::scratch_values, n, value},
          {Region::results, results, value},
          {Region::sorted_labels, n, label}};
}

// Nodes of the threads, in their order.
std::vector<size_t> nodes_of_threads(const Machine& machine, size_t threads) {
  std::vector<size_t> nodes;
  for (const int core : cores_of_threads(machine, static_cast<int>(threads))) {
    nodes.push_back(node_of_core(machine, core));
  }
  return nodes;
}

void place_by_share(sim::AddressSpace& space, const Machine& machine, const Problem& problem,
                    size_t threads, Layout layout, uint64_t moves) {
  const std::vector<size_t> nodes = nodes_of_threads(machine, threads);
  const auto set = [&](Region region, uint64_t block, uint64_t period) {
    space.set_nodes(static_cast<uint64_t>(region),
                    {nodes, std::max<uint64_t>(1, block), false, period});
  };
  for (const Array& array : shared_arrays(problem, layout)) {
    set(array.region, array.elements * array.element_bytes / threads, moves * array.element_bytes);
  }
  const uint64_t table = (problem.m + kLineBytes - 1) / kLineBytes * kLineBytes;
  set(Region::tables, table * size_bytes(problem.types.value), 0);
  set(Region::written, table, 0);
  for (const Region own : {Region::buffers, Region::value_buffers, Region::counts,
                           Region::positions, Region::chosen, Region::chunks}) {
    set(own, kOwnArrays, 0);
  }
}

}  // namespace

ArrayPlaces places_of(const CpuPlan& plan) {
  return {plan.resources.placement, plan.presort ? plan.presort->layout : Layout::pairs};
}

sim::AddressSpace placed_space(const Machine& machine, const Problem& problem, uint64_t page_bytes,
                               size_t threads, const ArrayPlaces& places, uint64_t moves) {
  sim::AddressSpace space(page_bytes);
  const size_t nodes = node_count(machine);
  if (nodes == 1 || places.placement == Placement::firstTouch) {
    return space;
  }
  if (places.placement == Placement::byShare) {
    place_by_share(space, machine, problem, threads, places.layout, moves);
    return space;
  }
  sim::NodeBlocks in_turn{{}, page_bytes, true, 0};
  for (size_t node = 0; node < nodes; ++node) {
    in_turn.nodes.push_back(node);
  }
  for (auto region = static_cast<uint64_t>(Region::labels);
       region <= static_cast<uint64_t>(Region::chunks); ++region) {
    space.set_nodes(region, in_turn);
  }
  return space;
}

}  // namespace presort::predict
