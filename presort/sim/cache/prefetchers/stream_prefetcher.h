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
// Streams that go on into the next virtual page (`crossesAfter`) are what a Zen 5 shows: a stream
// starts afresh in its first three pages, 190 ns for the first 16 lines of each and 30 for the last,
// and takes 30 ns for 16 lines from the fourth page on (docs/results/loops.md).
#pragma once

#include <array>
#include <optional>

#include "presort/sim/cache/prefetchers/page_limit.h"
#include "presort/sim/cache/prefetchers/page_order.h"
#include "presort/sim/cache/prefetchers/prefetcher.h"

namespace presort::inline v0::sim {

class StreamPrefetcher : public LinePrefetcher {
 public:
  // When streams go on into the next virtual page.
  struct Crossing {
    int after = 0;  // pages in a row that a stream goes through before; 0: it never does
    const PageOrder* order = &kPagesInOrder;
  };

  StreamPrefetcher(uint64_t lines_per_page, PageLimit limit, int degree, int distance,
                   Crossing crossing);

  bool follows(uint64_t line) const override;
  void observe(const Observed& access, std::vector<uint64_t>& fetch) override;

 private:
  struct Stream {
    uint64_t last = 0;      // last line accessed in the stream
    uint64_t ahead = 0;     // last line prefetched for the stream
    int direction = 0;      // direction of the stream: +1, -1, or 0 before its second access
    int confirmations = 0;  // number of accesses that continued the stream
    int pages = 1;          // virtual pages in a row that the stream has gone through
  };
  static constexpr size_t kStreams = 32;
  static constexpr int kMostLives = 7;
  static constexpr int kMostPages = 1 << 20;  // pages in a row are counted up to here

  // A page for each stream: its number, plus 1; 0: none.
  struct Pages {
    std::array<uint64_t, kStreams> numbers{};
    std::array<uint16_t, kStreams>
        tags{};  // their low bits, compared first: most lookups find none

    void set(size_t stream, uint64_t page) {
      numbers[stream] = page;
      tags[stream] = static_cast<uint16_t>(page);
    }
  };
  // Index of the stream that has the page; kStreams if there is none.
  static size_t index_of(const Pages& pages, uint64_t page);
  size_t neighbour_of(uint64_t line) const;
  // Goes on with a stream in its next virtual page, as the same stream or afresh. Returns false if
  // the stream starts afresh there.
  bool enter(size_t stream, uint64_t page, uint64_t line);
  bool goes_on(const Stream& stream) const {
    return crossing_.after > 0 && stream.pages >= crossing_.after;
  }
  void follow(size_t stream, uint64_t page);
  // Looks up the virtual page that a stream would go on into.
  void look_ahead(size_t stream);
  size_t replaceable();
  void run_ahead(size_t found, bool busy, std::vector<uint64_t>& fetch);
  // True if the stream may fetch `next`, counted on from its last line.
  bool reaches(size_t stream, uint64_t next) const;
  // The physical line of a line counted on from the page of a stream into its next virtual page.
  uint64_t physical(size_t stream, uint64_t line) const;

  PageLimit limit_;
  int page_shift_;  // shift from line numbers to page numbers
  int degree_;
  int distance_;
  Crossing crossing_;
  Pages pages_;       // physical page that each stream is on
  Pages next_pages_;  // physical page of each stream's next virtual page, once that was looked up
  // Rounds of the clock's hand that each stream outlives, so that a stream that has gone on stays
  // among random accesses.
  std::array<uint8_t, kStreams> lives_{};
  size_t hand_ = 0;
  std::array<Stream, kStreams> streams_;
};

}  // namespace presort::sim
