#include "predict/closed_form/phase_touches.h"

#include <algorithm>
#include <utility>

#include "cpu/buffer_capacity.h"
#include "cpu/phases/histogram.h"
#include "cpu/phases/owned_direct.h"

namespace presort::predict {

namespace {

// So many times as many units, each as popular as before.
Touched times(Touched one, double factor) {
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

PhaseTouches::PhaseTouches(const Problem& problem, std::shared_ptr<const EmpiricalLabels> measured)
    : problem_(problem),
      measured_(std::move(measured)),
      known_(std::make_shared<KnownPopularities>(problem.distribution)),
      label_bytes_(static_cast<double>(size_bytes(problem.types.label))),
      value_bytes_(static_cast<double>(size_bytes(problem.types.value))) {}

LabelShape PhaseTouches::shape_of(uint64_t inputs, uint64_t buckets) const {
  return {problem_.distribution,
          static_cast<double>(buckets),
          static_cast<double>(inputs),
          1,
          measured_,
          known_};
}

// Of the labels that a pass by `digit` meets.
LabelShape PhaseTouches::shape_of(const PhaseInput& input, const cpu::Digit& digit) const {
  const uint64_t buckets = uint64_t{digit.count()} << digit.shift;
  LabelShape labels = shape_of(input.labels->size(), std::min(problem_.m, buckets));
  labels.parts = static_cast<double>(problem_.m) / labels.buckets;
  return labels;
}

Touched PhaseTouches::buckets(const LabelShape& labels) const {
  return touched_buckets(labels, value_bytes_, writes_buckets(problem_.operation));
}

bool PhaseTouches::in_pairs(const PhaseInput& input) const {
  return input.has_values && input.layout == Layout::pairs;
}

// What a phase reads that looks at labels and values.
std::vector<Touched> PhaseTouches::read_inputs(const PhaseInput& input) const {
  std::vector<Touched> touched;
  if (in_pairs(input)) {
    touched.push_back(touched_stream(input.first_region, pair_bytes(), false));
  } else {
    touched.push_back(touched_stream(input.first_region, label_bytes_, false));
    if (input.has_values) {
      touched.push_back(touched_stream(input.second_region, value_bytes_, false));
    }
  }
  return touched;
}

// What the plain loop reads and writes of its inputs.
std::vector<Touched> PhaseTouches::inputs_and_results(const PhaseInput& input) const {
  std::vector<Touched> touched = read_inputs(input);
  const bool own = input.results_region != input.first_region &&
                   (!input.has_values || input.results_region != input.second_region);
  if (has_results(problem_.operation) && own) {
    touched.push_back(touched_stream(input.results_region, value_bytes_, true));
  }
  return touched;
}

// What a phase reads that looks at labels alone.
std::vector<Touched> PhaseTouches::labels_of(const PhaseInput& input) const {
  return {touched_stream(input.first_region, in_pairs(input) ? pair_bytes() : label_bytes_, false)};
}

double PhaseTouches::page_items(const PhaseInput& input) const {
  if (in_pairs(input)) {
    return kPrefetchedPageBytes / pair_bytes();
  }
  return kPrefetchedPageBytes / std::max(label_bytes_, input.has_values ? value_bytes_ : 0.0);
}

double PhaseTouches::page_items_of_sets() const {
  return kPrefetchedPageBytes / std::max(label_bytes_, value_bytes_);
}

double PhaseTouches::capacity(const Presort& presort) const {
  const auto label = static_cast<size_t>(label_bytes_);
  const auto value = static_cast<size_t>(value_bytes_);
  return static_cast<double>(
      has_values(problem_.operation)
          ? cpu::buffer_capacity(presort, label, value, static_cast<size_t>(pair_bytes()))
          : cpu::buffer_capacity(presort, label));
}

void PhaseTouches::add_buffers(std::vector<Touched>& touched, const LabelShape& labels,
                               double digits, const Presort& presort, Region to,
                               Region to_values) const {
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

std::vector<Touched> PhaseTouches::direct(const PhaseInput& input) const {
  std::vector<Touched> touched = inputs_and_results(input);
  touched.push_back(buckets(shape_of(problem_.n, problem_.m)));
  return touched;
}

// A range has its share of the buckets, and these are as popular as in one pass.
std::vector<Touched> PhaseTouches::range_pass(const PhaseInput& input, size_t passes) const {
  const Touched range =
      times(buckets(shape_of(problem_.n, problem_.m)), 1 / static_cast<double>(passes));
  constexpr double kChosenBytes = cpu::kOwnedBlock * sizeof(uint32_t);
  const Touched chosen{Region::chosen, true, [](double unit_bytes) {
                         const double units = std::max(1.0, kChosenBytes / unit_bytes);
                         return Population{{{units, 1 / units}}};
                       }};
  std::vector<Touched> touched = inputs_and_results(input);
  touched.push_back(range);
  touched.push_back(chosen);
  return touched;
}

std::vector<Touched> PhaseTouches::direct_on_part(const PhaseInput& place, uint64_t inputs,
                                                  uint64_t width) const {
  LabelShape labels = shape_of(inputs, width);
  labels.parts = static_cast<double>(problem_.m) / static_cast<double>(width);
  labels.inputs = static_cast<double>(inputs) / labels.parts;
  std::vector<Touched> touched = inputs_and_results(place);
  touched.push_back(buckets(labels));
  return touched;
}

std::vector<Touched> PhaseTouches::histogram(const PhaseInput& input,
                                             const cpu::Digit& digit) const {
  std::vector<Touched> touched = labels_of(input);
  // Tables are used by turns: an element of all of them for each digit.
  constexpr double kCounterBytes = 4 * cpu::kCountTables;
  touched.push_back(touched_digits(Region::counts, shape_of(input, digit),
                                   static_cast<double>(digit.count()), kCounterBytes));
  return touched;
}

std::vector<Touched> PhaseTouches::partition(const PhaseInput& input, const cpu::Digit& digit,
                                             const Presort& presort, Region to,
                                             Region to_values) const {
  const LabelShape labels = shape_of(input, digit);
  const auto digits = static_cast<double>(digit.count());
  std::vector<Touched> touched = read_inputs(input);
  touched.push_back(touched_digits(Region::positions, labels, digits, sizeof(size_t)));
  add_buffers(touched, labels, digits, presort, to, to_values);
  return touched;
}

std::vector<Touched> PhaseTouches::drain(const cpu::Digit& digit, const Presort& presort, Region to,
                                         Region to_values) const {
  constexpr double kLineBytes = 64;
  const auto digits = static_cast<double>(digit.count());
  const LabelShape labels{{}, digits, digits};
  const double buffer_bytes = capacity(presort) * pair_bytes();
  return {touched_digits(Region::positions, labels, digits, sizeof(size_t)),
          touched_digits(Region::buffers, labels, digits, buffer_bytes),
          touched_stream(to, kLineBytes * std::max(1.0, buffer_bytes / 2 / kLineBytes), true),
          touched_stream(to_values, kLineBytes, true)};
}

std::vector<Touched> PhaseTouches::plain_radix(const PhaseInput& input, const cpu::Digit& digit,
                                               Region to, Region to_values) const {
  const LabelShape labels = shape_of(problem_.n, problem_.m);
  const auto digits = static_cast<double>(digit.count());
  std::vector<Touched> touched = read_inputs(input);
  touched.push_back(touched_digits(Region::positions, labels, digits, sizeof(size_t)));
  touched.push_back(touched_outputs(to, labels, digits, 1, label_bytes_, true));
  touched.push_back(touched_outputs(to_values, labels, digits, 1, value_bytes_, true));
  return touched;
}

std::vector<Touched> PhaseTouches::unpack(const PhaseInput& input) const {
  std::vector<Touched> touched = read_inputs(input);
  touched.push_back(touched_stream(Region::sorted_labels, label_bytes_, true));
  touched.push_back(touched_stream(Region::results, value_bytes_, true));
  return touched;
}

std::vector<Touched> PhaseTouches::permute_back(const PhaseInput& input, const cpu::Digit& digit,
                                                const Presort& presort, Region from) const {
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
  return touched;
}

std::vector<Touched> PhaseTouches::reduce_in_sets(const PhaseInput& input) const {
  Touched sets = times(buckets(shape_of(problem_.n, problem_.m)), kReduceSets);
  sets.region = Region::counts;
  return {touched_stream(input.first_region, kReduceSets * label_bytes_, false),
          touched_stream(input.second_region, kReduceSets * value_bytes_, false), std::move(sets)};
}

std::vector<Touched> PhaseTouches::clear_sets() const {
  return {touched_stream(Region::counts, 4, true)};
}

std::vector<Touched> PhaseTouches::add_sets() const {
  const LabelShape labels = shape_of(problem_.m, problem_.m);
  return {touched_digits(Region::counts, labels, labels.buckets, 4 * cpu::kCountTables),
          touched_stream(Region::buckets, value_bytes_, true)};
}

}  // namespace presort::predict
