#include "presort/predict/closed_form/closed_form.h"

#include <algorithm>
#include <cmath>

#include "presort/core/choice/label_sample.h"
#include "presort/core/error.h"
#include "presort/cpu/phases/buffered_partition.h"
#include "presort/predict/closed_form/excerpt_times.h"
#include "presort/predict/closed_form/hit_ratios/strata.h"
#include "presort/predict/closed_form/phase_footprints.h"
#include "presort/predict/phases/phase_key.h"
#include "presort/predict/phases/run_bytes.h"
#include "presort/predict/phases/slices/update_machine.h"
#include "presort/predict/sampling/excerpt.h"
#include "presort/predict/sampling/slices.h"
#include "presort/predict/size_limits.h"
#include "presort/predict/storage/stored_phases.h"

namespace presort::inline v0::predict {

namespace {

[[noreturn]] void refuse() {
  throw PlanError(
      "plan: found a counting sort, segments or private tables, of which there is no closed form");
}

// A phase whose items are buckets, or flushes of write buffers
constexpr ExcerptKind kOverBuckets{.page_items = kPrefetchedPageBytes, .long_streams = false};

// Number of places in a label file that excerpts are taken from, as its labels may be distributed
// differently from place to place.
constexpr int kPlacesOfFile = 8;

class ClosedForm final : public PhaseSimulator {
 public:
  ClosedForm(const Machine& machine, const Problem& problem, PageSize page_size,
             std::shared_ptr<const EmpiricalLabels> measured, FilePlaces places)
      : machine_(machine),
        update_machine_(update_machine(machine, problem)),
        problem_(problem),
        measured_(std::move(measured)),
        page_bytes_(page_bytes(page_size)),
        touches_(problem, measured_),
        recorder_(make_phase_simulator(
            machine, {.record = &excerpt_, .record_only = true, .excerpt = &excerpt_}, problem,
            page_size)),
        times_(machine_, page_bytes_, excerpt_,
               measured_ != nullptr && places == FilePlaces::several ? kPlacesOfFile : 1),
        update_times_(update_machine_, page_bytes_, excerpt_,
                      measured_ != nullptr && places == FilePlaces::several ? kPlacesOfFile : 1) {}

  PhaseEstimate direct(const PhaseInput& input, cpu::Distances distances) override {
    const Setting setting(machine_, page_bytes_, touches_.direct(input),
                          static_cast<double>(problem_.n));
    return update_times_.time({distances.inputs, touches_.page_items(input)}, setting,
                              spans_of_all_inputs(),
                              [&](double) { recorder_->direct(input, distances); });
  }

  PhaseEstimate range_pass(const PhaseInput& input, cpu::Distances distances,
                           const cpu::RangePass& range) override {
    // In the closed form, a range pass finds no inputs in the caches from the pass before, so equal
    // ranges take equal time.
    const cpu::RangePass like{ranges_alike(problem_) ? 0 : range.pass, range.passes};
    ExcerptKind kind{distances.inputs, touches_.page_items(input)};
    kind.blocks = true;
    return update_time(kind, touches_.range_pass(input, range.passes), problem_.n,
                       [&](double) { recorder_->range_pass(input, distances, like); });
  }

  PhaseEstimate direct_on_parts(const Parts& parts, const PhaseInput& place,
                                cpu::Distances distances) override;

  PhaseEstimate histogram(const PhaseInput& input, const cpu::Digit& digit) override {
    return time({0, touches_.page_items(input)}, touches_.histogram(input, digit), problem_.n,
                [&](double) { recorder_->histogram(input, digit); });
  }

  PhaseEstimate partition(const PhaseInput& input, const cpu::Digit& digit,
                          const cpu::WriteBuffers& through, Region to, Region to_values) override;
  PhaseEstimate drain(uint64_t inputs, const cpu::Digit& digit, const cpu::WriteBuffers& through,
                      Region to, Region to_values) override;

  PhaseEstimate plain_radix(const PhaseInput& input, const cpu::Digit& digit, Region to,
                            Region to_values, Region positions) override {
    return time({0, touches_.page_items(input)}, touches_.plain_radix(input, digit, to, to_values),
                problem_.n,
                [&](double) { recorder_->plain_radix(input, digit, to, to_values, positions); });
  }

  PhaseEstimate clear_sets() override {
    return time(kOverBuckets, touches_.clear_sets(), problem_.m,
                [&](double) { recorder_->clear_sets(); });
  }
  PhaseEstimate count_in_sets(const PhaseInput& input, const cpu::Digit& digit) override {
    // Counting in sets accesses as much memory for each input as a histogram.
    return histogram(input, digit);
  }
  PhaseEstimate reduce_in_sets(const PhaseInput& input) override {
    return update_time({0, touches_.page_items_of_sets()}, touches_.reduce_in_sets(input),
                       problem_.n / kReduceSets, [&](double) { recorder_->reduce_in_sets(input); });
  }
  PhaseEstimate add_sets() override {
    return time(kOverBuckets, touches_.add_sets(), problem_.m,
                [&](double) { recorder_->add_sets(); });
  }

  PhaseEstimate permute_back(const PhaseInput& input, const cpu::Digit& digit,
                             const cpu::WriteBuffers& through, Region from) override {
    return time({0, touches_.page_items(input)}, touches_.permute_back(input, digit, through, from),
                problem_.n, [&](double) { recorder_->permute_back(input, digit, through, from); });
  }

  PhaseEstimate unpack(const PhaseInput& input) override {
    return time({0, touches_.page_items(input)}, touches_.unpack(input), problem_.n,
                [&](double) { recorder_->unpack(input); });
  }
  PhaseEstimate sort_few(const PhaseInput& input, const cpu::Digit& digit, int run_bits,
                         uint64_t inputs) override {
    return simulated().sort_few(input, digit, run_bits, inputs);
  }
  PhaseEstimate clear_places() override { return simulated().clear_places(); }
  PhaseEstimate count_parts(const PhaseInput&) override { refuse(); }
  PhaseEstimate sum_counts() override { return simulated().sum_counts(); }
  PhaseEstimate check_offsets(const LabelSource&) override { refuse(); }
  PhaseEstimate run_segments(const LabelSource&) override { refuse(); }
  PhaseEstimate reduce_tails(const LabelSource&) override { refuse(); }
  PhaseEstimate fill_tables() override { refuse(); }
  PhaseEstimate update_tables(const PhaseInput&, cpu::Distances) override { refuse(); }
  PhaseEstimate merge_tables(const LabelSource&) override { refuse(); }
  PhaseEstimate scan_first_share(const PhaseInput&, cpu::Distances) override { refuse(); }
  PhaseEstimate prefix_tables() override { refuse(); }
  PhaseEstimate scan_other_shares(const PhaseInput&, cpu::Distances) override { refuse(); }

 private:
  // Estimates the time per item of a phase of `items` items.
  PhaseEstimate time(const ExcerptKind& kind, std::vector<Footprint> footprints, uint64_t items,
                     const ExcerptTimes::Record& record) {
    const Setting setting(machine_, page_bytes_, std::move(footprints), static_cast<double>(items));
    return times_.time(kind, setting, {{}}, record);
  }
  // Like time(), of a phase that updates buckets.
  PhaseEstimate update_time(const ExcerptKind& kind, std::vector<Footprint> footprints,
                            uint64_t items, const ExcerptTimes::Record& record) {
    const Setting setting(machine_, page_bytes_, std::move(footprints), static_cast<double>(items));
    return update_times_.time(kind, setting, {{}}, record);
  }
  std::vector<ExcerptTimes::Span> spans_of_all_inputs() const;
  std::shared_ptr<const LabelSource> excerpt_part(const Parts& parts, double place) const;

  // A simulator for phases that have no closed form, and whose simulation takes no longer.
  PhaseSimulator& simulated() {
    if (simulated_ == nullptr) {
      const PageSize pages =
          page_bytes_ == page_bytes(PageSize::k2MiB) ? PageSize::k2MiB : PageSize::k4KiB;
      simulated_ = make_phase_simulator(machine_, {}, problem_, pages);
    }
    return *simulated_;
  }

  Machine machine_;
  Machine
      update_machine_;  // machine on which updates of buckets run (phases/slices/update_machine.h)
  Problem problem_;
  // Measured distribution of the labels of a file; null for other distributions
  std::shared_ptr<const EmpiricalLabels> measured_;
  uint64_t page_bytes_;
  PhaseFootprints touches_;
  Excerpt excerpt_;
  std::unique_ptr<PhaseSimulator> recorder_;
  ExcerptTimes times_;
  ExcerptTimes update_times_;
  std::unique_ptr<PhaseSimulator> simulated_;
};

PhaseEstimate ClosedForm::partition(const PhaseInput& input, const cpu::Digit& digit,
                                    const cpu::WriteBuffers& through, Region to, Region to_values) {
  return time({cpu::kPartitionAhead, touches_.page_items(input), 1, true},
              touches_.partition(input, digit, through, to, to_values), problem_.n,
              [&](double) { recorder_->partition(input, digit, through, to, to_values); });
}

PhaseEstimate ClosedForm::drain(uint64_t inputs, const cpu::Digit& digit,
                                const cpu::WriteBuffers& through, Region to, Region to_values) {
  const auto digits = static_cast<double>(digit.count());
  const Setting setting(machine_, page_bytes_, touches_.drain(digit, through, to, to_values));
  const double per_input = digits / static_cast<double>(problem_.n);
  ExcerptKind kind = kOverBuckets;
  kind.per_input = per_input;
  return times_.time(kind, setting, {{}},
                     [&](double) { recorder_->drain(inputs, digit, through, to, to_values); });
}

// The labels of the part of a partition that holds the input at `place`, or of several parts if one
// is too short for an excerpt.
std::shared_ptr<const LabelSource> ClosedForm::excerpt_part(const Parts& parts,
                                                            double place) const {
  if (measured_ != nullptr) {
    return measured_->part_at(place, parts.shift);
  }
  constexpr double kInputs = 1024;
  const double per_bucket =
      static_cast<double>(parts.labels->size()) / static_cast<double>(problem_.m);
  int shift = parts.shift;
  while (shift < label_bits(problem_.m) && std::ldexp(per_bucket, shift) < kInputs) {
    ++shift;
  }
  uint64_t label = 0;
  parts.labels->generate(slice_start(0, parts.labels->size(), 1), std::span<uint64_t>(&label, 1));
  const uint64_t low = label >> shift << shift;
  return parts.labels->restricted(low, std::min(problem_.m, low + (uint64_t{1} << shift)));
}

// The spans of the plain loop on all inputs: one, as after endless runs, unless the caches hold
// none of the buckets that earlier inputs have touched. Then the buckets that were set last, as
// many as the last level holds, are the share of inputs that find them as after endless runs.
std::vector<ExcerptTimes::Span> ClosedForm::spans_of_all_inputs() const {
  if (!setting_buckets_empties_caches(machine_, problem_)) {
    return {{}};
  }
  const double bytes =
      static_cast<double>(problem_.m) * static_cast<double>(size_bytes(problem_.types.value));
  const double held = static_cast<double>(most_kept_bytes(machine_)) / bytes;
  std::vector<ExcerptTimes::Span> spans = {{kNever, held}};
  for (const auto& [middle, weight] : strata_of({{static_cast<double>(problem_.n), 1}})) {
    spans.push_back({middle, (1 - held) * weight});
  }
  return spans;
}

// Estimates the plain loop on a typical part of a partition, beginning with the part's first input,
// when all buckets of the part are new to the caches.
PhaseEstimate ClosedForm::direct_on_parts(const Parts& parts, const PhaseInput& place,
                                          cpu::Distances distances) {
  const uint64_t n = parts.labels->size();
  const uint64_t width = std::min(problem_.m, uint64_t{1} << parts.shift);
  const Setting setting(machine_, page_bytes_, touches_.direct_on_part(place, n, width),
                        static_cast<double>(n));
  ExcerptKind kind{distances.inputs, touches_.page_items(place)};
  kind.long_streams = false;
  const auto record = [&](double at) {
    PhaseInput input = place;
    input.labels = excerpt_part(parts, at);
    recorder_->direct(input, distances);
  };
  const double even =
      static_cast<double>(n) * static_cast<double>(width) / static_cast<double>(problem_.m);
  std::vector<ExcerptTimes::Span> spans;
  for (const auto& [middle, weight] :
       strata_of(measured_ ? measured_->part_sizes(parts.shift)
                           : std::vector<PartSizes>{{std::floor(even), 1}})) {
    spans.push_back({middle, weight});
  }
  return update_times_.time(kind, setting, spans, record);
}

}  // namespace

bool too_few_to_tell(const Problem& problem) {
  return known_by_looking(problem.distribution.kind) && problem.n < kSampledLabels;
}

bool in_closed_form(const Machine& machine, const Problem& problem, const CpuPlan& plan) {
  const bool team = plan.resources.threads > 1 || plan.base.strategy == CpuStrategy::privateTables;
  const bool counting_sort = problem.operation == Operation::partialSort && !plan.presort;
  return (!machine.storage || in_stored_phases(problem, plan)) && !team && !counting_sort &&
         !is_segmented(problem.operation) && is_simulated(problem.operation) &&
         !too_few_to_tell(problem);
}

std::unique_ptr<PhaseSimulator> make_closed_form(const Machine& machine, const Problem& problem,
                                                 PageSize page_size,
                                                 std::shared_ptr<const EmpiricalLabels> measured,
                                                 FilePlaces places) {
  if (machine.storage) {
    throw PlanError("storage: found a block device, accepted by the closed form: none");
  }
  return std::make_unique<ClosedForm>(machine, problem, page_size, std::move(measured), places);
}

}  // namespace presort::predict
