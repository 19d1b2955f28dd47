#include "presort/sim/trace/patterns.h"

#include <algorithm>

namespace presort::inline v0::sim {

namespace {

// The number of nodes in block `block`; the last one may be shorter.
uint64_t nodes_in_block(uint64_t block, uint64_t block_nodes, uint64_t nodes) {
  return std::min(block_nodes, nodes - block * block_nodes);
}

}  // namespace

Chase::Chase(const ChaseList& list, uint64_t first, uint64_t count)
    : list_(list),
      nodes_(list.nodes()),
      position_(first % nodes_),
      step_(first),
      left_(count),
      block_nodes_(std::max<uint64_t>(1, list.block_bytes / list.stride_bytes)),
      order_(nodes_, list.seed) {
  if (list.order == ChaseOrder::blockRandom) {
    block_ = position_ / block_nodes_;
    order_ = Permutation(nodes_in_block(block_, block_nodes_, nodes_), list.seed + block_);
  }
}

uint64_t Chase::node_in_block(uint64_t position) {
  const uint64_t block = position / block_nodes_;
  if (block != block_) {
    block_ = block;
    order_ = Permutation(nodes_in_block(block, block_nodes_, nodes_), list_.seed + block);
  }
  return block * block_nodes_ + order_(position - block * block_nodes_);
}

uint64_t Chase::node(uint64_t position) {
  switch (list_.order) {
    case ChaseOrder::forward:
      return position;
    case ChaseOrder::backward:
      return nodes_ - 1 - position;
    case ChaseOrder::random:
      return order_(position);
    case ChaseOrder::blockRandom:
      return node_in_block(position);
  }
  return position;
}

std::span<const Access> Chase::next() {
  const uint64_t count = std::min<uint64_t>(left_, batch_.size());
  for (uint64_t i = 0; i < count; ++i) {
    Access& access = batch_[i];
    access = {};
    access.address = list_.base + node(position_) * list_.stride_bytes;
    access.size = 8;
    access.depends_on = 1;
    access.instruction = 1 + step_ % kUnrolled;
    ++step_;
    position_ = position_ + 1 == nodes_ ? 0 : position_ + 1;
  }
  left_ -= count;
  return {batch_.data(), count};
}

Sweep::Sweep(uint64_t bytes, uint64_t line_bytes, uint64_t streams, AccessKind kind)
    : lines_((bytes + line_bytes - 1) / line_bytes),
      line_bytes_(line_bytes),
      streams_(streams),
      kind_(kind),
      part_((lines_ + streams - 1) / streams) {}

std::span<const Access> Sweep::next() {
  uint64_t count = 0;
  while (position_ < part_ && count < batch_.size()) {
    const uint64_t line = stream_ * part_ + position_;
    if (line < lines_) {
      Access& access = batch_[count++];
      access = {};
      access.address = line * line_bytes_;
      access.kind = kind_;
      access.size = kind_ == AccessKind::streamingStore ? static_cast<uint8_t>(line_bytes_) : 8;
      access.instruction = 1 + stream_;
    }
    stream_ = stream_ + 1 == streams_ ? 0 : stream_ + 1;
    position_ += stream_ == 0;
  }
  return {batch_.data(), count};
}

}  // namespace presort::sim
