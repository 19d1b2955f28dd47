#include "presort/probe/host/counters.h"

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <cstdint>

namespace presort::inline v0::probe {
namespace {

#ifdef __linux__
constexpr uint64_t missed_loads_of(uint64_t cache) {
  return cache | (PERF_COUNT_HW_CACHE_OP_READ << 8) | (PERF_COUNT_HW_CACHE_RESULT_MISS << 16);
}

struct Kind {
  uint32_t type;
  uint64_t config;
};
constexpr Kind kKinds[] = {
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {PERF_TYPE_HW_CACHE, missed_loads_of(PERF_COUNT_HW_CACHE_L1D)},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {PERF_TYPE_HW_CACHE, missed_loads_of(PERF_COUNT_HW_CACHE_DTLB)},
};
static_assert(std::size(kKinds) == std::size(kEvents));

// A hardware counter of one event in one thread.
class Counter {
 public:
  explicit Counter(const Kind& kind) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = kind.type;
    attributes.config = kind.config;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    constexpr int kThisThread = 0;
    constexpr int kAnyProcessor = -1;
    constexpr int kNoGroup = -1;
    file_ = static_cast<int>(
        syscall(SYS_perf_event_open, &attributes, kThisThread, kAnyProcessor, kNoGroup, 0));
  }
  ~Counter() {
    if (file_ >= 0) {
      close(file_);
    }
  }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  double count() const {
    struct {
      uint64_t count, enabled, running;
    } state{};
    const bool is_whole = file_ >= 0 && read(file_, &state, sizeof state) == sizeof state &&
                          state.running == state.enabled;
    return is_whole ? static_cast<double>(state.count) : -1;
  }

 private:
  int file_ = -1;
};
#endif

}  // namespace

Counts counts_so_far() {
#ifdef __linux__
  thread_local const Counter counters[] = {Counter(kKinds[0]), Counter(kKinds[1]),
                                           Counter(kKinds[2]), Counter(kKinds[3])};
  Counts counts{};
  for (size_t i = 0; i < counts.size(); ++i) {
    counts[i] = counters[i].count();
  }
  return counts;
#else
  return kNotCounted;
#endif
}

Counts counts_between(const Counts& before, const Counts& after, double operations) {
  Counts counts{};
  for (size_t i = 0; i < counts.size(); ++i) {
    counts[i] = before[i] < 0 || after[i] < 0 ? -1 : (after[i] - before[i]) / operations;
  }
  return counts;
}

}  // namespace presort::probe
