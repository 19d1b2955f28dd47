#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/measurement.h"
#include "presort/probe/workloads/meter.h"
#include "presort/probe/workloads/workloads.h"

namespace presort::inline v0::probe {
namespace {

constexpr uint64_t kStreamBytes = kStreamPages * kSmallPageBytes;
constexpr uint64_t kQuarterBytes = kSmallPageBytes / 4;  // 16 lines of 64 bytes
constexpr uint64_t kStreamsPerSlice = 128;
constexpr int kPageSlices = 2;

// Reads every word of 16 lines.
void read_quarter(const char* from) {
  const auto* words = reinterpret_cast<const uint64_t*>(from);
  uint64_t sum = 0;
  for (uint64_t i = 0; i < kQuarterBytes / sizeof(uint64_t); ++i) {
    sum += words[i];
  }
  keep(sum);
}

// Times in ns of one quarter of each page of a stream, a list for each page.
using PageTimes = std::vector<std::vector<double>>;

// Reads a stream that begins at `from`, and notes the times of the first and of the last quarter of
// each of its pages.
void read_stream(const char* from, PageTimes& begins, PageTimes& ends) {
  for (uint64_t page = 0; page < kStreamPages; ++page) {
    const char* const quarters = from + page * kSmallPageBytes;
    const auto first = SteadyClock::now();
    read_quarter(quarters);
    begins[page].push_back(ns_since(first));
    read_quarter(quarters + kQuarterBytes);
    read_quarter(quarters + 2 * kQuarterBytes);
    const auto last = SteadyClock::now();
    read_quarter(quarters + 3 * kQuarterBytes);
    ends[page].push_back(ns_since(last));
  }
}

// Adds a slice for each page: the median of its times, with the state of the core around `all`.
void add_medians(const Bench& bench, Quantity quantity, const Slice& all, PageTimes&& times) {
  for (uint64_t page = 0; page < kStreamPages; ++page) {
    Slice slice = all;
    slice.value_ns = quantile(std::move(times[page]), 0.5);
    bench.add(quantity, page, slice);
  }
}

}  // namespace

void measure_stream_pages(const Bench& bench) {
  // Places come in another order in each slice, so that few of them are in a cache.
  static uint64_t drawn = 0;
  const uint64_t places = bench.small.bytes() / kStreamBytes;
  for (int i = 0; i < kPageSlices; ++i) {
    PageTimes begins(kStreamPages);
    PageTimes ends(kStreamPages);
    const Slice all = take_slice(kStreamsPerSlice, [&] {
      for (uint64_t stream = 0; stream < kStreamsPerSlice; ++stream) {
        const uint64_t place = bounded(random_u64(1, drawn++), places);
        read_stream(bench.small.data() + place * kStreamBytes, begins, ends);
      }
    });
    add_medians(bench, Quantity::pageBegin, all, std::move(begins));
    add_medians(bench, Quantity::pageEnd, all, std::move(ends));
  }
}

}  // namespace presort::probe
