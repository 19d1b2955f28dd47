// The requests of a first cache level to the levels below, in order: the list that the first pass
// of counting hands to the second.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace presort::inline v0::sim {

enum class Ask : uint8_t {
  load,      // a load or a page walk wants a line
  store,     // the core writes a line, and the first level writes through
  prefetch,  // a prefetcher of the first level wants a line
  putBack,   // the first level gives a dirty line to the level below
  drop,      // the level below drops its copy: the whole line is overwritten, past the caches
  // The level below writes its copy back and drops it: part of the line is written, past the caches
  clean,
  cleanDirty,  // as `clean` (write back and drop), when the first level's copy was dirty
};

class Request {
 public:
  Request() = default;
  Request(uint64_t line, Ask ask) : bits_(line << kAskBits | static_cast<uint64_t>(ask)) {}
  uint64_t line() const { return bits_ >> kAskBits; }
  Ask ask() const { return static_cast<Ask>(bits_ & ((1 << kAskBits) - 1)); }

 private:
  static constexpr int kAskBits = 3;
  uint64_t bits_;
};

class RequestList {
 public:
  static constexpr size_t kMost = 512;

  void add(uint64_t line, Ask ask) { requests_[count_++] = {line, ask}; }
  bool full() const { return count_ == kMost; }
  void clear() { count_ = 0; }
  std::span<const Request> all() const { return {requests_.data(), count_}; }

 private:
  std::array<Request, kMost> requests_;
  size_t count_ = 0;
};

}  // namespace presort::sim
