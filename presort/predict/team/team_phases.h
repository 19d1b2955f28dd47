// PhaseSimulator of several threads for one label and one value type. What a phase is, and what has
// to be warmed for it, is that of one thread (single_core_phases.h); each thread has its own share
// of the inputs or buckets, and counts, positions and buffers in a place of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "presort/core/error.h"
#include "presort/cpu/phases/owned_direct.h"
#include "presort/cpu/phases/private_tables.h"
#include "presort/cpu/threads/segment_shares.h"
#include "presort/cpu/threads/shares.h"
#include "presort/predict/phases/single_core_phases.h"
#include "presort/predict/team/team_job.h"

namespace presort::inline v0::predict {

// What one thread gives is compiled once, in phase_simulator.cpp.
extern template class SingleCorePhases<uint32_t, uint32_t>;
extern template class SingleCorePhases<uint32_t, uint64_t>;
extern template class SingleCorePhases<uint64_t, uint32_t>;
extern template class SingleCorePhases<uint64_t, uint64_t>;

// Items of a phase over an input; `make` gives the phase on a view of it, and takes no views that
// the phase has not.
template <class Label, class Value, class Make>
class WindowStream final : public ItemStream {
 public:
  WindowStream(const PhaseInput& input, uint64_t first, uint64_t last, Make make)
      : window_(input, first, last), make_(std::move(make)) {}

  std::unique_ptr<sim::AccessSource> items(uint64_t first, uint64_t last,
                                           TracingMemory& memory) override {
    std::unique_ptr<sim::AccessSource> source;
    window_.visit_any([&](auto view) {
      if constexpr (std::is_invocable_v<const Make&, decltype(view)>) {
        source = std::make_unique<OwnPhaseTrace<decltype(make_(view))>>(make_(view), first, last,
                                                                        memory);
      }
    });
    return source;
  }

 private:
  InputWindow<Label, Value> window_;
  Make make_;
};

// Items of a phase without an input.
template <class Phase>
class PlainStream final : public ItemStream {
 public:
  explicit PlainStream(const Phase& phase) : phase_(phase) {}

  std::unique_ptr<sim::AccessSource> items(uint64_t first, uint64_t last,
                                           TracingMemory& memory) override {
    return std::make_unique<OwnPhaseTrace<Phase>>(phase_, first, last, memory);
  }

 private:
  Phase phase_;
};

template <class Label, class Value>
class TeamPhases final : public SingleCorePhases<Label, Value> {
  using One = SingleCorePhases<Label, Value>;

 public:
  TeamPhases(const Machine& machine, const SimulationOptions& options, const Problem& problem,
             PageSize page_size, size_t threads)
      : One(machine, options, problem, page_size),
        threads_(threads),
        positions_(threads),
        drawn_(threads),
        chosen_(threads, std::vector<uint32_t>(cpu::kOwnedBlock)),
        stride_((problem.m + kLineBytes - 1) / kLineBytes * kLineBytes) {
    this->sharers_ = threads;
  }

  PhaseEstimate direct(const PhaseInput& input, cpu::Distances distances) override;
  PhaseEstimate range_pass(const PhaseInput& input, cpu::Distances distances,
                           const cpu::RangePass& range) override;
  PhaseEstimate direct_on_parts(const Parts& parts, const PhaseInput& place,
                                cpu::Distances distances) override;
  PhaseEstimate histogram(const PhaseInput& input, const cpu::Digit& digit) override;
  PhaseEstimate partition(const PhaseInput& input, const cpu::Digit& digit,
                          const cpu::WriteBuffers& through, Region to, Region to_values) override;
  PhaseEstimate drain(uint64_t inputs, const cpu::Digit& digit, const cpu::WriteBuffers& through,
                      Region to, Region to_values) override;
  PhaseEstimate plain_radix(const PhaseInput&, const cpu::Digit&, Region, Region, Region) override {
    throw PlanError("threads: strategy=plainRadix runs on one thread");
  }
  PhaseEstimate unpack(const PhaseInput& input) override;
  PhaseEstimate check_offsets(const LabelSource& labels) override;
  PhaseEstimate run_segments(const LabelSource& labels) override;
  PhaseEstimate reduce_tails(const LabelSource& labels) override;
  PhaseEstimate permute_back(const PhaseInput& input, const cpu::Digit& digit,
                             const cpu::WriteBuffers& through, Region from) override;
  PhaseEstimate clear_sets() override;
  PhaseEstimate count_in_sets(const PhaseInput& input, const cpu::Digit& digit) override;
  PhaseEstimate add_sets() override;
  PhaseEstimate fill_tables() override;
  PhaseEstimate update_tables(const PhaseInput& input, cpu::Distances distances) override;
  PhaseEstimate merge_tables(const LabelSource& labels) override;
  PhaseEstimate scan_first_share(const PhaseInput& input, cpu::Distances distances) override;
  PhaseEstimate prefix_tables() override;
  PhaseEstimate scan_other_shares(const PhaseInput& input, cpu::Distances distances) override;

 private:
  struct Group;
  struct Cut;

  // Bytes from a region's first to the array that thread t has there; not so even that the same
  // elements of all threads are in one set of a cache.
  static uint64_t apart(size_t t, uint64_t bytes) {
    constexpr uint64_t kApart = uint64_t{1} << 30;
    return t * (kApart + (bytes + kLineBytes - 1) / kLineBytes * kLineBytes);
  }

  // Shares of `count` items for all threads.
  std::vector<cpu::Share> divide(uint64_t count) const {
    std::vector<cpu::Share> shares;
    for (size_t t = 0; t < threads_; ++t) {
      shares.push_back(cpu::share_of(count, t, threads_));
    }
    return shares;
  }

  TeamJob job_of(std::vector<cpu::Share> shares, uint64_t total) {
    this->own_ = {0, this->problem_.m};
    TeamJob job;
    job.shares = std::move(shares);
    job.total = total;
    job.move = [this](uint64_t slice) { this->move_arrays(slice, this->problem_.n); };
    job.prepare = [](TeamSampler&, size_t, uint64_t, int) {};
    return job;
  }

  // Over the inputs of a pass.
  TeamJob job_of_pass(const PhaseInput& input) {
    const uint64_t n = input.labels->size();
    TeamJob job = job_of(divide(n), n);
    job.preceding = One::preceding_parts(input);
    job.move_to_part = [this, n](uint64_t k) { this->move_to_part(k, n); };
    return job;
  }

  PhaseInput moved_input(PhaseInput input) const {
    input.offset += this->moved_;
    return input;
  }

  template <class Make>
  std::unique_ptr<ItemStream> over(const PhaseInput& input, uint64_t first, uint64_t last,
                                   Make make) const {
    return std::make_unique<WindowStream<Label, Value, Make>>(moved_input(input), first, last,
                                                              std::move(make));
  }

  PhaseEstimate sample(const TeamJob& job) {
    this->buckets_ = address_of(Region::buckets);
    return sample_job(this->machine_, this->options_, this->page_bytes_, job);
  }

  template <class Update>
  std::unique_ptr<ItemStream> direct_stream(const PhaseInput& input, uint64_t first, uint64_t last,
                                            uint64_t size, const TracedArray<Value>& buckets,
                                            const Update& update, cpu::Distances distances) const;
  template <class Update>
  PhaseEstimate owned_direct(const PhaseInput& input, const Update& update,
                             cpu::Distances distances, const cpu::RangePass& range);
  template <class Update>
  PhaseEstimate shared_direct(const PhaseInput& input, const Update& update,
                              cpu::Distances distances);
  PhaseEstimate count_digits(const PhaseInput& input, const cpu::Digit& digit, uint64_t apart);
  template <class Phase>
  static std::unique_ptr<ItemStream> plain_stream(const Phase& phase) {
    return std::make_unique<PlainStream<Phase>>(phase);
  }

  // Elements of the array that holds the counts of all sets of a histogram in sets.
  uint64_t set_elements() const { return cpu::kCountTables << label_bits(this->problem_.m); }

  // Private tables; those of a thread.
  TracedArray<Value> table(size_t t) const {
    return {address_of(Region::tables) + t * stride_ * sizeof(Value)};
  }
  TracedArray<uint8_t> marks(size_t t) const { return {address_of(Region::written) + t * stride_}; }
  void warm_table(TeamSampler& team, size_t t);
  template <class Open>
  PhaseEstimate sample_tables(const PhaseInput& input, std::vector<cpu::Share> shares,
                              const Open& open);
  // The shares of the inputs that threads scan. A scan has one share more than threads; `first` is
  // the share of thread 0.
  std::vector<cpu::Share> scan_shares(size_t first) const {
    std::vector<cpu::Share> shares;
    for (size_t t = 0; t < threads_; ++t) {
      shares.push_back(cpu::share_of(this->problem_.n, first + t, threads_ + 1));
    }
    return shares;
  }
  void mark_written(const LabelSource& labels);

  std::vector<cpu::SegmentShare> segment_shares() const;
  uint64_t item_of(const cpu::SegmentCut& cut) const {
    return cut.segment + cut.value;  // the values before it, and the ends of segments
  }

  std::vector<Group> groups_of(const Parts& parts);
  void sort_sample(const LabelSource& labels);
  uint64_t list_parts(Group& group, const Parts& parts, const PhaseInput& place, uint64_t from,
                      uint64_t items, uint64_t most) const;
  template <class Update>
  std::unique_ptr<ItemStream> parts_stream(const Group& group, uint64_t first, uint64_t last,
                                           const Update& update, cpu::Distances distances) const;
  void cut_parts(TeamSampler& team, size_t t, Group& group, const Parts& parts,
                 const PhaseInput& place, uint64_t first_part, size_t cluster);
  template <class Update>
  void time_cuts(TeamSampler& team, const std::vector<Group>& groups, const Update& update,
                 cpu::Distances distances);
  template <class Update>
  PhaseEstimate sample_parts(const Parts& parts, const PhaseInput& place, std::vector<Group> groups,
                             const Update& update, cpu::Distances distances);

  size_t threads_;
  std::vector<std::vector<size_t>> positions_;  // of the partition at hand, by thread
  std::vector<std::vector<uint32_t>> drawn_;    // likewise, of one into chunks
  std::vector<std::vector<uint32_t>> chosen_;   // by thread
  uint64_t stride_;                             // of private tables, elements
  std::vector<uint8_t> written_;                // what scatter has marked in them
  std::vector<uint64_t> sorted_labels_;         // a sample
};

}  // namespace presort::predict

#include "presort/predict/team/team_inputs.h"
#include "presort/predict/team/team_ordered.h"
#include "presort/predict/team/team_parts.h"
#include "presort/predict/team/team_results.h"
#include "presort/predict/team/team_sets.h"
#include "presort/predict/team/team_tables.h"
