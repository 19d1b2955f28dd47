// Where the entries of a radix page table (x86-64: four levels of 512 entries of 8 bytes) stand in
// physical memory, and which frame a page has. Nothing is stored: both follow from a hash. Tables
// lie on memory node 0, where the thread runs that touches all pages first.
#pragma once

#include <cstdint>

#include "presort/core/base/random.h"
#include "presort/core/machine/machine.h"
#include "presort/sim/memory/node_address.h"
#include "presort/sim/tlb/address_space.h"

namespace presort::inline v0::sim {

class PageTable {
 public:
  // `id`, 0 or 1, keeps the tables of guest and host apart. Processes share no memory: the memory
  // of process number `process` begins at `process` << kProcessShift. `colour_bytes`, a power of
  // two: a page's colour is its frame's place within so many bytes. Only frames of data have one.
  PageTable(Frames frames, uint64_t id, uint64_t seed, uint64_t process = 0,
            uint64_t colour_bytes = 1)
      : frames_(frames),
        id_(id),
        colour_mask_(frames == Frames::coloured ? colour_bytes - 1 : 0),
        seed_(mix64(seed + id + 2 * process)),
        memory_(process << kProcessShift),
        first_page_(process * kPagesApart) {}

  static constexpr int kProcessShift = 46;

  // Lets data pages lie on the memory nodes that `space` says, in addresses from kNodeShift up;
  // without it all are on node 0. Requires: `space` outlives this object
  void use_nodes_of(const AddressSpace& space) { nodes_ = &space; }

  static constexpr int kLevels = 4;

  // Number of the level whose entry maps a page: 1 for 4 KiB, 2 for 2 MiB, 3 for 1 GiB.
  static constexpr int leaf_level(uint64_t page_bytes) {
    return page_bytes >= (uint64_t{1} << 30) ? 3 : page_bytes >= (uint64_t{1} << 21) ? 2 : 1;
  }

  // The number of the entry of `level` that covers an address; addresses with the same number share
  // the entry.
  static constexpr uint64_t entry_number(int level, uint64_t address) {
    return address >> (12 + 9 * (level - 1));
  }

  // Physical address of the page-table entry of `level` that maps `address`.
  uint64_t entry_address(int level, uint64_t address) const {
    const uint64_t table = entry_number(level + 1, address);
    const uint64_t slot = entry_number(level, address) % 512;
    const uint64_t key = (table << 4) + static_cast<uint64_t>(level);
    // With contiguous frames, the page tables of a level lie one after the other, so that they use
    // all sets of a cache.
    const uint64_t in_turn = (static_cast<uint64_t>(level) << kTablesBits) + table;
    const uint64_t frame = frames_ == Frames::contiguous ? in_turn : mix64(seed_ ^ key);
    return (memory_ | ((kTableSpace + id_) << kSpaceBits) | ((frame << 12) & kSpaceMask)) +
           slot * 8;
  }

  // Physical address of the byte at virtual `address`, on a page of 2^page_shift bytes.
  uint64_t data_address(uint64_t address, int page_shift) const {
    const uint64_t place = place_in_node(address, page_shift);
    return nodes_ == nullptr ? place : place | nodes_->node(address) << kNodeShift;
  }

  // log2 of the bytes of one process's data memory
  static constexpr int kSpaceBits = 44;

  // True if physical addresses are the virtual ones, up to the lowest 2^kSpaceBits.
  bool is_identity() const {
    return frames_ == Frames::contiguous && memory_ == 0 && first_page_ == 0 && nodes_ == nullptr;
  }

 private:
  // Physical address within the memory of a node.
  uint64_t place_in_node(uint64_t address, int page_shift) const {
    if (frames_ == Frames::contiguous) {
      return memory_ | ((address + (first_page_ << page_shift)) & kSpaceMask);
    }
    const uint64_t frame = mix64(seed_ + (address >> page_shift)) << page_shift;
    const uint64_t below = (uint64_t{1} << page_shift) - 1;
    if (colour_mask_ == 0) {
      return memory_ | (frame & kSpaceMask) | (address & below);
    }
    const uint64_t colour = colour_mask_ & ~below;
    return memory_ | (frame & kSpaceMask & ~(below | colour)) |
           (colour_at(address & ~below) & colour) | (address & below);
  }

  // The colour, in its address bits, of the page that begins at `page`. Pages in a row have all
  // colours in turn, from a random one on that is the same within `colour_bytes`.
  uint64_t colour_at(uint64_t page) const {
    const uint64_t first = mix64(seed_ ^ (page & ~colour_mask_));
    return page + ((first << kFirstColourShift) & colour_mask_);
  }
  // Pages of 4 KiB are the smallest: a first colour has no bits below
  static constexpr int kFirstColourShift = 12;

  static constexpr uint64_t kSpaceMask = (uint64_t{1} << kSpaceBits) - 1;
  static constexpr uint64_t kTableSpace = 1;
  // log2 of the number of page tables in a level; 2^29 of them map a pebibyte
  static constexpr int kTablesBits = 29;
  // With contiguous frames, the same page of two processes lies in different sets of a cache that
  // they share.
  static constexpr uint64_t kPagesApart = 0x9e3779b1;

  Frames frames_;
  uint64_t id_;
  uint64_t colour_mask_;  // address bits of the colour and below it; 0: frames have no colours
  uint64_t seed_;
  uint64_t memory_;
  uint64_t first_page_;
  const AddressSpace* nodes_ = nullptr;  // null: all memory is one node
};

}  // namespace presort::sim
