// Puts the pages of arrays on the memory nodes of the threads that use them
// (core/plan/cpu_plan.h, Placement).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/cpu/nodes/thread_places.h"

namespace presort::inline v0::cpu {

// Asks the system to keep pages on a node, and to move there those that lie elsewhere.
class PageBinder {
 public:
  virtual ~PageBinder() = default;

  // Puts pages on one node, by its index among the nodes.
  // Requires: `pages` are whole pages
  // Errors:   EnvironmentError when the system refuses
  virtual void bind(std::span<std::byte> pages, size_t node) const = 0;
};

// The memory nodes of a host, and what binds pages to them.
struct HostNodes {
  std::vector<CpuNode> nodes;
  std::shared_ptr<const PageBinder> binder;  // not null with several nodes

  bool several() const { return nodes.size() > 1; }
};

// Bytes [first, last) of an array that one thread has.
struct OwnedBytes {
  size_t first = 0;
  size_t last = 0;
  size_t thread = 0;
  bool operator==(const OwnedBytes&) const = default;
};

// An array of `bytes` bytes that all threads have shares of (threads/shares.h); `from` is added to
// all places.
std::vector<OwnedBytes> shared_bytes(size_t bytes, size_t threads, size_t from = 0);

// Whole pages in a row, on one node; bytes from the begin of the first page that an array touches.
struct NodePages {
  size_t first = 0;
  size_t last = 0;
  size_t node = 0;
  bool operator==(const NodePages&) const = default;
};

// The pages of an array that begins `offset` bytes into its first page, each on the node of the
// thread that has the first of the page's bytes that someone has.
// Requires: `owned` is ascending, without overlap; page_bytes > 0
std::vector<NodePages> pages_of(const std::vector<OwnedBytes>& owned, size_t offset,
                                size_t page_bytes, const std::vector<size_t>& node_of_thread);

// Whole pages of an array on `nodes` nodes in turn: a page each, or more where there would be more
// than 1024 pieces. Each piece is a mapping of its own for the system, which allows a process some
// 65,000 of them. A policy of the system that interleaves would be one mapping, but moves no page
// that lies on any of the nodes already (Linux, mbind(2), MPOL_MF_MOVE).
// Requires: nodes > 0; `bytes` is a multiple of page_bytes
std::vector<NodePages> pages_in_turn(size_t bytes, size_t page_bytes, size_t nodes);

// Places an array as a plan says, on the nodes of its threads; firstTouch: on that of thread 0;
// interleaved: on all `nodes` nodes of the host.
// Requires: node_of_thread.size() == plan.resources.threads; `owned` lies in the array; nodes > 0
// Errors:   those of PageBinder
void place_pages(std::span<std::byte> array, const std::vector<OwnedBytes>& owned,
                 const Resources& resources, const std::vector<size_t>& node_of_thread,
                 size_t nodes, const PageBinder& binder);

}  // namespace presort::cpu
