#include "presort/predict/phases/slices/phase_jobs.h"

#include <algorithm>
#include <utility>

#include "presort/predict/phases/slices/update_machine.h"

namespace presort::inline v0::predict {
namespace {

Machine without_transfers(Machine machine) {
  machine.line_transfer_ns = 0;
  return machine;
}

}  // namespace

PhaseJobs::PhaseJobs(const Machine& machine, const SimulationOptions& options,
                     const Problem& problem, PageSize page_size, size_t threads,
                     const ArrayPlaces& places, ElementBytes bytes)
    : Keeping(machine, options, problem, page_size, threads, places, bytes),
      space_(page_bytes_),
      update_machine_(update_machine(machine, problem)),
      parts_machine_(without_transfers(update_machine_)) {}

PhaseJob PhaseJobs::job_of(std::vector<cpu::Share> shares, uint64_t total, uint64_t elements) {
  own_ = {0, problem_.m};
  space_ = placed(elements);
  PhaseJob job;
  job.shares = std::move(shares);
  job.total = total;
  job.replayed = replayed();
  job.move = [this, elements](uint64_t slice) { move_arrays(slice, elements); };
  job.prepare = [](Sampler&, size_t, uint64_t, int) {};
  return job;
}

PhaseJob PhaseJobs::job_of_inputs(const PhaseInput& input, WarmUp warm_up) {
  const uint64_t n = input.labels->size();
  PhaseJob job = job_of(divide(n), n, threads_ == 1 ? n : problem_.n);
  job.first_warm_up = warm_up.first;
  job.later_warm_up = warm_up.later;
  job.preceding = preceding_parts(input);
  job.move_to_part = [this, n](uint64_t k) { move_to_part(k, n); };
  keep(job, input);
  return job;
}

PhaseJob PhaseJobs::job_of_array(std::vector<cpu::Share> shares, uint64_t total,
                                 uint64_t elements) {
  PhaseJob job = job_of(std::move(shares), total, threads_ == 1 ? elements : problem_.n);
  if (threads_ == 1) {
    job.first_warm_up = kRewarmItems;
    job.later_warm_up = kRewarmItems;
    job.open_to = [](uint64_t) { return ~uint64_t{0}; };
  }
  return job;
}

PhaseEstimate PhaseJobs::sample(const PhaseJob& job) {
  buckets_ = address_of(Region::buckets);
  return sample_job(machine_, options_, space_, job);
}

PhaseEstimate PhaseJobs::sample_updates(const PhaseJob& job) {
  buckets_ = address_of(Region::buckets);
  return sample_job(update_machine_, options_, space_, job);
}

uint64_t PhaseJobs::replayed() const {
  return threads_ == 1 ? options_.replayed_inputs
                       : std::min(options_.replayed_inputs, kReplayItems);
}

uint64_t PhaseJobs::preceding_parts(const PhaseInput& input) {
  constexpr uint64_t kInputs = 1 << 15;
  const uint64_t n = input.labels->size();
  return input.is_part && n > 0 && n <= kLongestWarm ? (kInputs + n - 1) / n : 0;
}

}  // namespace presort::predict
