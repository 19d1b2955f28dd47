#include <algorithm>

#include "presort/cpu/pages.h"
#include "presort/probe/workloads/meter.h"
#include "presort/probe/workloads/random_words.h"
#include "presort/probe/workloads/workloads.h"

namespace presort::inline v0::probe {
namespace {

constexpr uint64_t kStepsPerSlice = 1 << 16;
constexpr int kStreamSlices = 2;

// A loop over two streams and a table of words. The table lies at the start of the arena, the
// streams in its second half, staggered as the runner's arrays are; each slice goes on where the
// last one ended.
class MixedLoop {
 public:
  // Makes the streams and the table. Requires: table_bytes is a power of two, at most half the arena's
  MixedLoop(Arena& arena, uint64_t table_bytes)
      : table_(reinterpret_cast<const uint32_t*>(arena.data())),
        shift_(word_shift(table_bytes)),
        first_(reinterpret_cast<const uint32_t*>(arena.data() + arena.bytes() / 2)),
        second_(reinterpret_cast<const uint32_t*>(arena.data() + arena.bytes() / 4 * 3 +
                                                  cpu::kStagger)),
        stream_words_((arena.bytes() / 4 - cpu::kStagger) / sizeof(uint32_t)) {}

  Slice mixed() {
    const uint64_t start = advance();
    uint32_t sum = 0;
    const Slice slice = take_slice(kStepsPerSlice, [&] {
      for (uint64_t i = start; i < start + kStepsPerSlice; ++i) {
        sum += first_[i] + second_[i] + table_[random_bits(next_++) >> shift_];
        keep(sum);
      }
    });
    return slice;
  }

  Slice streams() {
    const uint64_t start = advance();
    uint32_t sum = 0;
    return take_slice(kStepsPerSlice, [&] {
      for (uint64_t i = start; i < start + kStepsPerSlice; ++i) {
        sum += first_[i] + second_[i];
        keep(sum);
      }
    });
  }

  Slice random() {
    uint32_t sum = 0;
    const Slice slice = take_slice(kStepsPerSlice, [&] {
      for (uint64_t i = 0; i < kStepsPerSlice; ++i) {
        sum += table_[random_bits(next_++) >> shift_];
        keep(sum);
      }
    });
    return slice;
  }

 private:
  uint64_t advance() {
    const uint64_t start = position_;
    position_ = position_ + 2 * kStepsPerSlice <= stream_words_ ? position_ + kStepsPerSlice : 0;
    return start;
  }

  const uint32_t* table_;
  int shift_;
  const uint32_t* first_;
  const uint32_t* second_;
  uint64_t stream_words_;
  uint64_t position_ = 0;
  uint64_t next_ = 0;  // number of the next random load
};

}  // namespace

std::vector<uint64_t> mixed_footprints(const Topology& topology, uint64_t arena_bytes) {
  const uint64_t core = std::bit_floor(private_cache_bytes(topology) / 2);
  std::vector<uint64_t> footprints = {core, 8 * core, kReferenceFootprint / 2};
  std::erase_if(footprints, [&](uint64_t bytes) { return bytes > arena_bytes / 2; });
  return footprints;
}

void measure_mixed_streams(const Bench& bench) {
  for (const uint64_t bytes : mixed_footprints(bench.topology, bench.huge.bytes())) {
    MixedLoop loop(bench.huge, bytes);
    for (uint64_t warmed = 0; warmed < 4 * bytes / 64 && warmed < 1 << 19;
         warmed += kStepsPerSlice) {
      loop.random();
    }
    for (int i = 0; i < kStreamSlices; ++i) {
      bench.add(Quantity::randomAlone, bytes, loop.random());
      bench.add(Quantity::mixedStreams, bytes, loop.mixed());
    }
    for (int i = 0; i < kStreamSlices; ++i) {
      bench.add(Quantity::streamsAlone, 0, loop.streams());
    }
  }
}

}  // namespace presort::probe
