#include "presort/predict/storage/stored_phases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "presort/core/error.h"
#include "presort/predict/phases/digit_state.h"
#include "presort/predict/storage/batches.h"
#include "presort/predict/storage/page_arrays.h"
#include "presort/predict/storage/page_run.h"
#include "presort/predict/storage/part_run.h"

namespace presort::inline v0::predict {

namespace {

using Use = PageRun::Use;

// Requests to the device in the timed part of a window, and the batches that they are divided into
// to tell the error of the mean
constexpr uint64_t kRequests = 2048;
constexpr uint64_t kBatches = 16;
// Times that a page cache is filled before the timed part of a window
constexpr uint64_t kFills = 2;
// Most touches of pages before the timed part of a window, and in it: seconds, and tenths of one
constexpr uint64_t kMostFillTouches = uint64_t{1} << 24;
constexpr uint64_t kMostTouches = uint64_t{1} << 22;

// The counts of `part` items, scaled to `whole` items.
StorageCounts scaled(const StorageCounts& counts, uint64_t part, uint64_t whole) {
  const double factor = static_cast<double>(whole) / static_cast<double>(part);
  const auto times = [factor](uint64_t count) {
    return static_cast<uint64_t>(std::llround(factor * static_cast<double>(count)));
  };
  return {.page_uses = times(counts.page_uses),
          .page_faults = times(counts.page_faults),
          .reads = times(counts.reads),
          .read_bytes = times(counts.read_bytes),
          .writes = times(counts.writes),
          .written_bytes = times(counts.written_bytes),
          .seeks = times(counts.seeks),
          .flash_bytes = factor * counts.flash_bytes};
}

// The estimate of a phase in memory, with the time and the counts that it has with the device.
PhaseEstimate with_device(PhaseEstimate estimate, double ns_per_item, double variance,
                          const StorageCounts& counts) {
  if (!estimate.stack_ns.empty()) {
    estimate.stack_ns.emplace_back("storage", ns_per_item - estimate.ns_per_item);
  }
  estimate.ns_per_item = ns_per_item;
  estimate.variance += variance;
  estimate.storage = counts;
  return estimate;
}

class StoredPhases final : public PhaseSimulator {
 public:
  StoredPhases(const Machine& machine, const SimulationOptions& options, const Problem& problem,
               PageSize page_size, std::shared_ptr<const LabelSource> labels,
               std::unique_ptr<PhaseSimulator> in_memory, uint64_t whole_items)
      : machine_(machine),
        options_(options),
        problem_(problem),
        labels_(std::move(labels)),
        in_memory_(std::move(in_memory)),
        whole_items_(whole_items),
        arrays_(machine, problem) {
    options_.method = Method::simulation;
    options_.full = true;
    on_device_ = make_phase_simulator(machine_, options_, problem_, page_size);
  }

  PhaseEstimate direct(const PhaseInput& input, cpu::Distances distances) override {
    return updates(in_memory_->direct(input, distances), input, {0, problem_.m});
  }

  PhaseEstimate range_pass(const PhaseInput& input, cpu::Distances distances,
                           const cpu::RangePass& range) override {
    return updates(in_memory_->range_pass(input, distances, range), input,
                   range.of({0, problem_.m}));
  }

  PhaseEstimate direct_on_parts(const Parts& parts, const PhaseInput& place,
                                cpu::Distances distances) override {
    return update_parts(in_memory_->direct_on_parts(parts, place, distances), parts, place);
  }

  PhaseEstimate histogram(const PhaseInput& input, const cpu::Digit& digit) override {
    const std::vector<Stream> streams{arrays_.streams_of(input).front()};
    return timed(
        in_memory_->histogram(input, digit), labels_->size(), kPageStep,
        [&](PageRun& run, uint64_t at, uint64_t left) {
          const uint64_t count = std::min(kPageStep, left);
          touch_streams(run, streams, at, count);
          run.pass(count);
          return count;
        },
        [](PageRun&, uint64_t at) { return at; });
  }

  PhaseEstimate partition(const PhaseInput& input, const cpu::Digit& digit,
                          const cpu::WriteBuffers& through, Region to, Region to_values) override {
    const Use use = through.streaming ? Use::stream : Use::write;
    return move(in_memory_->partition(input, digit, through, to, to_values), input, digit,
                arrays_.outputs(through.layout, to, to_values, use), kPageStep,
                std::min(kPageStep, arrays_.buffer_capacity(through)));
  }

  PhaseEstimate plain_radix(const PhaseInput& input, const cpu::Digit& digit, Region to,
                            Region to_values, Region positions) override {
    return move(in_memory_->plain_radix(input, digit, to, to_values, positions), input, digit,
                arrays_.outputs(Layout::separate, to, to_values, Use::write), 1, 1);
  }

  PhaseEstimate drain(uint64_t inputs, const cpu::Digit& digit, const cpu::WriteBuffers& through,
                      Region to, Region to_values) override {
    const PhaseEstimate some = on_device_->drain(inputs, digit, through, to, to_values);
    return with_device(in_memory_->drain(inputs, digit, through, to, to_values), some.ns_per_item,
                       some.variance, scaled(some.storage.value(), some.items, digit.count()));
  }

  PhaseEstimate clear_sets() override { return refuse("sets of buckets"); }
  PhaseEstimate count_in_sets(const PhaseInput&, const cpu::Digit&) override {
    return refuse("sets of counts");
  }
  PhaseEstimate add_sets() override { return refuse("sets of buckets"); }
  PhaseEstimate reduce_in_sets(const PhaseInput&) override { return refuse("sets of buckets"); }
  PhaseEstimate permute_back(const PhaseInput&, const cpu::Digit&, const cpu::WriteBuffers&,
                             Region) override {
    return refuse("results that are put back in order");
  }
  PhaseEstimate sort_few(const PhaseInput&, const cpu::Digit&, int, uint64_t) override {
    return refuse("a partial sort");
  }
  PhaseEstimate unpack(const PhaseInput&) override { return refuse("a partial sort"); }
  PhaseEstimate clear_places() override { return refuse("a counting sort"); }
  PhaseEstimate count_parts(const PhaseInput&) override { return refuse("a counting sort"); }
  PhaseEstimate sum_counts() override { return refuse("a counting sort"); }
  PhaseEstimate check_offsets(const LabelSource&) override { return refuse("segments"); }
  PhaseEstimate run_segments(const LabelSource&) override { return refuse("segments"); }
  PhaseEstimate reduce_tails(const LabelSource&) override { return refuse("segments"); }
  PhaseEstimate fill_tables() override { return refuse("private tables"); }
  PhaseEstimate update_tables(const PhaseInput&, cpu::Distances) override {
    return refuse("private tables");
  }
  PhaseEstimate merge_tables(const LabelSource&) override { return refuse("private tables"); }
  PhaseEstimate scan_first_share(const PhaseInput&, cpu::Distances) override {
    return refuse("private tables");
  }
  PhaseEstimate prefix_tables() override { return refuse("private tables"); }
  PhaseEstimate scan_other_shares(const PhaseInput&, cpu::Distances) override {
    return refuse("private tables");
  }

 private:
  [[noreturn]] static PhaseEstimate refuse(const std::string& found) {
    throw PlanError("plan: found " + found +
                    ", accepted for many inputs on a machine with a block device: the plain loop, "
                    "pre-sorts through write buffers, plainRadix");
  }

  // Times a phase of `total` items. step(run, at, left) runs items from item `at` on, at least one
  // and at most `left`, and returns how many; start(run, at) prepares a run that begins with item
  // `at`, or with another one that it returns. A window begins where may_cut() holds or at half of
  // the items; it and its batches end where may_cut() holds.
  // `touched`: items of which one touches pages
  template <class Step, class Start, class MayCut>
  PhaseEstimate timed(const PhaseEstimate& in_memory, uint64_t total, uint64_t touched,
                      const Step& step, const Start& start, const MayCut& may_cut) const {
    const bool whole = total / touched <= whole_items_;
    PageRun run(machine_, in_memory.ns_per_item);
    uint64_t at = start(run, whole ? 0 : total / 4);
    run.reset_counts();
    while (!whole && at < total / 2 && run.touches() < kMostFillTouches &&
           (run.pages_in() < kFills * arrays_.pages_of_cache() || !may_cut())) {
      options_.stop.check();
      at += step(run, at, total - at);
    }
    run.reset_counts();
    const uint64_t first = at;
    Batches batches;
    uint64_t batch_first = at;
    double batch_ns = run.now_ns();
    const double begin_ns = run.now_ns();
    const auto is_done = [&] {
      return run.touches() >= kMostTouches ||
             (run.requests() >= kRequests && batches.size() >= kBatches / 2 && may_cut());
    };
    while (at < total && (whole || !is_done())) {
      options_.stop.check();
      at += step(run, at, total - at);
      if (!whole && may_cut() && run.requests() * kBatches >= (batches.size() + 1) * kRequests) {
        batches.add(at - batch_first, run.now_ns() - batch_ns);
        batch_first = at;
        batch_ns = run.now_ns();
      }
    }
    if (whole) {
      run.finish();
    }
    const double ns = (run.now_ns() - begin_ns) / static_cast<double>(at - first);
    return with_device(in_memory, ns, batches.variance(), scaled(run.counts(), at - first, total));
  }
  template <class Step, class Start>
  PhaseEstimate timed(const PhaseEstimate& in_memory, uint64_t total, uint64_t touched,
                      const Step& step, const Start& start) const {
    return timed(in_memory, total, touched, step, start, [] { return true; });
  }

  // The plain loop over all inputs, which updates the buckets of `own`.
  PhaseEstimate updates(const PhaseEstimate& in_memory, const PhaseInput& input,
                        const cpu::Share& own) const {
    const std::vector<Stream> streams = arrays_.streams_of(input);
    std::array<uint64_t, kPageStep> labels;
    return timed(
        in_memory, labels_->size(), 1,
        [&](PageRun& run, uint64_t at, uint64_t left) {
          const uint64_t count = std::min(kPageStep, left);
          const auto some = std::span(labels).first(count);
          labels_->generate(at, some);
          touch_streams(run, streams, at, count);
          for (const uint64_t label : some) {
            if (label - own.first < own.count()) {
              run.touch(arrays_.bucket_address(label), arrays_.bucket_use());
            }
            run.pass(1);
          }
          return count;
        },
        [&](PageRun& run, uint64_t at) {
          arrays_.warm_buckets(run, own);
          return at;
        });
  }

  // A pre-sort pass. Of `step` inputs at a time, all are taken to have the digit of the first: as
  // many as a write buffer hands on together. `touched`: as for timed()
  PhaseEstimate move(const PhaseEstimate& in_memory, const PhaseInput& input,
                     const cpu::Digit& digit, const std::vector<Stream>& outputs, uint64_t touched,
                     uint64_t step) const {
    const std::vector<Stream> streams = arrays_.streams_of(input);
    const DigitState state(*labels_, digit, digit.count());
    std::vector<size_t> positions;
    return timed(
        in_memory, labels_->size(), touched,
        [&](PageRun& run, uint64_t at, uint64_t left) {
          const uint64_t count = std::min(step, left);
          uint64_t label = 0;
          labels_->generate(at, std::span(&label, 1));
          size_t& position = positions[digit(label)];
          touch_streams(run, streams, at, count);
          touch_streams(run, outputs, position, count);
          position += count;
          run.pass(count);
          return count;
        },
        [&](PageRun& run, uint64_t at) {
          positions = state.positions_at(at, 1, options_.seed);
          for (const size_t position : positions) {
            for (const Stream& output : outputs) {
              run.warm(output.address + (position - (position > 0)) * output.bytes, Use::write);
            }
          }
          return at;
        });
  }

  // The plain loop over the parts of a partition.
  PhaseEstimate update_parts(const PhaseEstimate& in_memory, Parts parts,
                             const PhaseInput& place) const {
    // Parts with fewer expected inputs than this are taken together
    constexpr double kInputs = 4;
    parts.labels = labels_;
    const uint64_t n = labels_->size();
    const double per_bucket = static_cast<double>(n) / static_cast<double>(problem_.m);
    while (parts.shift < label_bits(problem_.m) && std::ldexp(per_bucket, parts.shift) < kInputs) {
      ++parts.shift;
    }
    PartRun at_part{arrays_, parts, place};
    return timed(
        in_memory, n, 1,
        [&](PageRun& run, uint64_t, uint64_t left) { return at_part.step(run, left); },
        [&](PageRun&, uint64_t) {
          at_part.begin(0);
          return uint64_t{0};
        },
        [&] { return at_part.may_cut(); });
  }

  Machine machine_;
  SimulationOptions options_;
  Problem problem_;
  std::shared_ptr<const LabelSource> labels_;  // labels of all inputs
  std::unique_ptr<PhaseSimulator> in_memory_;
  std::unique_ptr<PhaseSimulator> on_device_;  // simulates drains
  uint64_t whole_items_;
  PageArrays arrays_;
};

}  // namespace

bool in_stored_phases(const Problem& problem, const CpuPlan& plan) {
  return (problem.operation == Operation::multireduce || problem.operation == Operation::scatter ||
          problem.operation == Operation::histogram) &&
         plan.resources.threads == 1 && plan.base.strategy != CpuStrategy::privateTables &&
         plan.base.n_sets == 1 &&
         (!plan.presort || (plan.presort->passes == 1 && plan.presort->chunk_bytes == 0));
}

std::unique_ptr<PhaseSimulator> make_stored_phases(const Machine& machine,
                                                   const SimulationOptions& options,
                                                   const Problem& problem, PageSize page_size,
                                                   std::shared_ptr<const LabelSource> labels,
                                                   std::unique_ptr<PhaseSimulator> in_memory,
                                                   uint64_t whole_items) {
  return std::make_unique<StoredPhases>(machine, options, problem, page_size, std::move(labels),
                                        std::move(in_memory), whole_items);
}

}  // namespace presort::predict
