// A kernel phase as a stream of memory accesses, from any item of the phase to any other.
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/predict/trace/tracing_memory.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::predict {

// Number of items whose records are handed out at a time: few enough that records stay in the
// host's first-level cache.
inline constexpr uint64_t kTraceBatch = 256;

// Generates the access records of a phase.
// Requires: phase and memory outlive this object
template <class Phase>
class PhaseTrace final : public sim::AccessSource {
 public:
  PhaseTrace(const Phase& phase, uint64_t first, uint64_t last, TracingMemory& memory)
      : phase_(phase), next_(first), last_(last), memory_(memory) {}

  std::span<const sim::Access> next() override {
    memory_.clear();
    const uint64_t end = std::min(last_, next_ + kTraceBatch);
    if (next_ < end) {
      phase_.step(next_, end, memory_);
      next_ = end;
    }
    return memory_.records();
  }

 private:
  const Phase& phase_;
  uint64_t next_;
  uint64_t last_;
  TracingMemory& memory_;
};

// A PhaseTrace that owns its phase.
template <class Phase>
class OwnPhaseTrace final : public sim::AccessSource {
 public:
  OwnPhaseTrace(const Phase& phase, uint64_t first, uint64_t last, TracingMemory& memory)
      : phase_(phase), trace_(phase_, first, last, memory) {}
  OwnPhaseTrace(const OwnPhaseTrace&) = delete;

  std::span<const sim::Access> next() override { return trace_.next(); }

 private:
  Phase phase_;
  PhaseTrace<Phase> trace_;
};

}  // namespace presort::predict
