#include "sim/cache/stream_prefetcher.h"

namespace presort::sim {

namespace {
constexpr int kConfirmationsToStart = 2;
}  // namespace

StreamPrefetcher::Stream& StreamPrefetcher::find(uint64_t page) {
  Stream* oldest = &streams_[0];
  for (Stream& stream : streams_) {
    if (stream.page == page) {
      return stream;
    }
    if (stream.used < oldest->used) {
      oldest = &stream;
    }
  }
  *oldest = Stream{};
  oldest->page = page;
  return *oldest;
}

void StreamPrefetcher::observe(uint64_t line, bool /*trigger*/, std::vector<uint64_t>& fetch) {
  Stream& stream = find(line / lines_per_page_);
  const bool fresh = stream.used == 0;
  stream.used = ++clock_;
  if (fresh || line == stream.last) {
    stream.last = line;
    stream.ahead = fresh ? line : stream.ahead;
    return;
  }
  const int direction = line > stream.last ? 1 : -1;
  if (direction == stream.direction) {
    ++stream.confirmations;
  } else {
    stream.direction = direction;
    stream.confirmations = 1;
    stream.ahead = line;
  }
  stream.last = line;
  if (stream.confirmations >= kConfirmationsToStart) {
    run_ahead(stream, fetch);
  }
}

void StreamPrefetcher::run_ahead(Stream& stream, std::vector<uint64_t>& fetch) const {
  const bool up = stream.direction > 0;
  // A stream that overtook its own prefetches starts again from where it is.
  if (up ? stream.ahead < stream.last : stream.ahead > stream.last) {
    stream.ahead = stream.last;
  }
  for (int i = 0; i < degree_; ++i) {
    const uint64_t lead = up ? stream.ahead - stream.last : stream.last - stream.ahead;
    const uint64_t next = up ? stream.ahead + 1 : stream.ahead - 1;
    if (lead >= static_cast<uint64_t>(distance_) || next / lines_per_page_ != stream.page) {
      return;
    }
    stream.ahead = next;
    fetch.push_back(next);
  }
}

}  // namespace presort::sim
