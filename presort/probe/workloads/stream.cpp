#include "presort/probe/workloads/stream.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "presort/cpu/threads/start_threads.h"
#include "presort/probe/host/affinity.h"
#include "presort/probe/workloads/meter.h"

namespace presort::inline v0::probe {
namespace {

constexpr uint64_t kBlock = 64;

uint64_t sum_of(const char* data, uint64_t bytes) {
  const auto* words = reinterpret_cast<const uint64_t*>(data);
  uint64_t sums[4] = {};
  for (uint64_t i = 0; i < bytes / sizeof(uint64_t); i += 8) {
    for (uint64_t k = 0; k < 4; ++k) {
      sums[k] += words[i + k] + words[i + k + 4];
    }
  }
  return sums[0] + sums[1] + sums[2] + sums[3];
}

void read_bytes(const char* data, uint64_t bytes) {
  uint64_t sum = sum_of(data, bytes);
  keep(sum);
}

// Copies in blocks of 64 bytes, so that the C library does not choose streaming stores.
void copy_bytes(char* to, const char* from, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; i += kBlock) {
    std::memcpy(to + i, from + i, kBlock);
    asm volatile("" : : : "memory");
  }
}

// A barrier that threads pass once.
struct Gate {
  std::atomic<size_t> ready = 0;
  std::atomic<bool> shut = false;  // true: some threads will never arrive, so nobody should wait
};

// Waits until all `count` threads are at the gate; false when the gate is shut. Spins first, as
// each thread should have a core of its own; then yields, in case some have none.
bool wait_for_all(Gate& gate, size_t count) {
  constexpr int kSpins = 20000;
  ++gate.ready;
  for (int spin = 0; gate.ready < count && !gate.shut; ++spin) {
    if (spin > kSpins) {
      std::this_thread::yield();
    }
  }
  return !gate.shut;
}

struct Span {
  SteadyClock::time_point first;
  SteadyClock::time_point last;
};

// Time from the first start to the last end of several threads, ns.
double nanoseconds(const std::vector<Span>& spans) {
  auto [first, last] = spans.front();
  for (const Span& span : spans) {
    first = std::min(first, span.first);
    last = std::max(last, span.last);
  }
  return std::chrono::duration<double, std::nano>(last - first).count();
}

#if defined(__SSE2__)
void stream_bytes(char* to, uint64_t bytes) {
  const __m128i value = _mm_set1_epi32(1);
  for (uint64_t i = 0; i < bytes; i += sizeof(__m128i)) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), value);
  }
  _mm_sfence();
}
#endif

}  // namespace

char* Stream::advance(uint64_t bytes) {
  if (offset_ + bytes > arena_.bytes()) {
    offset_ = 0;
  }
  char* const start = arena_.data() + offset_;
  offset_ += bytes;
  return start;
}

Slice Stream::read(uint64_t bytes) {
  const char* const from = advance(bytes);
  return take_slice(bytes / kBlock, [&] { read_bytes(from, bytes); });
}

Slice Stream::read_again(uint64_t bytes) {
  return take_slice(bytes / kBlock, [&] { read_bytes(arena_.data(), bytes); });
}

Slice Stream::copy(uint64_t bytes) {
  char* const start = advance(2 * bytes);
  return take_slice(bytes / kBlock, [&] { copy_bytes(start + bytes, start, bytes); });
}

std::optional<Slice> Stream::streaming_store([[maybe_unused]] uint64_t bytes) {
#if defined(__SSE2__)
  char* const to = advance(bytes);
  return take_slice(bytes / kBlock, [&] { stream_bytes(to, bytes); });
#else
  return std::nullopt;
#endif
}

std::optional<Slice> Stream::read_all(const std::vector<int>& cpus, uint64_t bytes_each) {
  const uint64_t part = arena_.bytes() / cpus.size() / kBlock * kBlock;
  const uint64_t bytes = std::min(bytes_each / kBlock * kBlock, part);
  const uint64_t first = bytes < part ? offset_ % (part - bytes) / kBlock * kBlock : 0;
  offset_ += bytes;
  Gate gate;
  std::vector<Span> spans(cpus.size());
  const auto read_part = [&](size_t k) {
    pin_to(cpus[k]);
    if (wait_for_all(gate, cpus.size())) {
      spans[k].first = SteadyClock::now();
      read_bytes(arena_.data() + part * k + first, bytes);
      spans[k].last = SteadyClock::now();
    }
  };
  Slice slice = take_slice(1, [&] {
    const std::vector<std::jthread> threads = cpu::start_threads(cpus.size(), read_part);
    gate.shut = threads.size() < cpus.size();
  });
  if (gate.shut) {
    return std::nullopt;
  }
  const uint64_t blocks = bytes / kBlock * cpus.size();
  slice.value_ns = nanoseconds(spans) / static_cast<double>(blocks);
  return slice;
}

}  // namespace presort::probe
