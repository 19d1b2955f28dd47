#include "presort/predict/phases/phase_list.h"

#include <algorithm>
#include <bit>

#include "presort/cpu/detail/set_reduce.h"
#include "presort/predict/sampling/slices.h"

namespace presort::inline v0::predict {

namespace {

std::string base_name(const Problem& problem) {
  switch (problem.operation) {
    case Operation::multireduce:
      return "reduce";
    case Operation::scatter:
      return "scatter";
    case Operation::gather:
      return "gather";
    case Operation::histogram:
      return "count";
    case Operation::multiscan:
      return "scan";
    case Operation::multitag:
      return "tag";
    case Operation::partialSort:
      return "unpack";
    case Operation::segmentedReduce:
      return "reduce";
    case Operation::segmentedScan:
      return "scan";
  }
  return "";
}

std::string text_of(const cpu::Distances& distances) {
  return " distances " + std::to_string(distances.buckets) + " " + std::to_string(distances.inputs);
}

std::string columns(const PhaseInput& input) {
  return input.has_values ? to_name(kLayouts, input.layout) : "labels";
}

// Where the inputs and results of a phase stand, as far as a key has to tell.
std::string text_of(const PhaseInput& input) {
  std::string text = columns(input);
  for (const Region region : {input.first_region, input.second_region, input.results_region}) {
    text += ' ';
    text += std::to_string(static_cast<uint64_t>(region));
  }
  return text + (input.is_part ? " part" : "");
}

// How many labels a pass meets, and which of their bits it orders by, counted from the first one:
// of a problem with more buckets these are other bits of the labels, and the same digits.
std::string text_of(const Problem& problem, const PhaseInput& input, const cpu::Digit& digit) {
  return " of " + std::to_string(input.labels->size()) + " to " + std::to_string(digit.count()) +
         " by bit " + std::to_string(label_bits(problem.m) - digit.shift) + " from " +
         text_of(input);
}

Phase direct_phase(const Problem& problem, cpu::Distances distances, const PhaseInput& input) {
  Phase phase{base_name(problem), "direct" + text_of(distances)};
  phase.simulate = [=](PhaseSimulator& simulator) { return simulator.direct(input, distances); };
  return phase;
}

// Range passes, one phase each. Of ranges that are alike the first pass alone differs: no other has
// read the inputs before it. The second stands for all that follow; it is always asked for before
// they are.
std::vector<Phase> range_phases(const Problem& problem, const Plan& plan, const PhaseInput& input) {
  const cpu::Distances distances = cpu::plain_distances(plan.base);
  const auto passes = static_cast<size_t>(plan.base.range_passes);
  std::vector<Phase> phases;
  for (size_t pass = 0; pass < passes; ++pass) {
    const cpu::RangePass range{pass, passes};
    const std::string of = " of " + std::to_string(passes);
    const size_t like = ranges_alike(problem) ? std::min<size_t>(pass, 1) : pass;
    Phase phase{"range " + std::to_string(pass + 1) + of + ": " + base_name(problem),
                "range " + std::to_string(like + 1) + of + text_of(distances)};
    phase.kind = PhaseKind::rangePass;
    phase.simulate = [=](PhaseSimulator& simulator) {
      return simulator.range_pass(input, distances, range);
    };
    phases.push_back(std::move(phase));
  }
  return phases;
}

Phase parts_phase(const Problem& problem, cpu::Distances distances, const Parts& parts,
                  const PhaseInput& place) {
  Phase phase{base_name(problem), "parts shift " + std::to_string(parts.shift) + " of " +
                                      std::to_string(parts.first_shift) + " from " +
                                      text_of(place) + text_of(distances)};
  phase.simulate = [=](PhaseSimulator& simulator) {
    return simulator.direct_on_parts(parts, place, distances);
  };
  return phase;
}

Phase table_phase(const Problem& problem, PhaseKind kind, std::string name, double items_per_input,
                  std::function<PhaseEstimate(PhaseSimulator&)> simulate) {
  Phase phase{std::move(name), ""};
  phase.kind = kind;
  phase.key = "private tables " + phase.name + " of " + std::to_string(problem.n);
  phase.items_per_input = items_per_input;
  phase.simulate = std::move(simulate);
  return phase;
}

std::vector<Phase> private_table_phases(const Problem& problem, cpu::Distances distances,
                                        const PhaseInput& input) {
  const double buckets = static_cast<double>(problem.m) / static_cast<double>(problem.n);
  std::vector<Phase> phases;
  phases.push_back(table_phase(problem, PhaseKind::other, "fill tables", buckets,
                               [](PhaseSimulator& simulator) { return simulator.fill_tables(); }));
  phases.push_back(table_phase(
      problem, PhaseKind::update, base_name(problem), 1,
      [=](PhaseSimulator& simulator) { return simulator.update_tables(input, distances); }));
  phases.back().key += text_of(distances);
  phases.push_back(table_phase(
      problem, PhaseKind::other, "merge tables", buckets,
      [=](PhaseSimulator& simulator) { return simulator.merge_tables(*input.labels); }));
  return phases;
}

// Of operations that have a result for each input.
std::vector<Phase> scan_table_phases(const Problem& problem, const Plan& plan,
                                     const PhaseInput& input) {
  const double buckets = static_cast<double>(problem.m) / static_cast<double>(problem.n);
  const cpu::Distances distances = cpu::plain_distances(plan.base);
  std::vector<Phase> phases;
  if (plan.resources.threads > 1) {  // one thread has no table
    phases.push_back(
        table_phase(problem, PhaseKind::other, "fill tables", buckets,
                    [](PhaseSimulator& simulator) { return simulator.fill_tables(); }));
  }
  phases.push_back(table_phase(
      problem, PhaseKind::update, base_name(problem) + " first share", 1,
      [=](PhaseSimulator& simulator) { return simulator.scan_first_share(input, distances); }));
  phases.back().key += text_of(distances);
  phases.push_back(
      table_phase(problem, PhaseKind::other, "prefix tables", buckets,
                  [](PhaseSimulator& simulator) { return simulator.prefix_tables(); }));
  phases.push_back(table_phase(
      problem, PhaseKind::update, base_name(problem) + " other shares", 1,
      [=](PhaseSimulator& simulator) { return simulator.scan_other_shares(input, distances); }));
  phases.back().key += text_of(distances);
  return phases;
}

Phase set_phase(PhaseKind kind, std::string name, double items_per_input,
                std::function<PhaseEstimate(PhaseSimulator&)> simulate) {
  Phase made{name, name, items_per_input, kind};
  made.simulate = std::move(simulate);
  return made;
}

// In several sets of buckets: a histogram counts in them by turns, a multireduce has one for each
// part of the inputs.
std::vector<Phase> set_phases(const Problem& problem, const PhaseInput& input) {
  const auto inputs = static_cast<double>(problem.n);
  const cpu::Digit digit = cpu::make_digit(0, label_bits(problem.m));
  const bool counts = problem.operation == Operation::histogram;
  const size_t elements =
      counts ? kHistogramSets * digit.count() : kReduceSets * cpu::set_stride(problem.m);
  std::vector<Phase> phases;
  phases.push_back(set_phase(PhaseKind::other, "clear sets", static_cast<double>(elements) / inputs,
                             [](PhaseSimulator& simulator) { return simulator.clear_sets(); }));
  if (counts) {
    phases.push_back(set_phase(
        PhaseKind::update, "count in sets", 1,
        [=](PhaseSimulator& simulator) { return simulator.count_in_sets(input, digit); }));
  } else {
    phases.push_back(
        set_phase(PhaseKind::update, "reduce in sets", 1.0 / kReduceSets,
                  [=](PhaseSimulator& simulator) { return simulator.reduce_in_sets(input); }));
  }
  phases.push_back(set_phase(PhaseKind::other, "add sets", static_cast<double>(problem.m) / inputs,
                             [](PhaseSimulator& simulator) { return simulator.add_sets(); }));
  return phases;
}

// The labels that a later pass sees: those of one part, that of a typical input. Where less than
// half an input is expected there, it is this one.
std::shared_ptr<const LabelSource> typical_part(const LabelSource& labels, int shift) {
  uint64_t label = 0;
  labels.generate(slice_start(0, labels.size(), 1), std::span<uint64_t>(&label, 1));
  const uint64_t low = label >> shift << shift;
  const uint64_t high = std::min(labels.buckets(), low + (uint64_t{1} << shift));
  auto part = labels.restricted(low, high);
  return part->size() > 0 ? part : make_stored_labels({label}, 1, labels.buckets());
}

// Where a pass puts its inputs, and a kernel their results: in the place of the values.
struct Places {
  Region to;
  Region to_values;
};

Places places_of(size_t pass) {
  return pass % 2 == 0 ? Places{Region::partitioned, Region::partitioned_values}
                       : Places{Region::scratch, Region::scratch_values};
}

PhaseInput whole_input(const Problem& problem, const std::shared_ptr<const LabelSource>& labels) {
  PhaseInput input{labels, Layout::separate, Region::labels, Region::values, 0};
  input.has_values = has_values(problem.operation);
  return input;
}

PhaseInput partitioned_input(const PhaseInput& before, Layout layout, const Places& out) {
  PhaseInput input = before;
  input.layout = layout;
  input.first_region = out.to;
  input.second_region = out.to_values;
  const bool in_pairs = input.has_values && layout == Layout::pairs;
  input.results_region = in_pairs ? out.to : out.to_values;
  return input;
}

// With uniform labels and m a power of two, the first digit of every label is the same whatever m
// is. The labels of a part are a draw of their own for each m (core/labels/labels.h).
bool digits_depend_on_m(const Problem& problem, const PhaseInput& input) {
  const bool alike =
      problem.distribution.kind == DistributionKind::uniform && std::has_single_bit(problem.m);
  return input.is_part || !alike;
}

Phase sorting_phase(const Problem& problem, const PhaseInput& input, PhaseKind kind,
                    std::string name, std::string key,
                    std::function<PhaseEstimate(PhaseSimulator&)> simulate) {
  Phase phase{std::move(name), std::move(key)};
  phase.kind = kind;
  phase.depends_on_m = digits_depend_on_m(problem, input);
  phase.depends_on_operation = false;
  if (phase.depends_on_m) {
    phase.key += " m " + std::to_string(problem.m);
  }
  phase.simulate = std::move(simulate);
  return phase;
}

void add_pass(std::vector<Phase>& phases, const Problem& problem, const Presort& presort,
              size_t pass, const PhaseInput& input, const cpu::Digit& digit,
              double drains_per_input) {
  const Places out = places_of(pass);
  const std::string number = std::to_string(pass + 1);
  const std::string digits = number + text_of(problem, input, digit);
  const std::string buffers = digits + " buffers " + std::to_string(presort.buffer_bytes) + " " +
                              to_name(kLayouts, presort.layout) +
                              (presort.streaming ? " streaming" : " cached");
  const std::string chunks =
      presort.chunk_bytes > 0 ? " chunks " + std::to_string(presort.chunk_bytes) : "";
  if (presort.chunk_bytes == 0) {
    phases.push_back(sorting_phase(
        problem, input, PhaseKind::count, "histogram " + number, "histogram " + digits,
        [=](PhaseSimulator& simulator) { return simulator.histogram(input, digit); }));
  }
  phases.push_back(sorting_phase(problem, input, PhaseKind::move, "partition " + number,
                                 "partition " + buffers, [=](PhaseSimulator& simulator) {
                                   return simulator.partition(input, digit, presort, out.to,
                                                              out.to_values);
                                 }));
  phases.back().simulated_key = chunks;
  phases.push_back(sorting_phase(problem, input, PhaseKind::move, "drain " + number,
                                 "drain " + buffers, [=](PhaseSimulator& simulator) {
                                   return simulator.drain(input.labels->size(), digit, presort,
                                                          out.to, out.to_values);
                                 }));
  phases.back().simulated_key = chunks;
  phases.back().items_per_input = drains_per_input;
}

Phase way_back(const Problem& problem, const Presort& presort, size_t pass, const PhaseInput& input,
               const cpu::Digit& digit, Region from) {
  const std::string name = "permute back " + std::to_string(pass + 1);
  return sorting_phase(problem, input, PhaseKind::takeBack, name,
                       name + text_of(problem, input, digit) + " back from " +
                           std::to_string(static_cast<uint64_t>(from)) + " " +
                           to_name(kLayouts, presort.layout) + " buffers " +
                           std::to_string(presort.buffer_bytes),
                       [=](PhaseSimulator& simulator) {
                         return simulator.permute_back(input, digit, presort, from);
                       });
}

Phase plain_phase(const Problem& problem, PhaseKind kind, const std::string& name,
                  double items_per_input, std::function<PhaseEstimate(PhaseSimulator&)> simulate) {
  Phase phase{name, to_name(kOperations, problem.operation) + " " + name, items_per_input, kind};
  phase.simulate = std::move(simulate);
  return phase;
}

Phase unpack_phase(const Problem& problem, const PhaseInput& input) {
  Phase phase = plain_phase(problem, PhaseKind::update, base_name(problem), 1,
                            [=](PhaseSimulator& simulator) { return simulator.unpack(input); });
  phase.key += " from " + text_of(input);
  phase.depends_on_m = digits_depend_on_m(problem, input);
  return phase;
}

std::vector<Phase> counting_sort_phases(const Problem& problem,
                                        const std::shared_ptr<const LabelSource>& labels) {
  const cpu::Digit digit = cpu::make_digit(0, label_bits(problem.m));
  const auto inputs = static_cast<double>(problem.n);
  const auto parts = static_cast<double>(digit.count());
  const PhaseInput input = whole_input(problem, labels);
  PhaseInput alone = input;
  alone.has_values = false;
  const auto phase = [&](PhaseKind kind, const char* name, double items, auto simulate) {
    return plain_phase(problem, kind, name, items / inputs, simulate);
  };
  return {phase(PhaseKind::other, "clear places", parts + 1,
                [](PhaseSimulator& simulator) { return simulator.clear_places(); }),
          phase(PhaseKind::count, "count parts", inputs,
                [=](PhaseSimulator& simulator) { return simulator.count_parts(alone); }),
          phase(PhaseKind::other, "sum counts", parts,
                [](PhaseSimulator& simulator) { return simulator.sum_counts(); }),
          phase(PhaseKind::move, "place", inputs, [=](PhaseSimulator& simulator) {
            return simulator.plain_radix(input, digit, Region::sorted_labels, Region::results,
                                         Region::buckets);
          })};
}

std::vector<Phase> segment_phases(const Problem& problem, const Plan& plan,
                                  const std::shared_ptr<const LabelSource>& labels) {
  const auto values = static_cast<double>(problem.n);
  const auto segments = static_cast<double>(problem.m);
  std::vector<Phase> phases;
  phases.push_back(
      plain_phase(problem, PhaseKind::other, "check offsets", (segments + 1) / values,
                  [=](PhaseSimulator& simulator) { return simulator.check_offsets(*labels); }));
  if (plan.resources.threads > 1 && problem.operation == Operation::segmentedScan) {
    phases.push_back(
        plain_phase(problem, PhaseKind::other, "reduce tails", 1,
                    [=](PhaseSimulator& simulator) { return simulator.reduce_tails(*labels); }));
  }
  phases.push_back(
      plain_phase(problem, PhaseKind::update, base_name(problem), (values + segments) / values,
                  [=](PhaseSimulator& simulator) { return simulator.run_segments(*labels); }));
  return phases;
}

std::vector<Phase> buffered_phases(const Problem& problem, const Plan& plan,
                                   const std::shared_ptr<const LabelSource>& labels) {
  std::vector<Phase> phases;
  std::vector<Phase> ways_back;  // of the passes, the first one last
  PhaseInput input = whole_input(problem, labels);
  int shift = label_bits(problem.m);
  double parts = 1;
  const std::vector<int> bits = bits_per_pass(plan);
  for (size_t pass = 0; pass < bits.size(); ++pass) {
    shift -= bits[pass];
    const cpu::Digit digit = cpu::make_digit(shift, bits[pass]);
    parts *= static_cast<double>(digit.count());
    add_pass(phases, problem, *plan.presort, pass, input, digit,
             parts / static_cast<double>(problem.n));
    const PhaseInput parted = partitioned_input(input, plan.presort->layout, places_of(pass));
    if (has_results(problem.operation)) {
      ways_back.insert(ways_back.begin(),
                       way_back(problem, *plan.presort, pass, input, digit, parted.results_region));
    }
    input = parted;
    if (pass + 1 < bits.size()) {
      input.labels = typical_part(*input.labels, shift);
      input.is_part = true;
    }
  }
  if (problem.operation == Operation::partialSort) {
    input.labels = labels;  // of all parts
    input.is_part = false;
    phases.push_back(unpack_phase(problem, input));
    return phases;
  }
  const int first_shift = label_bits(problem.m) - bits.front();
  phases.push_back(parts_phase(problem, cpu::part_distances(plan.base),
                               Parts{labels, shift, first_shift}, input));
  phases.insert(phases.end(), ways_back.begin(), ways_back.end());
  return phases;
}

// Alg. 2.4 sorts from the lowest digit up. Its later runs meet the labels in another order, which
// for independent labels looks the same to them; that is how they are simulated.
std::vector<Phase> plain_radix_phases(const Problem& problem, const Plan& plan,
                                      const std::shared_ptr<const LabelSource>& labels) {
  std::vector<Phase> phases;
  PhaseInput input{labels, Layout::separate, Region::labels, Region::values, 0};
  std::vector<int> bits = bits_per_pass(plan);
  const int lowest = label_bits(problem.m) - plan.presort->sort_bits;
  int shift = lowest;
  for (size_t run = 0; run < bits.size(); ++run) {
    const cpu::Digit digit = cpu::make_digit(shift, bits[bits.size() - 1 - run]);
    shift += bits[bits.size() - 1 - run];
    const Places out = places_of(run);
    const std::string number = std::to_string(run + 1);
    const std::string key = number + text_of(problem, input, digit);
    phases.push_back(sorting_phase(
        problem, input, PhaseKind::count, "count " + number, "count " + key,
        [=](PhaseSimulator& simulator) { return simulator.histogram(input, digit); }));
    phases.push_back(sorting_phase(problem, input, PhaseKind::move, "radix " + number,
                                   "radix " + key, [=](PhaseSimulator& simulator) {
                                     return simulator.plain_radix(input, digit, out.to,
                                                                  out.to_values, Region::positions);
                                   }));
    input = {labels, Layout::separate, out.to, out.to_values, 0};
  }
  phases.push_back(
      parts_phase(problem, cpu::plain_distances(plan.base), Parts{labels, lowest, lowest}, input));
  return phases;
}

}  // namespace

bool ranges_alike(const Problem& problem) {
  const DistributionKind kind = problem.distribution.kind;
  return kind == DistributionKind::uniform || kind == DistributionKind::clustered;
}

std::vector<Phase> list_phases(const Problem& problem, const Plan& plan,
                               const std::shared_ptr<const LabelSource>& labels) {
  if (is_segmented(problem.operation)) {
    return segment_phases(problem, plan, labels);
  }
  if (!plan.presort && problem.operation == Operation::partialSort) {
    return counting_sort_phases(problem, labels);
  }
  if (!plan.presort) {
    const PhaseInput input = whole_input(problem, labels);
    if (plan.base.strategy == Strategy::privateTables && has_results(problem.operation)) {
      return scan_table_phases(problem, plan, input);
    }
    if (plan.base.strategy == Strategy::privateTables) {
      return private_table_phases(problem, cpu::plain_distances(plan.base), input);
    }
    if (plan.base.n_sets > 1) {
      return set_phases(problem, input);
    }
    if (plan.base.range_passes > 1) {
      return range_phases(problem, plan, input);
    }
    return {direct_phase(problem, cpu::plain_distances(plan.base), input)};
  }
  if (plan.base.strategy == Strategy::plainRadix) {
    return plain_radix_phases(problem, plan, labels);
  }
  return buffered_phases(problem, plan, labels);
}

}  // namespace presort::predict
