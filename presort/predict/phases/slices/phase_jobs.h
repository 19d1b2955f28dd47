// Makes the jobs (sampling/phase_job.h) of the phases of one problem, and times them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "presort/predict/phases/slices/keeping.h"
#include "presort/sim/tlb/address_space.h"

namespace presort::inline v0::predict {

class PhaseJobs : protected Keeping {
 protected:
  PhaseJobs(const Machine& machine, const SimulationOptions& options, const Problem& problem,
            PageSize page_size, size_t threads, const ArrayPlaces& places, ElementBytes bytes);

  // Makes a job with the given shares, whose arrays have at most `elements` elements.
  PhaseJob job_of(std::vector<cpu::Share> shares, uint64_t total, uint64_t elements);
  // Makes a job over inputs, with a share for each thread.
  PhaseJob job_of_inputs(const PhaseInput& input, WarmUp warm_up);
  // Makes a job over an array without contents, which can be opened whole.
  PhaseJob job_of_array(std::vector<cpu::Share> shares, uint64_t total, uint64_t elements);

  PhaseEstimate sample(const PhaseJob& job);
  // Like sample(), of a job that updates buckets.
  PhaseEstimate sample_updates(const PhaseJob& job);

  // Longest sequence, in items, that is run through the caches as a whole (sampling/replay.h).
  uint64_t replayed() const;

  // Number of parts like `input` to simulate untimed before it, so that tables and buffers are in the
  // caches, as they are for all parts but the first. Measured: 2^24 inputs sorted by 20 bits in three
  // passes, parts of 1024 inputs in the third pass: 27.5 ns predicted with a first part alone, 10.8 ns
  // with these parts before it, 7.3 ns in real runs.
  static uint64_t preceding_parts(const PhaseInput& input);

  sim::AddressSpace space_;  // address space of the phase that is simulated
  Machine update_machine_;   // machine on which updates of buckets run (update_machine.h)
  // Machine on which updates run after a pre-sort. Threads have parts of their own, and are seldom at
  // work at two sides of a line at a time
  Machine parts_machine_;
};

}  // namespace presort::predict
