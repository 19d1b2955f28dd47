#include "presort/sim/gpu/device_l2.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "presort/core/machine/replacement.h"

namespace presort::inline v0::sim::gpu {
namespace {

constexpr uint64_t kBanks =
    16;  // banks of a channel, each with an open row: JEDEC JESD212, JESD235

uint64_t sampled_sets(const GpuHardware& gpu, int shift) {
  const auto bytes = static_cast<double>(gpu.l2.size_bytes) * gpu.l2.share;
  const auto sets = static_cast<uint64_t>(
      bytes / static_cast<double>(gpu.l2.line_bytes * gpu.l2.ways) / std::exp2(shift));
  return std::max<uint64_t>(sets, 1);
}

uint64_t sampled_banks(const GpuHardware& gpu, int shift) {
  return std::max<uint64_t>((static_cast<uint64_t>(gpu.memory.channels) * kBanks) >> shift, 1);
}

}  // namespace

DeviceL2::DeviceL2(const GpuHardware& gpu, int shift)
    : sectors_of_line_(std::countr_zero(gpu.l2.line_bytes / gpu.l2.sector_bytes)),
      sectors_of_row_(
          std::countr_zero(std::max<uint64_t>(gpu.memory.row_bytes / gpu.l2.sector_bytes, 1))),
      sectors_of_block_(std::max(sectors_of_row_, sectors_of_line_)),
      mask_((uint64_t{1} << shift) - 1),
      lines_(sampled_sets(gpu, shift) * gpu.l2.ways),
      array_(sampled_sets(gpu, shift), gpu.l2.ways, Replacement::lru, true, 1,
             gpu.l2.line_bytes / gpu.l2.sector_bytes),
      read_{std::vector<uint64_t>(sampled_banks(gpu, shift), ~uint64_t{0})},
      written_{std::vector<uint64_t>(sampled_banks(gpu, shift), ~uint64_t{0})} {}

bool DeviceL2::access(uint64_t sector, WarpAccessKind kind) {
  const bool writes = kind != WarpAccessKind::load;
  if (array_.access(sector, writes).hit) {
    return true;
  }
  if (kind != WarpAccessKind::store) {
    ++reads_;
    row_reads_ += read_.opens(sector >> sectors_of_row_) ? 1 : 0;
  }
  const CacheArray::Victim victim =
      array_.insert(sector, writes ? CacheArray::kDirty : CacheArray::kNone);
  for (uint16_t dirty = victim.dirty_units; dirty != 0; dirty &= static_cast<uint16_t>(dirty - 1)) {
    const uint64_t unit = victim.unit + static_cast<uint64_t>(std::countr_zero(dirty));
    ++writes_;
    row_writes_ += written_.opens(unit >> sectors_of_row_) ? 1 : 0;
  }
  return false;
}

void DeviceL2::fill(double dirty_share) {
  constexpr uint64_t kFirstUnused = uint64_t{1} << 50;  // number of a line
  const uint64_t sectors = uint64_t{1} << sectors_of_line_;
  const uint64_t blocks_of_lines = uint64_t{1} << (sectors_of_block_ - sectors_of_line_);
  // Whole rows, as streams leave them; two turns fill the sets that a hash meets seldom, too.
  const uint64_t lines = 2 * lines_;
  for (uint64_t line = 0; line < lines; ++line) {
    const uint64_t block = kFirstUnused / blocks_of_lines + line / blocks_of_lines;
    const bool is_dirty = unit_double(mix64(block)) < dirty_share;
    for (uint64_t i = 0; i < sectors; ++i) {
      const uint64_t unit = ((kFirstUnused + line) << sectors_of_line_) + i;
      array_.insert(unit, is_dirty ? CacheArray::kDirty : CacheArray::kNone);
    }
  }
  clear_counts();
}

}  // namespace presort::sim::gpu
