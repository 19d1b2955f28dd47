#include "presort/predict/closed_form/phase_footprints.h"

#include <algorithm>
#include <utility>

#include "presort/cpu/phases/histogram.h"
#include "presort/cpu/phases/owned_direct.h"
#include "presort/cpu/presort/buffer_capacity.h"
#include "presort/predict/phases/run_bytes.h"

namespace presort::inline v0::predict {

namespace {

// A footprint with `factor` times as many units, each as popular as before.
Footprint times(Footprint one, double factor) {
  one.units = [of_one = std::move(one.units), factor](double unit_bytes) {
    Population units = of_one(unit_bytes);
    for (Group& group : units.groups) {
      group.count *= factor;
    }
    for (Measured& measured : units.measured) {
      measured.touches *= factor;
    }
    return units;
  };
  return one;
}

}  // namespace

PhaseFootprints::PhaseFootprints(const Problem& problem,
                                 std::shared_ptr<const EmpiricalLabels> measured)
    : problem_(problem),
      measured_(std::move(measured)),
      known_(std::make_shared<KnownPopularities>(problem.distribution)),
      label_bytes_(static_cast<double>(size_bytes(problem.types.label))),
      value_bytes_(static_cast<double>(size_bytes(problem.types.value))) {}

LabelShape PhaseFootprints::shape_of(uint64_t inputs, uint64_t buckets) const {
  return {problem_.distribution,
          static_cast<double>(buckets),
          static_cast<double>(inputs),
          1,
          measured_,
          known_};
}

// The shape of the labels that a partition pass by `digit` reads.
LabelShape PhaseFootprints::shape_of(const PhaseInput& input, const cpu::Digit& digit) const {
  const uint64_t buckets = uint64_t{digit.count()} << digit.shift;
  LabelShape labels = shape_of(input.labels->size(), std::min(problem_.m, buckets));
  labels.parts = static_cast<double>(problem_.m) / labels.buckets;
  return labels;
}

Footprint PhaseFootprints::buckets(const LabelShape& labels) const {
  return buckets_footprint(labels, value_bytes_, writes_buckets(problem_.operation));
}

bool PhaseFootprints::in_pairs(const PhaseInput& input) const {
  return input.has_values && input.layout == Layout::pairs;
}

// Inputs of a phase since its arrays were last used, if each touches `bytes_per_input` bytes.
double PhaseFootprints::since(const PhaseInput& input, double bytes_per_input) const {
  return input.since_bytes == kFromMemory
             ? kNever
             : std::max(2.0, std::round(static_cast<double>(input.since_bytes) / bytes_per_input));
}

// Bytes of an input: of its label and its value, if it has one.
double PhaseFootprints::bytes_of(const PhaseInput& input) const {
  return in_pairs(input) ? pair_bytes() : label_bytes_ + (input.has_values ? value_bytes_ : 0.0);
}

// Footprints of the inputs of a phase that reads labels and values.
std::vector<Footprint> PhaseFootprints::read_inputs(const PhaseInput& input, double since) const {
  std::vector<Footprint> footprints;
  if (in_pairs(input)) {
    footprints.push_back(stream_footprint(input.first_region, pair_bytes(), false, since));
  } else {
    footprints.push_back(stream_footprint(input.first_region, label_bytes_, false, since));
    if (input.has_values) {
      footprints.push_back(stream_footprint(input.second_region, value_bytes_, false, since));
    }
  }
  return footprints;
}

// Footprints of the inputs that the plain loop reads, and of the results that it writes.
std::vector<Footprint> PhaseFootprints::inputs_and_results(const PhaseInput& input,
                                                           double since) const {
  std::vector<Footprint> footprints = read_inputs(input, since);
  const bool own = input.results_region != input.first_region &&
                   (!input.has_values || input.results_region != input.second_region);
  if (has_results(problem_.operation) && own) {
    footprints.push_back(stream_footprint(input.results_region, value_bytes_, true, since));
  }
  return footprints;
}

// Footprints of the inputs of a phase that reads labels alone.
std::vector<Footprint> PhaseFootprints::labels_of(const PhaseInput& input) const {
  const double bytes = in_pairs(input) ? pair_bytes() : label_bytes_;
  return {stream_footprint(input.first_region, bytes, false, since(input, bytes))};
}

double PhaseFootprints::page_items(const PhaseInput& input) const {
  if (in_pairs(input)) {
    return kPrefetchedPageBytes / pair_bytes();
  }
  return kPrefetchedPageBytes / std::max(label_bytes_, input.has_values ? value_bytes_ : 0.0);
}

double PhaseFootprints::page_items_of_sets() const {
  return kPrefetchedPageBytes / std::max(label_bytes_, value_bytes_);
}

double PhaseFootprints::capacity(const cpu::WriteBuffers& through) const {
  const auto label = static_cast<size_t>(label_bytes_);
  const auto value = static_cast<size_t>(value_bytes_);
  return static_cast<double>(
      has_values(problem_.operation)
          ? cpu::buffer_capacity(through, label, value, static_cast<size_t>(pair_bytes()))
          : cpu::buffer_capacity(through, label));
}

void PhaseFootprints::add_buffers(std::vector<Footprint>& footprints, const LabelShape& labels,
                                  double digits, const cpu::WriteBuffers& through, Region to,
                                  Region to_values) const {
  const double elements = capacity(through);
  const auto add = [&](Region buffers, Region output, double bytes) {
    footprints.push_back(buffers_footprint(buffers, labels, digits, elements, bytes));
    footprints.push_back(outputs_footprint(output, labels, digits, elements, bytes, true));
    if (through.streaming) {  // streaming stores bypass the caches, so only pages count
      footprints.back().past_caches = true;
    }
  };
  if (!has_values(problem_.operation)) {
    add(Region::buffers, to, label_bytes_);
  } else if (through.layout == Layout::pairs) {
    add(Region::buffers, to, pair_bytes());
  } else {
    add(Region::buffers, to, label_bytes_);
    add(Region::value_buffers, to_values, value_bytes_);
  }
}

// A run of the plain loop uses its arrays once: its inputs come round after as many inputs.
std::vector<Footprint> PhaseFootprints::direct(const PhaseInput& input) const {
  LabelShape labels = shape_of(problem_.n, problem_.m);
  labels.since = input.since_bytes == kFromMemory ? kNever : std::max(2.0, labels.inputs);
  std::vector<Footprint> footprints = inputs_and_results(input, labels.since);
  footprints.push_back(buckets(labels));
  return footprints;
}

// Footprints of a range pass: a range has its share of the buckets, each as popular as in one pass.
std::vector<Footprint> PhaseFootprints::range_pass(const PhaseInput& input, size_t passes) const {
  const Footprint range =
      times(buckets(shape_of(problem_.n, problem_.m)), 1 / static_cast<double>(passes));
  constexpr double kChosenBytes = cpu::kOwnedBlock * sizeof(uint32_t);
  const Footprint chosen{Region::chosen, true, [](double unit_bytes) {
                           const double units = std::max(1.0, kChosenBytes / unit_bytes);
                           return Population{{{units, 1 / units}}};
                         }};
  const double since =
      input.since_bytes == kFromMemory ? kNever : std::max(2.0, static_cast<double>(problem_.n));
  std::vector<Footprint> footprints = inputs_and_results(input, since);
  footprints.push_back(range);
  footprints.push_back(chosen);
  return footprints;
}

std::vector<Footprint> PhaseFootprints::direct_on_part(const PhaseInput& place, uint64_t inputs,
                                                       uint64_t width) const {
  LabelShape labels = shape_of(inputs, width);
  labels.parts = static_cast<double>(problem_.m) / static_cast<double>(width);
  labels.inputs = static_cast<double>(inputs) / labels.parts;
  std::vector<Footprint> footprints = inputs_and_results(place, since(place, bytes_of(place)));
  footprints.push_back(buckets(labels));
  return footprints;
}

std::vector<Footprint> PhaseFootprints::histogram(const PhaseInput& input,
                                                  const cpu::Digit& digit) const {
  std::vector<Footprint> footprints = labels_of(input);
  // Bytes of the counters of one digit: each of the count tables, which are used by turns, has one.
  constexpr double kCounterBytes = 4 * cpu::kCountTables;
  footprints.push_back(digits_footprint(Region::counts, shape_of(input, digit),
                                        static_cast<double>(digit.count()), kCounterBytes));
  return footprints;
}

std::vector<Footprint> PhaseFootprints::partition(const PhaseInput& input, const cpu::Digit& digit,
                                                  const cpu::WriteBuffers& through, Region to,
                                                  Region to_values) const {
  LabelShape labels = shape_of(input, digit);
  const auto digits = static_cast<double>(digit.count());
  labels.since = since(input, (through.streaming ? 1 : 2) * bytes_of(input));
  std::vector<Footprint> footprints = read_inputs(input, labels.since);
  footprints.push_back(digits_footprint(Region::positions, labels, digits, sizeof(size_t)));
  add_buffers(footprints, labels, digits, through, to, to_values);
  return footprints;
}

std::vector<Footprint> PhaseFootprints::drain(const cpu::Digit& digit,
                                              const cpu::WriteBuffers& through, Region to,
                                              Region to_values) const {
  constexpr double kLineBytes = 64;
  const auto digits = static_cast<double>(digit.count());
  const LabelShape labels{{}, digits, digits};
  const double buffer_bytes = capacity(through) * pair_bytes();
  return {digits_footprint(Region::positions, labels, digits, sizeof(size_t)),
          digits_footprint(Region::buffers, labels, digits, buffer_bytes),
          stream_footprint(to, kLineBytes * std::max(1.0, buffer_bytes / 2 / kLineBytes), true),
          stream_footprint(to_values, kLineBytes, true)};
}

std::vector<Footprint> PhaseFootprints::plain_radix(const PhaseInput& input,
                                                    const cpu::Digit& digit, Region to,
                                                    Region to_values) const {
  LabelShape labels = shape_of(problem_.n, problem_.m);
  const auto digits = static_cast<double>(digit.count());
  labels.since = since(input, 2 * bytes_of(input));
  std::vector<Footprint> footprints = read_inputs(input, labels.since);
  footprints.push_back(digits_footprint(Region::positions, labels, digits, sizeof(size_t)));
  footprints.push_back(outputs_footprint(to, labels, digits, 1, label_bytes_, true));
  footprints.push_back(outputs_footprint(to_values, labels, digits, 1, value_bytes_, true));
  return footprints;
}

std::vector<Footprint> PhaseFootprints::unpack(const PhaseInput& input) const {
  const double before = since(input, 2 * bytes_of(input));
  std::vector<Footprint> footprints = read_inputs(input, before);
  footprints.push_back(stream_footprint(Region::sorted_labels, label_bytes_, true, before));
  footprints.push_back(stream_footprint(Region::results, value_bytes_, true, before));
  return footprints;
}

std::vector<Footprint> PhaseFootprints::permute_back(const PhaseInput& input,
                                                     const cpu::Digit& digit,
                                                     const cpu::WriteBuffers& through,
                                                     Region from) const {
  const LabelShape labels = shape_of(input, digit);
  const auto digits = static_cast<double>(digit.count());
  const bool from_pairs = input.has_values && through.layout == Layout::pairs;
  std::vector<Footprint> footprints = labels_of(input);
  footprints.push_back(digits_footprint(Region::positions, labels, digits, sizeof(size_t)));
  footprints.push_back(
      outputs_footprint(from, labels, digits, 1, from_pairs ? pair_bytes() : value_bytes_, false));
  if (!in_pairs(input)) {
    footprints.push_back(stream_footprint(input.results_region, value_bytes_, true));
  }
  return footprints;
}

std::vector<Footprint> PhaseFootprints::reduce_in_sets(const PhaseInput& input) const {
  Footprint sets = times(buckets(shape_of(problem_.n, problem_.m)), kReduceSets);
  sets.region = Region::counts;
  return {stream_footprint(input.first_region, kReduceSets * label_bytes_, false),
          stream_footprint(input.second_region, kReduceSets * value_bytes_, false),
          std::move(sets)};
}

std::vector<Footprint> PhaseFootprints::clear_sets() const {
  return {stream_footprint(Region::counts, 4, true)};
}

std::vector<Footprint> PhaseFootprints::add_sets() const {
  const LabelShape labels = shape_of(problem_.m, problem_.m);
  return {digits_footprint(Region::counts, labels, labels.buckets, 4 * cpu::kCountTables),
          stream_footprint(Region::buckets, value_bytes_, true)};
}

}  // namespace presort::predict
