#include "presort/sim/gpu/coalescing.h"

#include <algorithm>
#include <bit>

namespace presort::inline v0::sim::gpu {
namespace {

// A set of up to 32 numbers that tells them apart: the index of each number, in order of arrival.
class SmallIndex {
 public:
  SmallIndex() { slots_.fill(kEmpty); }

  // Index of `number`; count() before the call where it is new.
  int index_of(uint64_t number) {
    uint32_t slot = static_cast<uint32_t>((number * 0x9e3779b97f4a7c15ULL) >> 58);
    while (slots_[slot] != kEmpty && numbers_[static_cast<size_t>(slots_[slot])] != number) {
      slot = (slot + 1) % kSlots;
    }
    if (slots_[slot] == kEmpty) {
      slots_[slot] = static_cast<int8_t>(count_);
      numbers_[static_cast<size_t>(count_++)] = number;
    }
    return slots_[slot];
  }
  int count() const { return count_; }

 private:
  static constexpr uint32_t kSlots = 64;
  static constexpr int8_t kEmpty = -1;
  std::array<int8_t, kSlots> slots_;
  std::array<uint64_t, kWarpLanes> numbers_;
  int count_ = 0;
};

}  // namespace

Coalesced::Coalesced(const WarpAccess& access, uint64_t sector_bytes) {
  const int shift = std::countr_zero(sector_bytes);
  const bool counts_addresses =
      access.kind == WarpAccessKind::atomic || access.kind == WarpAccessKind::swap;
  SmallIndex sectors;
  SmallIndex addresses;
  std::array<int, kWarpLanes> lanes_of_address{};
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    if (!access.has_lane(lane)) {
      continue;
    }
    const uint64_t address = access.addresses[static_cast<size_t>(lane)];
    const auto index = static_cast<size_t>(sectors.index_of(address >> shift));
    SectorRequest& request = requests_[index];
    if (static_cast<int>(index) == count_) {
      request = {address >> shift, 0, 1};
      ++count_;
    }
    ++request.lanes;
    if (counts_addresses) {
      const int met = ++lanes_of_address[static_cast<size_t>(addresses.index_of(address))];
      request.same_address = std::max(request.same_address, met);
    }
  }
}

}  // namespace presort::sim::gpu
