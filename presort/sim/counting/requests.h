// What a first cache level asks of the levels below, in order: the list that the two passes of
// counting hand over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace presort::inline v0::sim {

enum class Ask : uint8_t {
  load,        // a line, for a load or a walk
  store,       // a line is written: the first level writes through
  prefetch,    // a line, for a prefetcher of the first level
  putBack,     // takes a dirty line
  drop,        // gives its copy up: the line is overwritten whole, past the caches
  clean,       // writes its copy back and gives it up: the line is written in part, past the caches
  cleanDirty,  // likewise; the first level's copy was dirty
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
