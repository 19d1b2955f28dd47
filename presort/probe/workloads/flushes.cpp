#include <algorithm>
#include <cstring>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/probe/workloads/chase.h"
#include "presort/probe/workloads/meter.h"
#include "presort/probe/workloads/workloads.h"

namespace presort::inline v0::probe {
namespace {

constexpr uint64_t kWords = kLineBytes / sizeof(uint64_t);
constexpr uint64_t kBuffers = 64;  // lines that are stored to before a flush: they stay in the L1d
constexpr uint64_t kFlushes = 1 << 14;
constexpr int kFlushSlices = 4;

// Fills a line word by word, each word a store of its own.
void fill_line(uint64_t* line, uint64_t value) {
  for (uint64_t i = 0; i < kWords; ++i) {
    line[i] = value;
    asm volatile("" : : : "memory");
  }
}

}  // namespace

void measure_flushes(const Bench& bench) {
  static uint64_t drawn = 0;
  const uint64_t region_lines = std::min(bench.huge.bytes(), kReferenceFootprint) / kLineBytes;
  std::vector<uint64_t> buffers(kBuffers * kWords);
  std::vector<char*> lines(kFlushes);
  for (int i = 0; i < kFlushSlices; ++i) {
    for (char*& line : lines) {
      line = bench.huge.data() + bounded(random_u64(1, drawn++), region_lines) * kLineBytes;
    }
    bench.add(Quantity::flushes, 0, take_slice(kFlushes, [&] {
                for (uint64_t k = 0; k < kFlushes; ++k) {
                  uint64_t* const buffer = buffers.data() + k % kBuffers * kWords;
                  fill_line(buffer, k);
                  std::memcpy(lines[k], buffer, kLineBytes);
                  asm volatile("" : : : "memory");
                }
              }));
  }
}

}  // namespace presort::probe
