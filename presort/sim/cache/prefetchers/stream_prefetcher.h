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

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "presort/sim/cache/prefetchers/page_limit.h"
#include "presort/sim/cache/prefetchers/page_order.h"
#include "presort/sim/cache/prefetchers/prefetcher.h"
#include "presort/sim/cache/short_tags.h"

namespace presort::inline v0::sim {

class StreamPrefetcher final : public LinePrefetcher {
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

  // Observes an access like observe(), and hands each line that the prefetcher wants to `fetch`.
  template <class Fetch>
  [[gnu::always_inline]] inline void watch(const Observed& access, const Fetch& fetch) {
    const size_t found = stream_of(access);
    if (found < kStreams && goes_on_with(found, access.line)) {
      run_ahead(found, access.busy, fetch);
    }
  }

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
  static size_t index_of(const Pages& pages, uint64_t page) {
    for (uint32_t left = match_32_short_tags(pages.tags.data(), static_cast<uint16_t>(page));
         left != 0; left &= left - 1) {
      const size_t candidate = static_cast<size_t>(std::countr_zero(left));
      if (pages.numbers[candidate] == page) {
        return candidate;
      }
    }
    return kStreams;
  }
  // Index of the stream that an access goes on with; kStreams if there is none, or it begins one.
  [[gnu::always_inline]] inline size_t stream_of(const Observed& access) {
    const uint64_t page = (access.line >> page_shift_) + 1;
    const size_t found = index_of(pages_, page);
    return found < kStreams ? found : stream_elsewhere(access, page);
  }
  size_t stream_elsewhere(const Observed& access, uint64_t page);
  // Notes an access in its stream. Returns whether the stream fetches ahead.
  bool goes_on_with(size_t found, uint64_t line) {
    Stream& stream = streams_[found];
    if (line == stream.last) {
      return false;
    }
    const int direction = line > stream.last ? 1 : -1;
    if (direction == stream.direction) {
      ++stream.confirmations;
    } else {
      stream.direction = direction;
      stream.confirmations = 1;
      stream.ahead = line;
      next_pages_.set(found, 0);
    }
    stream.last = line;
    lives_[found] = static_cast<uint8_t>(std::min(stream.confirmations, kMostLives));
    return stream.confirmations >= kConfirmationsToStart;
  }
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
  template <class Fetch>
  [[gnu::always_inline]] inline void run_ahead(size_t found, bool busy, const Fetch& fetch) {
    Stream& stream = streams_[found];
    if (crossing_.after > 0 && next_pages_.numbers[found] == 0) {
      look_ahead(found);
    }
    const uint64_t farthest = busy ? 1 : static_cast<uint64_t>(distance_);
    const bool up = stream.direction > 0;
    // A stream whose accesses overtook its prefetches starts to prefetch again from its last
    // access.
    if (up ? stream.ahead < stream.last : stream.ahead > stream.last) {
      stream.ahead = stream.last;
    }
    for (int i = 0; i < degree_; ++i) {
      const uint64_t lead = up ? stream.ahead - stream.last : stream.last - stream.ahead;
      const uint64_t next = up ? stream.ahead + 1 : stream.ahead - 1;
      const bool below_all = !up && stream.ahead == 0;
      if (lead >= farthest || below_all || !reaches(found, next)) {
        return;
      }
      stream.ahead = next;
      fetch(physical(found, next));
    }
  }
  // True if the stream may fetch `next`, counted on from its last line.
  bool reaches(size_t found, uint64_t next) const {
    const Stream& stream = streams_[found];
    if (limit_.reaches(stream.last, next)) {
      return true;
    }
    const uint64_t page = pages_.numbers[found] - 1;
    const uint64_t beyond = stream.direction > 0 ? page + 1 : page - 1;
    return next_pages_.numbers[found] != 0 && goes_on(stream) && next >> page_shift_ == beyond;
  }
  // The physical line of a line counted on from the page of a stream into its next virtual page.
  uint64_t physical(size_t found, uint64_t line) const {
    const uint64_t within = line & ((uint64_t{1} << page_shift_) - 1);
    const bool beyond = crossing_.after > 0 && line >> page_shift_ != pages_.numbers[found] - 1;
    return beyond ? (next_pages_.numbers[found] - 1) << page_shift_ | within : line;
  }

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
