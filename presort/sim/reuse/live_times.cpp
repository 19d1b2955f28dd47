#include "presort/sim/reuse/live_times.h"

namespace presort::inline v0::sim {

LiveTimes::LiveTimes(uint64_t capacity)
    : capacity_(capacity), bits_(capacity / 64), sums_(capacity / kBlockTimes) {}

uint64_t LiveTimes::block_size(uint64_t block) const {
  const uint64_t last = (block + 1) * kBlockTimes - 1;
  return in_block(last) + (bits_[last / 64] >> 63);
}

void LiveTimes::close_block(uint64_t block) {
  ++closed_;
  change_count(block, static_cast<int>(block_size(block)));
}

void LiveTimes::find_starts() {
  starts_.resize(capacity_ / kBlockTimes);
  uint64_t members = 0;
  for (uint64_t block = 0; block < starts_.size(); ++block) {
    starts_[block] = members;
    members += block_size(block);
  }
}

void LiveTimes::renumber() {
  while (capacity_ < 4 * size_) {
    capacity_ *= 2;
  }
  bits_.assign(capacity_ / 64, 0);
  sums_.assign(capacity_ / kBlockTimes, 0);
  starts_ = {};
  closed_ = 0;
  const uint64_t members = size_;
  size_ = next_ = 0;
  while (next_ < members) {
    append();
  }
}

}  // namespace presort::sim
