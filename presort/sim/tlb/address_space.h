// The simulated virtual address space: regions of one tebibyte, each with a page size, and the
// memory node of each page.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace presort::inline v0::sim {

// How the pages of a region lie on memory nodes: blocks of bytes in a row, each on one node. A page
// lies where its first byte does.
struct NodeBlocks {
  std::vector<size_t> nodes;  // node of each block; empty: all pages are on node 0
  uint64_t block_bytes = 1;   // >= 1
  // True: after the last block the first node follows again. False: the last block goes on
  bool in_turn = false;
  // Bytes after which the region repeats itself, as arrays do that a simulation moves on; 0: never
  uint64_t period_bytes = 0;

  size_t node_of(uint64_t offset) const {
    const uint64_t block = (period_bytes == 0 ? offset : offset % period_bytes) / block_bytes;
    return nodes[in_turn ? block % nodes.size() : std::min<uint64_t>(block, nodes.size() - 1)];
  }
};

class AddressSpace {
 public:
  // A space in which every region has `default_page_bytes` unless set otherwise.
  explicit AddressSpace(uint64_t default_page_bytes) : default_(default_page_bytes) {}

  static constexpr uint64_t region_base(uint64_t region) { return region << kRegionBits; }
  static constexpr uint64_t region_of(uint64_t address) { return address >> kRegionBits; }

  void set_page_bytes(uint64_t region, uint64_t page_bytes) {
    if (region >= page_bytes_.size()) {
      page_bytes_.resize(region + 1, default_);
    }
    page_bytes_[region] = page_bytes;
  }

  uint64_t page_bytes(uint64_t address) const {
    const uint64_t region = region_of(address);
    return region < page_bytes_.size() ? page_bytes_[region] : default_;
  }

  void set_nodes(uint64_t region, NodeBlocks blocks) {
    if (region >= nodes_.size()) {
      nodes_.resize(region + 1);
    }
    nodes_[region] = std::move(blocks);
  }

  // Number of the memory node that the page of an address lies on.
  uint64_t node(uint64_t address) const {
    const uint64_t region = region_of(address);
    if (region >= nodes_.size() || nodes_[region].nodes.empty()) {
      return 0;
    }
    const uint64_t page = address & ~(page_bytes(address) - 1);
    return nodes_[region].node_of(page - region_base(region));
  }

 private:
  static constexpr int kRegionBits = 40;
  uint64_t default_;
  std::vector<uint64_t> page_bytes_;
  std::vector<NodeBlocks> nodes_;  // by region; regions without an element: all on node 0
};

}  // namespace presort::sim
