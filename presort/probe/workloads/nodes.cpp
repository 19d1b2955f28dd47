// Times memory of each node from cores of each node.
#include <algorithm>
#include <bit>

#include "presort/core/error.h"
#include "presort/probe/host/affinity.h"
#include "presort/probe/workloads/chase.h"
#include "presort/probe/workloads/stream.h"
#include "presort/probe/workloads/workloads.h"

namespace presort::inline v0::probe {
namespace {

constexpr int kNodeSlices = 4;
constexpr uint64_t kNodeSteps = 1 << 14;
constexpr uint64_t kNodeBytes = 256 * kMiB;     // memory that is bound to one node after the other
constexpr uint64_t kReadByCore = 16 * kMiB;     // most bytes that a core reads in a slice
constexpr uint64_t kWarmedPositions = 1 << 18;  // nodes of the chase that are touched before it

// False if the system refuses.
bool is_bound(const cpu::HostNodes& nodes, Arena& arena, size_t node) {
  try {
    nodes.binder->bind({reinterpret_cast<std::byte*>(arena.data()), arena.bytes()}, node);
    return true;
  } catch (const EnvironmentError&) {
    return false;
  }
}

void measure_pair(const Bench& bench, Arena& arena, size_t cores, size_t memory) {
  const std::vector<int>& cpus = bench.nodes.nodes[cores].cpus;
  pin_to(cpus.front());
  Chain chain(arena, Layout::dense, arena.bytes() / kLineBytes);
  chain.warm(kWarmedPositions);
  for (int i = 0; i < kNodeSlices; ++i) {
    bench.add(Quantity::nodeChase, node_pair(cores, memory), chain.chase(kNodeSteps));
  }
  Stream stream(arena);
  for (int i = 0; i < kNodeSlices; ++i) {
    if (const auto slice = stream.read_all(cpus, kReadByCore)) {
      bench.add(Quantity::nodeRead, node_pair(cores, memory), *slice);
    }
  }
}

}  // namespace

void measure_nodes(const Bench& bench) {
  if (!bench.nodes.several()) {
    return;
  }
  const SavedAffinity before;
  Arena arena(std::min(kNodeBytes, std::bit_floor(bench.huge.bytes())), Pages::huge);
  for (size_t memory = 0; memory < bench.nodes.nodes.size(); ++memory) {
    if (!is_bound(bench.nodes, arena, memory)) {
      continue;
    }
    for (size_t cores = 0; cores < bench.nodes.nodes.size(); ++cores) {
      measure_pair(bench, arena, cores, memory);
    }
  }
  before.restore();
}

}  // namespace presort::probe
