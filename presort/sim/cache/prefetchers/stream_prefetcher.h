// Follows up to 32 ascending or descending streams, one per 4 KiB page, and runs ahead of each by
// up to `distance` lines, `degree` lines at a time.
// Source: Intel 64 and IA-32 Architectures Optimization Reference Manual, "Streamer": one forward
//         or backward stream per 4-KByte page, 32 streams, up to 20 lines ahead, two fetches per L2
//         lookup; "if there are many outstanding requests, it prefetches to LLC only and less far
//         ahead": then one line, which CacheStack fetches into the level below.
// Only misses, and first uses of prefetched lines, begin to follow a page, and a page whose
// accesses have gone on outlives several rounds of others: on a Golden Cove a stream stays
// prefetched beside 64 random hits in the L2 a line, and half so beside 64 misses
// (docs/results/loops.md). A stream that may cross pages goes on in the next one as the same stream
// when its accesses do.
#pragma once

#include <array>

#include "presort/sim/cache/prefetchers/page_limit.h"
#include "presort/sim/cache/prefetchers/prefetcher.h"

namespace presort::inline v0::sim {

class StreamPrefetcher : public LinePrefetcher {
 public:
  StreamPrefetcher(uint64_t lines_per_page, PageLimit limit, int degree, int distance);

  bool follows(uint64_t line) const override;
  void observe(const Observed& access, std::vector<uint64_t>& fetch) override;

 private:
  struct Stream {
    uint64_t last = 0;      // last line accessed in the stream
    uint64_t ahead = 0;     // last line prefetched for the stream
    int direction = 0;      // direction of the stream: +1, -1, or 0 before its second access
    int confirmations = 0;  // number of accesses that continued the stream
  };
  static constexpr size_t kStreams = 32;
  static constexpr int kMostLives = 7;

  size_t find(uint64_t page) const;  // index of the stream on a page; kStreams if there is none
  size_t neighbour_of(uint64_t line) const;
  void follow(size_t stream, uint64_t page);
  size_t replaceable();
  void run_ahead(Stream& stream, bool busy, std::vector<uint64_t>& fetch) const;

  PageLimit limit_;
  int page_shift_;  // shift from line numbers to page numbers
  int degree_;
  int distance_;
  std::array<uint64_t, kStreams> pages_;  // page number of each stream, plus 1; 0: none
  // Low bits of pages_, compared first: most lookups find no stream
  std::array<uint16_t, kStreams> short_tags_;
  // Rounds of the clock's hand that each stream outlives, so that a stream that has gone on stays
  // among random accesses.
  std::array<uint8_t, kStreams> lives_{};
  size_t hand_ = 0;
  std::array<Stream, kStreams> streams_;
};

}  // namespace presort::sim
