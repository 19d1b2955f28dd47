#include "presort/sim/cache/prefetchers/stream_prefetcher.h"

#include <algorithm>
#include <bit>

#include "presort/sim/cache/short_tags.h"

namespace presort::inline v0::sim {

StreamPrefetcher::StreamPrefetcher(uint64_t lines_per_page, PageLimit limit, int degree,
                                   int distance, Crossing crossing)
    : limit_(limit),
      page_shift_(std::countr_zero(lines_per_page)),
      degree_(degree),
      distance_(distance),
      crossing_(crossing) {}

size_t StreamPrefetcher::index_of(const Pages& pages, uint64_t page) {
  for (uint32_t left = match_32_short_tags(pages.tags.data(), static_cast<uint16_t>(page));
       left != 0; left &= left - 1) {
    const size_t candidate = static_cast<size_t>(std::countr_zero(left));
    if (pages.numbers[candidate] == page) {
      return candidate;
    }
  }
  return kStreams;
}

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

void StreamPrefetcher::observe(const Observed& access, std::vector<uint64_t>& fetch) {
  const uint64_t line = access.line;
  const uint64_t page = (line >> page_shift_) + 1;
  size_t found = index_of(pages_, page);
  if (found == kStreams && crossing_.after > 0) {
    found = index_of(next_pages_, page);
    if (found < kStreams && !goes_on(streams_[found]) && !access.trigger) {
      return;
    }
    if (found < kStreams && !enter(found, page, line)) {
      return;
    }
  }
  if (found == kStreams) {
    found = limit_.crosses_pages() ? neighbour_of(line) : kStreams;
    if (found == kStreams) {
      if (!access.trigger) {
        return;
      }
      const size_t fresh = replaceable();
      follow(fresh, page);
      streams_[fresh] = Stream{.last = line, .ahead = line};
      return;
    }
    follow(found, page);
  }
  Stream& stream = streams_[found];
  if (line == stream.last) {
    return;
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
  if (stream.confirmations >= kConfirmationsToStart) {
    run_ahead(found, access.busy, fetch);
  }
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

bool StreamPrefetcher::reaches(size_t found, uint64_t next) const {
  const Stream& stream = streams_[found];
  if (limit_.reaches(stream.last, next)) {
    return true;
  }
  const uint64_t page = pages_.numbers[found] - 1;
  const uint64_t beyond = stream.direction > 0 ? page + 1 : page - 1;
  return next_pages_.numbers[found] != 0 && goes_on(stream) && next >> page_shift_ == beyond;
}

uint64_t StreamPrefetcher::physical(size_t found, uint64_t line) const {
  const uint64_t within = line & ((uint64_t{1} << page_shift_) - 1);
  const bool beyond = crossing_.after > 0 && line >> page_shift_ != pages_.numbers[found] - 1;
  return beyond ? (next_pages_.numbers[found] - 1) << page_shift_ | within : line;
}

void StreamPrefetcher::run_ahead(size_t found, bool busy, std::vector<uint64_t>& fetch) {
  Stream& stream = streams_[found];
  if (crossing_.after > 0 && next_pages_.numbers[found] == 0) {
    look_ahead(found);
  }
  const uint64_t farthest = busy ? 1 : static_cast<uint64_t>(distance_);
  const bool up = stream.direction > 0;
  // A stream whose accesses overtook its prefetches starts to prefetch again from its last access.
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
    fetch.push_back(physical(found, next));
  }
}

}  // namespace presort::sim
