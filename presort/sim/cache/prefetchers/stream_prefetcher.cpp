#include "presort/sim/cache/prefetchers/stream_prefetcher.h"

#include <algorithm>
#include <bit>

namespace presort::inline v0::sim {

StreamPrefetcher::StreamPrefetcher(uint64_t lines_per_page, PageLimit limit, int degree,
                                   int distance, Crossing crossing)
    : limit_(limit),
      page_shift_(std::countr_zero(lines_per_page)),
      degree_(degree),
      distance_(distance),
      crossing_(crossing) {}

// Index of the stream on the page before or after `line`'s that goes on to `line`.
// Requires: streams may cross pages
size_t StreamPrefetcher::neighbour_of(uint64_t line) const {
  const uint64_t page = (line >> page_shift_) + 1;
  for (const uint64_t from : {page - 1, page + 1}) {
    if (from == 0) {
      continue;
    }
    const size_t found = index_of(pages_, from);
    if (found < kStreams && streams_[found].direction == (from < page ? 1 : -1) &&
        streams_[found].confirmations >= kConfirmationsToStart) {
      return found;
    }
  }
  return kStreams;
}

void StreamPrefetcher::follow(size_t stream, uint64_t page) {
  pages_.set(stream, page);
  next_pages_.set(stream, 0);
}

void StreamPrefetcher::look_ahead(size_t stream) {
  const std::optional<uint64_t> next =
      crossing_.order->beside(pages_.numbers[stream] - 1, streams_[stream].direction);
  next_pages_.set(stream, next ? *next + 1 : 0);
}

bool StreamPrefetcher::enter(size_t stream, uint64_t page, uint64_t line) {
  Stream& old = streams_[stream];
  const int pages = std::min(old.pages + 1, kMostPages);
  if (!goes_on(old)) {
    follow(stream, page);
    old = Stream{.last = line, .ahead = line, .pages = pages};
    return false;
  }
  // The line before the first of the page, in the stream's direction, and as many lines ahead of it
  // as were fetched beyond the page before.
  const bool up = old.direction > 0;
  const uint64_t mask = (uint64_t{1} << page_shift_) - 1;
  const uint64_t last_of_old = up ? old.last | mask : old.last & ~mask;
  const uint64_t lead = up ? old.ahead - std::min(old.ahead, last_of_old)
                           : last_of_old - std::min(old.ahead, last_of_old);
  const uint64_t begin = (page - 1) << page_shift_;
  follow(stream, page);
  old.last = up ? begin - 1 : begin + mask + 1;
  old.ahead = up ? old.last + lead : old.last - lead;
  old.pages = pages;
  look_ahead(stream);
  return true;
}

bool StreamPrefetcher::follows(uint64_t line) const {
  const uint64_t page = (line >> page_shift_) + 1;
  const size_t found = index_of(pages_, page);
  if (found == kStreams) {
    const size_t into = crossing_.after > 0 ? index_of(next_pages_, page) : kStreams;
    return into < kStreams && goes_on(streams_[into]);
  }
  const Stream& stream = streams_[found];
  return stream.confirmations >= kConfirmationsToStart &&
         (stream.direction > 0 ? line > stream.last : line < stream.last);
}

size_t StreamPrefetcher::stream_elsewhere(const Observed& access, uint64_t page) {
  const uint64_t line = access.line;
  size_t found = kStreams;
  if (crossing_.after > 0) {
    found = index_of(next_pages_, page);
    if (found < kStreams && !goes_on(streams_[found]) && !access.trigger) {
      return kStreams;
    }
    if (found < kStreams && !enter(found, page, line)) {
      return kStreams;
    }
  }
  if (found < kStreams) {
    return found;
  }
  found = limit_.crosses_pages() ? neighbour_of(line) : kStreams;
  if (found < kStreams) {
    follow(found, page);
  } else if (access.trigger) {
    const size_t fresh = replaceable();
    follow(fresh, page);
    streams_[fresh] = Stream{.last = line, .ahead = line};
  }
  return found;
}

void StreamPrefetcher::observe(const Observed& access, std::vector<uint64_t>& fetch) {
  watch(access, [&](uint64_t line) { fetch.push_back(line); });
}

// Index of the stream to replace, by the clock algorithm: its hand takes one life from each stream
// that it passes, and stops at the first that has none left.
size_t StreamPrefetcher::replaceable() {
  for (;;) {
    const size_t chosen = hand_;
    hand_ = (hand_ + 1) % kStreams;
    if (lives_[chosen] == 0) {
      return chosen;
    }
    --lives_[chosen];
  }
}

}  // namespace presort::sim
