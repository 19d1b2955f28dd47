#include "presort/sim/cache/prefetchers/ip_stride.h"

namespace presort::inline v0::sim {

IpStridePrefetcher::Entry& IpStridePrefetcher::entry_of(uint64_t instruction) {
  Entry* oldest = &entries_[0];
  for (Entry& entry : entries_) {
    if (entry.instruction == instruction) {
      return entry;
    }
    if (entry.used < oldest->used) {
      oldest = &entry;
    }
  }
  *oldest = {};
  return *oldest;
}

void IpStridePrefetcher::observe(const Observed& access, std::vector<uint64_t>& fetch) {
  if (!access.trigger || access.instruction == 0) {
    return;
  }
  Entry& entry = entry_of(access.instruction);
  const bool known = entry.instruction != 0;
  const auto difference = static_cast<int64_t>(access.address - entry.address);
  entry.instruction = access.instruction;
  entry.address = access.address;
  entry.used = ++clock_;
  if (!known || difference == 0) {
    return;
  }
  entry.confirmations = difference == entry.stride ? entry.confirmations + 1 : 1;
  entry.stride = difference;
  const bool too_long = difference > kLongestStride || difference < -kLongestStride;
  if (entry.confirmations < kConfirmationsToStart || too_long) {
    return;
  }
  uint64_t last = access.line;
  for (int i = 0; i < degree_; ++i) {
    const uint64_t ahead = access.address + static_cast<uint64_t>(difference * (distance_ + i));
    const uint64_t line = ahead >> line_shift_;
    if (line != last && limit_.reaches(access.line, line)) {
      fetch.push_back(line);
    }
    last = line;
  }
}

}  // namespace presort::sim
