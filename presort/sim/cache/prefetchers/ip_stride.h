// The IP-stride prefetcher: learns the stride of each load or store instruction. Once two address
// differences in a row were the same, it fetches `degree` addresses ahead, the first `distance`
// strides away. It sees accesses that miss, or hit a prefetched line for the first time; strides
// are any number of bytes up to 2 KiB either way.
// Source: Intel 64 and IA-32 Architectures Optimization Reference Manual, "Instruction
// pointer-based stride prefetcher" (strides up to 2 KiB); 24 entries and a confidence to reach:
// Chen et al., "AfterImage: leaking control flow data and tracking load operations via the hardware
// prefetcher", ASPLOS 2023.
#pragma once

#include <array>

#include "presort/sim/cache/prefetchers/page_limit.h"
#include "presort/sim/cache/prefetchers/prefetcher.h"

namespace presort::inline v0::sim {

class IpStridePrefetcher : public LinePrefetcher {
 public:
  IpStridePrefetcher(PageLimit limit, int line_shift, int degree, int distance)
      : limit_(limit), line_shift_(line_shift), degree_(degree), distance_(distance) {}

  void observe(const Observed& access, std::vector<uint64_t>& fetch) override;

 private:
  struct Entry {
    uint64_t instruction = 0;  // address of the entry's instruction; 0: the entry is free
    uint64_t address = 0;      // address that the instruction accessed last
    int64_t stride = 0;
    int confirmations = 0;  // address differences in a row that equalled `stride`
    uint64_t used = 0;
  };
  static constexpr size_t kEntries = 24;
  static constexpr int64_t kLongestStride = 2048;

  // Table entry of an instruction; if it has none, the least recently used entry
  Entry& entry_of(uint64_t instruction);

  PageLimit limit_;
  int line_shift_;
  int degree_;
  int distance_;
  uint64_t clock_ = 0;
  std::array<Entry, kEntries> entries_;
};

}  // namespace presort::sim
