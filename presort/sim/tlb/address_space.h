// The simulated virtual address space: regions of one tebibyte, each with a page size.
#pragma once

#include <cstdint>
#include <vector>

namespace presort::inline v0::sim {

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

 private:
  static constexpr int kRegionBits = 40;
  uint64_t default_;
  std::vector<uint64_t> page_bytes_;
};

}  // namespace presort::sim
