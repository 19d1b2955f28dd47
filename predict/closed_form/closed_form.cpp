#include "predict/closed_form/closed_form.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/label_sample.h"
#include "cpu/buffer_capacity.h"
#include "cpu/phases/buffered_partition.h"
#include "cpu/phases/histogram.h"
#include "predict/closed_form/phase_clock.h"
#include "predict/excerpt.h"
#include "predict/slices.h"

namespace presort::predict {

namespace {

// Settings in which a touch of every place takes equally long, to so many cycles on average, take
// the same; one that stands for a part of the inputs may differ by as much more as its part is
// smaller.
constexpr double kAlikeCycles = 1;

// What it costs a touch to miss level i, beside hitting it; of caches and of TLBs.
struct MissCycles {
  std::array<double, 4> lines{};
  std::array<double, 4> pages{};
};

MissCycles miss_cycles(const Machine& machine) {
  MissCycles cycles;
  const double memory = machine.memory.latency_ns * 1e-9 * machine.clock_hz;
  const std::vector<CacheLevel>& levels = machine.caches;
  for (size_t i = 0; i < std::min(levels.size(), cycles.lines.size()); ++i) {
    const double next = i + 1 < levels.size() ? levels[i + 1].latency_cycles : memory;
    cycles.lines[i] = std::max(0.0, next - levels[i].latency_cycles);
  }
  // A page that the last TLB lacks is walked to: reads of tables, most of them near.
  cycles.pages.fill(machine.walk.overhead_cycles + 2 * levels.front().latency_cycles);
  return cycles;
}

bool alike(const Setting::Places& a, const Setting::Places& b, const MissCycles& costs,
           double tolerance) {
  const auto near = [tolerance](const auto& x, const auto& y, const auto& cycles) {
    double difference = 0;
    for (size_t i = 0; i < x.within.size(); ++i) {
      difference += std::abs(x.within[i] - y.within[i]) * cycles[i];
    }
    return difference <= tolerance;
  };
  for (size_t i = 0; i < kPlaces; ++i) {
    if (!near(a.lines[i], b.lines[i], costs.lines) || !near(a.pages[i], b.pages[i], costs.pages)) {
      return false;
    }
  }
  return true;
}

// Adds `part`, which stands for `weight` of the inputs.
void add(PhaseEstimate& sum, const PhaseEstimate& part, double weight) {
  if (sum.stack_ns.empty()) {
    sum.stack_ns = part.stack_ns;
    for (auto& [term, ns] : sum.stack_ns) {
      ns = 0;
    }
  }
  sum.ns_per_item += weight * part.ns_per_item;
  for (size_t i = 0; i < part.stack_ns.size(); ++i) {
    sum.stack_ns[i].second += weight * part.stack_ns[i].second;
  }
  add_counts(sum.levels, part.levels);
  sum.walks += part.walks;
  sum.items += part.items;
  sum.accesses += part.accesses;
}

// [0, n) cut at powers of four: cold misses are dense at the start of a part.
std::vector<Interval> strata_of(uint64_t n) {
  std::vector<Interval> strata;
  for (uint64_t first = 0, last = 256; first < n; last *= 4) {
    strata.push_back({first, std::min(n, last)});
    first = strata.back().last;
  }
  return strata;
}

// So many digits, or buckets, that inputs in flight hardly meet in one.
constexpr uint64_t kManyPlaces = 64;

std::string text_of(const std::string& name, const cpu::Distances& distances) {
  return name + " " + std::to_string(distances.buckets) + " " + std::to_string(distances.inputs);
}

// What of input and digit an excerpt of a pass depends on beside its setting.
std::string text_of(const PhaseInput& input, const cpu::Digit& digit) {
  std::string text = std::to_string(std::min<uint64_t>(kManyPlaces, digit.count()));
  text += input.has_values ? to_name(kLayouts, input.layout) : "labels";
  return text;
}

constexpr double kPageBytes = 4096;  // at whose ends prefetchers stop
constexpr double kLineBytes = 64;

class ClosedForm final : public PhaseSimulator {
 public:
  ClosedForm(const Machine& machine, const Problem& problem, PageSize page_size)
      : machine_(machine),
        problem_(problem),
        page_bytes_(page_bytes(page_size)),
        recorder_(make_phase_simulator(
            machine, {.record = &excerpt_, .record_only = true, .excerpt = &excerpt_}, problem,
            page_size)),
        clock_(machine_, page_bytes_),
        miss_cycles_(miss_cycles(machine)),
        label_bytes_(static_cast<double>(size_bytes(problem.types.label))),
        value_bytes_(static_cast<double>(size_bytes(problem.types.value))) {}

  PhaseEstimate direct(const PhaseInput& input, cpu::Distances distances) override {
    std::vector<Touched> touched = inputs_of(input);
    touched.push_back(buckets(shape_of(problem_.n, problem_.m)));
    return time(text_of("direct", distances), std::move(touched), distances.inputs,
                page_items(input), [&] { recorder_->direct(input, distances); });
  }

  PhaseEstimate direct_on_parts(const Parts& parts, const PhaseInput& place,
                                cpu::Distances distances) override;
  PhaseEstimate histogram(const PhaseInput& input, const cpu::Digit& digit) override;
  PhaseEstimate partition(const PhaseInput& input, const cpu::Digit& digit, const Presort& presort,
                          Region to, Region to_values) override;
  PhaseEstimate drain(const cpu::Digit& digit, const Presort& presort, Region to,
                      Region to_values) override;
  PhaseEstimate plain_radix(const PhaseInput& input, const cpu::Digit& digit, Region to,
                            Region to_values) override;
  PhaseEstimate clear_sets() override;
  PhaseEstimate count_in_sets(const PhaseInput& input, const cpu::Digit& digit) override {
    return histogram(input, digit);  // what it does to each input
  }
  PhaseEstimate reduce_in_sets(const PhaseInput& input) override;
  PhaseEstimate add_sets() override;
  PhaseEstimate permute_back(const PhaseInput& input, const cpu::Digit& digit,
                             const Presort& presort, Region from) override;

 private:
  // What an excerpt takes in the setting; `record` makes it. Excerpts of equal kind differ in
  // nothing but the setting.
  struct Timed {
    std::string kind;
    Setting::Places places;
    PhaseEstimate estimate;
  };
  // `again`: the excerpt is the last one, if that was of this kind. It stands for `part` of the
  // inputs of a phase.
  enum class Recording { anew, again };
  template <class Record>
  PhaseEstimate time(const std::string& kind, const Setting& setting, double horizon, double part,
                     uint64_t ahead, double page_items, Recording recording, Record record);
  template <class Record>
  PhaseEstimate time(const std::string& kind, std::vector<Touched> touched, uint64_t ahead,
                     double page_items, Record record) {
    return time(kind, Setting(machine_, page_bytes_, std::move(touched)), kNever, 1, ahead,
                page_items, Recording::anew, record);
  }
  LabelShape shape_of(uint64_t inputs, uint64_t buckets) const {
    return {problem_.distribution, static_cast<double>(buckets), static_cast<double>(inputs)};
  }
  // Of the labels that a pass by `digit` meets.
  LabelShape shape_of(const PhaseInput& input, const cpu::Digit& digit) const {
    const uint64_t buckets = uint64_t{digit.count()} << digit.shift;
    LabelShape labels = shape_of(input.labels->size(), std::min(problem_.m, buckets));
    labels.parts = static_cast<double>(problem_.m) / labels.buckets;
    return labels;
  }
  Touched buckets(const LabelShape& labels) const {
    return touched_buckets(labels, value_bytes_, writes_buckets(problem_.operation));
  }
  bool in_pairs(const PhaseInput& input) const {
    return input.has_values && input.layout == Layout::pairs;
  }
  double pair_bytes() const { return 2 * std::max(label_bytes_, value_bytes_); }

  std::shared_ptr<const LabelSource> excerpt_part(const Parts& parts) const;
  std::vector<Touched> inputs_of(const PhaseInput& input) const;
  std::vector<Touched> labels_of(const PhaseInput& input) const;
  double page_items(const PhaseInput& input) const;
  double capacity(const Presort& presort) const;
  void add_buffers(std::vector<Touched>& touched, const LabelShape& labels, double digits,
                   const Presort& presort, Region to, Region to_values) const;
  Machine machine_;
  Problem problem_;
  uint64_t page_bytes_;
  Excerpt excerpt_;
  std::unique_ptr<PhaseSimulator> recorder_;
  PhaseClock clock_;
  MissCycles miss_cycles_;
  double label_bytes_;
  double value_bytes_;
  std::vector<Timed> timed_;
  std::string recorded_;  // kind of the excerpt
};

template <class Record>
PhaseEstimate ClosedForm::time(const std::string& kind, const Setting& setting, double horizon,
                               double part, uint64_t ahead, double page_items, Recording recording,
                               Record record) {
  const auto& items = ahead > 0 ? kFetchedItems : kStreamedItems;
  const double half = static_cast<double>(items[0] + items[1] + items[2]) / 2;
  const Setting::Places places = setting.at(horizon, half);
  for (const Timed& timed : timed_) {
    if (timed.kind == kind && alike(timed.places, places, miss_cycles_, kAlikeCycles / part)) {
      return timed.estimate;
    }
  }
  if (recording == Recording::anew || recorded_ != kind) {
    excerpt_.restart(ahead, items);
    record();
    recorded_ = kind;
  }
  timed_.push_back({kind, places, clock_.time(excerpt_, places, setting.streams(), page_items)});
  return timed_.back().estimate;
}

// What the plain loop reads and writes of its inputs.
std::vector<Touched> ClosedForm::inputs_of(const PhaseInput& input) const {
  std::vector<Touched> touched;
  if (in_pairs(input)) {
    touched.push_back(touched_stream(input.first_region, pair_bytes(), false));
  } else {
    touched.push_back(touched_stream(input.first_region, label_bytes_, false));
    if (input.has_values) {
      touched.push_back(touched_stream(input.second_region, value_bytes_, false));
    }
  }
  const bool own = input.results_region != input.first_region &&
                   (!input.has_values || input.results_region != input.second_region);
  if (has_results(problem_.operation) && own) {
    touched.push_back(touched_stream(input.results_region, value_bytes_, true));
  }
  return touched;
}

// What a phase reads that looks at labels alone.
std::vector<Touched> ClosedForm::labels_of(const PhaseInput& input) const {
  return {touched_stream(input.first_region, in_pairs(input) ? pair_bytes() : label_bytes_, false)};
}

double ClosedForm::page_items(const PhaseInput& input) const {
  if (in_pairs(input)) {
    return kPageBytes / pair_bytes();
  }
  return kPageBytes / std::max(label_bytes_, input.has_values ? value_bytes_ : 0.0);
}

double ClosedForm::capacity(const Presort& presort) const {
  const auto label = static_cast<size_t>(label_bytes_);
  const auto value = static_cast<size_t>(value_bytes_);
  return static_cast<double>(
      has_values(problem_.operation)
          ? cpu::buffer_capacity(presort, label, value, static_cast<size_t>(pair_bytes()))
          : cpu::buffer_capacity(presort, label));
}

void ClosedForm::add_buffers(std::vector<Touched>& touched, const LabelShape& labels, double digits,
                             const Presort& presort, Region to, Region to_values) const {
  const double elements = capacity(presort);
  const auto add = [&](Region buffers, Region output, double bytes) {
    touched.push_back(touched_buffers(buffers, labels, digits, elements, bytes));
    touched.push_back(touched_outputs(output, labels, digits, elements, bytes, true));
    if (presort.streaming) {  // past the caches: pages alone count
      touched.back().past_caches = true;
    }
  };
  if (!has_values(problem_.operation)) {
    add(Region::buffers, to, label_bytes_);
  } else if (presort.layout == Layout::pairs) {
    add(Region::buffers, to, pair_bytes());
  } else {
    add(Region::buffers, to, label_bytes_);
    add(Region::value_buffers, to_values, value_bytes_);
  }
}

PhaseEstimate ClosedForm::histogram(const PhaseInput& input, const cpu::Digit& digit) {
  std::vector<Touched> touched = labels_of(input);
  // Tables are used by turns: an element of all of them for each digit.
  constexpr double kCounterBytes = 4 * cpu::kCountTables;
  touched.push_back(touched_digits(Region::counts, shape_of(input, digit),
                                   static_cast<double>(digit.count()), kCounterBytes));
  return time("histogram" + text_of(input, digit), std::move(touched), 0, page_items(input),
              [&] { recorder_->histogram(input, digit); });
}

PhaseEstimate ClosedForm::partition(const PhaseInput& input, const cpu::Digit& digit,
                                    const Presort& presort, Region to, Region to_values) {
  const LabelShape labels = shape_of(input, digit);
  const auto digits = static_cast<double>(digit.count());
  std::vector<Touched> touched = inputs_of(input);
  touched.push_back(touched_digits(Region::positions, labels, digits, sizeof(size_t)));
  add_buffers(touched, labels, digits, presort, to, to_values);
  const std::string kind = "partition" + text_of(input, digit) + " " +
                           std::to_string(presort.buffer_bytes) +
                           to_name(kLayouts, presort.layout) + (presort.streaming ? "s" : "c");
  return time(kind, std::move(touched), cpu::kPartitionAhead, page_items(input),
              [&] { recorder_->partition(input, digit, presort, to, to_values); });
}

// Digits stand for inputs here: buffers and positions are where the partition left them, the
// outputs in memory.
PhaseEstimate ClosedForm::drain(const cpu::Digit& digit, const Presort& presort, Region to,
                                Region to_values) {
  const auto digits = static_cast<double>(digit.count());
  const LabelShape labels{{}, digits, digits};
  const double elements = capacity(presort);
  std::vector<Touched> touched;
  touched.push_back(touched_digits(Region::positions, labels, digits, sizeof(size_t)));
  touched.push_back(touched_digits(Region::buffers, labels, digits, elements * pair_bytes()));
  touched.push_back(touched_stream(
      to, kLineBytes * std::max(1.0, elements * pair_bytes() / 2 / kLineBytes), true));
  touched.push_back(touched_stream(to_values, kLineBytes, true));
  const std::string kind =
      "drain" + std::to_string(presort.buffer_bytes) + to_name(kLayouts, presort.layout);
  const Setting setting(machine_, page_bytes_, std::move(touched));
  return time(kind, setting, kNever, digits / static_cast<double>(problem_.n), 0, kPageBytes,
              Recording::anew, [&] { recorder_->drain(digit, presort, to, to_values); });
}

PhaseEstimate ClosedForm::plain_radix(const PhaseInput& input, const cpu::Digit& digit, Region to,
                                      Region to_values) {
  const LabelShape labels = shape_of(problem_.n, problem_.m);
  const auto digits = static_cast<double>(digit.count());
  std::vector<Touched> touched = inputs_of(input);
  touched.push_back(touched_digits(Region::positions, labels, digits, sizeof(size_t)));
  touched.push_back(touched_outputs(to, labels, digits, 1, label_bytes_, true));
  touched.push_back(touched_outputs(to_values, labels, digits, 1, value_bytes_, true));
  return time("radix" + text_of(input, digit), std::move(touched), 0, page_items(input),
              [&] { recorder_->plain_radix(input, digit, to, to_values); });
}

PhaseEstimate ClosedForm::permute_back(const PhaseInput& input, const cpu::Digit& digit,
                                       const Presort& presort, Region from) {
  const LabelShape labels = shape_of(input, digit);
  const auto digits = static_cast<double>(digit.count());
  const bool from_pairs = input.has_values && presort.layout == Layout::pairs;
  std::vector<Touched> touched = labels_of(input);
  touched.push_back(touched_digits(Region::positions, labels, digits, sizeof(size_t)));
  touched.push_back(
      touched_outputs(from, labels, digits, 1, from_pairs ? pair_bytes() : value_bytes_, false));
  if (!in_pairs(input)) {
    touched.push_back(touched_stream(input.results_region, value_bytes_, true));
  }
  return time("back" + text_of(input, digit) + to_name(kLayouts, presort.layout),
              std::move(touched), 0, page_items(input),
              [&] { recorder_->permute_back(input, digit, presort, from); });
}

PhaseEstimate ClosedForm::clear_sets() {
  return time("clear", {touched_stream(Region::counts, 4, true)}, 0, kPageBytes,
              [&] { recorder_->clear_sets(); });
}

// An item is an input of each part, and each part has a set of its own.
PhaseEstimate ClosedForm::reduce_in_sets(const PhaseInput& input) {
  std::vector<Touched> touched = {
      touched_stream(input.first_region, kReduceSets * label_bytes_, false),
      touched_stream(input.second_region, kReduceSets * value_bytes_, false)};
  Touched sets = buckets(shape_of(problem_.n, problem_.m));
  sets.region = Region::counts;
  sets.units = [one = sets.units](double unit_bytes) {
    Population all = one(unit_bytes);
    for (Group& group : all.groups) {
      group.count *= kReduceSets;
    }
    return all;
  };
  touched.push_back(std::move(sets));
  return time("sets", std::move(touched), 0, kPageBytes / std::max(label_bytes_, value_bytes_),
              [&] { recorder_->reduce_in_sets(input); });
}

PhaseEstimate ClosedForm::add_sets() {
  const LabelShape labels = shape_of(problem_.m, problem_.m);
  return time("add",
              {touched_digits(Region::counts, labels, labels.buckets, 4 * cpu::kCountTables),
               touched_stream(Region::buckets, value_bytes_, true)},
              0, kPageBytes, [&] { recorder_->add_sets(); });
}

// The labels of a part in the middle, or of some together if they are too short for an excerpt.
std::shared_ptr<const LabelSource> ClosedForm::excerpt_part(const Parts& parts) const {
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

// A typical part, from its first input on: all its buckets are new to the caches then. The part is
// cut at powers of four.
PhaseEstimate ClosedForm::direct_on_parts(const Parts& parts, const PhaseInput& place,
                                          cpu::Distances distances) {
  const uint64_t n = parts.labels->size();
  const uint64_t width = std::min(problem_.m, uint64_t{1} << parts.shift);
  PhaseInput input = place;
  input.labels = excerpt_part(parts);
  const double inputs =
      static_cast<double>(n) * static_cast<double>(width) / static_cast<double>(problem_.m);
  LabelShape labels = shape_of(n, width);
  labels.inputs = inputs;
  labels.parts = static_cast<double>(problem_.m) / static_cast<double>(width);
  std::vector<Touched> touched = inputs_of(place);
  touched.push_back(buckets(labels));
  const Setting setting(machine_, page_bytes_, std::move(touched));
  // How often an excerpt meets a line again depends on how many there are.
  const std::string kind =
      text_of("parts", distances) + std::to_string(width) + to_name(kLayouts, place.layout);
  PhaseEstimate sum;
  const auto whole = std::max<uint64_t>(1, static_cast<uint64_t>(inputs));
  Recording recording = Recording::anew;
  std::vector<Interval> strata = strata_of(whole);
  std::reverse(strata.begin(), strata.end());  // the largest one first: small ones are like it
  for (const Interval& stratum : strata) {
    const double middle = static_cast<double>(stratum.first + stratum.last) / 2;
    const double weight =
        static_cast<double>(stratum.last - stratum.first) / static_cast<double>(whole);
    add(sum,
        time(kind, setting, middle, weight, distances.inputs, page_items(place), recording,
             [&] { recorder_->direct(input, distances); }),
        weight);
    recording = Recording::again;
  }
  return sum;
}

}  // namespace

bool too_few_to_tell(const Problem& problem) {
  return problem.distribution.kind == DistributionKind::file && problem.n < kSampledLabels;
}

bool in_closed_form(const Machine& machine, const Problem& problem, const Plan& plan) {
  const bool team = plan.resources.threads > 1 || plan.base.strategy == Strategy::privateTables;
  return !machine.storage && !team && !too_few_to_tell(problem);
}

std::unique_ptr<PhaseSimulator> make_closed_form(const Machine& machine, const Problem& problem,
                                                 PageSize page_size) {
  if (machine.storage) {
    throw PlanError("storage: found a block device, accepted by the closed form: none");
  }
  return std::make_unique<ClosedForm>(machine, problem, page_size);
}

}  // namespace presort::predict
