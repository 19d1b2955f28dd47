#include "presort/probe/workloads/meter.h"

#include <sys/resource.h>

namespace presort::inline v0::probe {
namespace {

inline void add(uint64_t& sum, uint64_t& term) {
  asm volatile("" : "+r"(sum += term), "+r"(term));
}

double independent_add_ns() {
  constexpr int kRounds = 5000;
  constexpr int kAdds = 8;
  uint64_t sums[kAdds] = {1, 2, 3, 4, 5, 6, 7, 8};
  uint64_t a = sums[0], b = sums[1], c = sums[2], d = sums[3];
  uint64_t e = sums[4], f = sums[5], g = sums[6], h = sums[7];
  uint64_t term = 3;
  keep(term);
  const auto start = SteadyClock::now();
  for (int round = 0; round < kRounds; ++round) {
    add(a, term), add(b, term), add(c, term), add(d, term);
    add(e, term), add(f, term), add(g, term), add(h, term);
  }
  return ns_since(start) / (kRounds * kAdds);
}

double dependent_add_ns() {
  constexpr int kRounds = 2500;
  constexpr int kAdds = 16;
  uint64_t sum = 1;
  uint64_t term = 3;
  keep(term);
  const auto start = SteadyClock::now();
  for (int round = 0; round < kRounds; ++round) {
    add(sum, term), add(sum, term), add(sum, term), add(sum, term);
    add(sum, term), add(sum, term), add(sum, term), add(sum, term);
    add(sum, term), add(sum, term), add(sum, term), add(sum, term);
    add(sum, term), add(sum, term), add(sum, term), add(sum, term);
  }
  return ns_since(start) / (kRounds * kAdds);
}

}  // namespace

long preemptions() {
#if defined(RUSAGE_THREAD)
  rusage usage{};
  return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
#else
  return 0;
#endif
}

CoreState core_state() {
  const double cycle_ns = dependent_add_ns();
  return {.cycle_ns = cycle_ns, .crowding = independent_add_ns() / cycle_ns};
}

}  // namespace presort::probe
