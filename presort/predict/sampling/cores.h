// Simulated cores of one machine, each fed with its next accesses; or a sink that takes the
// accesses of a single core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "presort/core/machine/machine.h"
#include "presort/predict/predictor.h"
#include "presort/sim/hierarchy.h"
#include "presort/sim/multi_core.h"

namespace presort::inline v0::predict {

class Cores {
 public:
  // A source of accesses for each core; null for a core that has nothing to do.
  using Sources = std::span<sim::AccessSource* const>;

  // Errors: InputError when the machine has fewer than `count` cores, or has a block device and
  // `count` is not 1
  Cores(const Machine& machine, const SimulationOptions& options, const sim::AddressSpace& space,
        size_t count);

  // True if accesses are simulated. Otherwise their records go to the options' sink, and time
  // stands still.
  bool simulates() const { return record_only_ == nullptr; }

  // Feeds all sources to their cores, to the sources' ends. One function simulates their time; the
  // other simulates the effects on caches and TLBs without time.
  // Requires: a source for each core
  void run(Sources sources);
  void count(Sources sources);

  // Simulates the effect of accesses that are not the kernel's own on caches and TLBs, without
  // time. A sink does not get these accesses.
  void warm(size_t core, std::span<const sim::Access> accesses);
  // As warm(), for accesses so far back that only the last cache level remembers them
  // (sim::Hierarchy::warm_last_level). Several cores count them in full.
  void warm_last_level(size_t core, std::span<const sim::Access> accesses);

  double now_ns(size_t core) const;
  sim::Statistics statistics(size_t core);
  void reset_statistics();

  // Waits until the block device has received all data that memory could not keep.
  void write_back_pages();

 private:
  sim::AccessSink* record_only_;
  std::optional<sim::Hierarchy> one_;
  std::optional<sim::MultiCore> several_;
};

}  // namespace presort::predict
