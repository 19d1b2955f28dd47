// The members of CorePhases (predict/phases/core_phases.h) for private tables
// (cpu/detail/private_tables.h).
#pragma once

#include "presort/predict/phases/core_phases.h"

namespace presort::inline v0::predict {

// Warms the cache lines of a thread's own table as they are after the table was filled and updated.
template <class Label, class Value>
void CorePhases<Label, Value>::warm_table(Core core, size_t t) {
  buckets_ = table(t).address;
  warm_lines(core, 0, problem_.m * sizeof(Value));
  buckets_ = address_of(Region::buckets);
}

template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::fill_tables() {
  const uint64_t m = problem_.m;
  std::vector<cpu::Share> shares(threads_, {0, m});
  if (has_results(problem_.operation)) {
    shares.front() = {};  // in a scan by several threads the first one has no private table
  }
  PhaseJob job = job_of_array(std::move(shares), m, m);
  job.open = [&](size_t t, uint64_t, uint64_t) -> std::unique_ptr<ItemStream> {
    if (problem_.operation == Operation::scatter) {
      return plain_stream(cpu::FillTable<TracingMemory, uint8_t>{marks(t), 0});
    }
    return plain_stream(cpu::FillTable<TracingMemory, Value>{table(t), Value{}});
  };
  return sample(job);
}

// Simulates updates of private tables. open(t, first, last, size) makes a stream of inputs [first,
// last) of thread t, whose share ends at `size`.
template <class Label, class Value>
template <class Open>
PhaseEstimate CorePhases<Label, Value>::sample_tables(const PhaseInput& input,
                                                      std::vector<cpu::Share> shares,
                                                      const Open& open) {
  // Number of inputs until most lines of a table have been accessed.
  const uint64_t lines = problem_.m * sizeof(Value) / line_bytes_ + 1;
  PhaseJob job = job_of_inputs(input, reused(3 * lines));
  keep(job, input, arrays_of_results(input));
  job.shares = std::move(shares);
  job.prepare = [&](Sampler& sampler, size_t t, uint64_t, int slice) {
    if (slice == 0) {
      warm_table(sampler.core(t), t);
    }
  };
  job.open = [&](size_t t, uint64_t first, uint64_t last) {
    return open(t, first, last, job.shares[t].last);
  };
  return sample_updates(job);
}

template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::update_tables(const PhaseInput& input,
                                                      cpu::Distances distances) {
  return sample_tables(
      input, divide(input.labels->size()),
      [&](size_t t, uint64_t first, uint64_t last, uint64_t size) {
        if (problem_.operation == Operation::scatter) {
          const cpu::MarkedAssign<TracingMemory> update{marks(t)};
          return direct_stream(input, first, last, size, table(t), update, distances);
        }
        const cpu::ReduceUpdate<Sum<Value>> update{};
        return direct_stream(input, first, last, size, table(t), update, distances);
      });
}

// Finds which buckets each thread has updated, from a sample of its inputs that is large enough to
// tell.
template <class Label, class Value>
void CorePhases<Label, Value>::mark_written(const LabelSource& labels) {
  constexpr uint64_t kPerBucket = 4;
  written_.assign(threads_ * stride_, 0);
  std::vector<uint64_t> block(1024);
  for (size_t t = 0; t < threads_; ++t) {
    const cpu::Share inputs = cpu::share_of(labels.size(), t, threads_);
    const uint64_t end = inputs.first + std::min<uint64_t>(inputs.count(), kPerBucket * problem_.m);
    for (uint64_t at = inputs.first; at < end; at += block.size()) {
      options_.stop.check();
      block.resize(std::min<uint64_t>(block.size(), end - at));
      labels.generate(at, block);
      for (const uint64_t label : block) {
        written_[t * stride_ + label] = 1;
      }
    }
  }
}

// Simulates merging private tables: each thread merges a range of buckets, and reads it from every
// table in the caches of the thread that updated the table.
template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::merge_tables(const LabelSource& labels) {
  const uint64_t m = problem_.m;
  const bool assigns = problem_.operation == Operation::scatter;
  if (assigns) {
    mark_written(labels);
  }
  PhaseJob job = job_of_array(divide(m), m, m);
  job.prepare = [&](Sampler& sampler, size_t t, uint64_t, int) { warm_table(sampler.core(t), t); };
  job.open = [&](size_t, uint64_t, uint64_t) -> std::unique_ptr<ItemStream> {
    const TracedArray<Value> buckets{address_of(Region::buckets)};
    if (assigns) {
      const auto written = backed(Region::written, written_);
      return plain_stream(
          cpu::MergeAssigned<TracingMemory, Value>{buckets, table(0), written, stride_, threads_});
    }
    return plain_stream(cpu::MergeReduced<TracingMemory, Value, Sum<Value>>{
        buckets, table(0), stride_, threads_, {}});
  };
  return sample(job);
}

// Simulates the first share of a scan: the first thread scans with the buckets, the others reduce
// to their tables.
template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::scan_first_share(const PhaseInput& input,
                                                         cpu::Distances distances) {
  return sample_tables(input, scan_shares(0),
                       [&](size_t t, uint64_t first, uint64_t last, uint64_t size) {
                         if (t == 0) {
                           const TracedArray<Value> buckets{address_of(Region::buckets)};
                           const typename Updates::UnplacedScan scan{};
                           return direct_stream(input, first, last, size, buckets, scan, distances);
                         }
                         return direct_stream(input, first, last, size, table(t),
                                              cpu::ReduceUpdate<Sum<Value>>{}, distances);
                       });
}

template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::prefix_tables() {
  const uint64_t m = problem_.m;
  PhaseJob job = job_of_array(divide(m), m, m);
  job.prepare = [&](Sampler& sampler, size_t t, uint64_t, int) { warm_table(sampler.core(t), t); };
  job.open = [&](size_t, uint64_t, uint64_t) {
    return plain_stream(cpu::PrefixTables<TracingMemory, Value, Sum<Value>>{
        {address_of(Region::buckets)}, table(1), stride_, threads_ - 1, {}});
  };
  return sample(job);
}

template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::scan_other_shares(const PhaseInput& input,
                                                          cpu::Distances distances) {
  return sample_tables(
      input, scan_shares(1), [&](size_t t, uint64_t first, uint64_t last, uint64_t size) {
        const bool is_last = t + 1 == threads_;
        const typename Updates::UnplacedScan scan{};
        return direct_stream(
            input, first, last, size,
            is_last ? TracedArray<Value>{address_of(Region::buckets)} : table(t + 1), scan,
            distances);
      });
}

}  // namespace presort::predict
