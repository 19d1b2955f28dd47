// The members of SingleCorePhases (predict/phases/single_core_phases.h) that simulate the plain
// loop on the parts of a partition.
#pragma once

#include <cmath>

#include "presort/predict/phases/single_core_phases.h"

namespace presort::inline v0::predict {

template <class Label, class Value>
PhaseInput SingleCorePhases<Label, Value>::part_input(const Parts& parts, const PhaseInput& place,
                                                      uint64_t part) const {
  const uint64_t low = part << parts.shift;
  const uint64_t high = std::min(problem_.m, (part + 1) << parts.shift);
  PhaseInput input = place;
  input.labels = parts.labels->restricted(low, high);
  const double fraction = static_cast<double>(low) / static_cast<double>(problem_.m);
  input.offset += static_cast<uint64_t>(fraction * static_cast<double>(parts.labels->size()));
  return input;
}

// Times one part, from its first input on, when all its buckets may be cold, to its last.
template <class Label, class Value>
template <class Update>
void SingleCorePhases<Label, Value>::time_part(Sampler& sampler, const PhaseInput& part,
                                               const Update& update, cpu::Distances distances,
                                               double cluster_items) {
  uint64_t at = 0;
  place_results(part);
  for (const Interval& stratum : geometric_strata(part.labels->size())) {
    const uint64_t length = std::min(stratum.last - stratum.first, kSliceItems);
    const uint64_t first = stratum.first + (stratum.last - stratum.first - length) / 2;
    const uint64_t lead = std::max(at, first - std::min(first, kLeadItems));
    warm_inputs(sampler, part, std::max(at, lead - std::min(lead, kLongestWarm)), lead);
    sampler.begin_stratum(static_cast<double>(stratum.last - stratum.first) / cluster_items);
    InputWindow<Label, Value> window(part, lead, first + length + distances.buckets);
    window.visit_any([&](auto view) {
      const uint64_t size = part.labels->size();
      run_direct(sampler, view, update, distances, size, lead, first, Step::lead);
      run_direct(sampler, view, update, distances, size, first, first + length, Step::time);
    });
    at = first + length;
  }
}

// What the parts before `first_bucket` left in the caches: their buckets, written, and between them
// the inputs, read, as far back as the last level holds.
template <class Label, class Value>
void SingleCorePhases<Label, Value>::warm_preceding(auto& sampler, const PhaseInput& place,
                                                    uint64_t first_bucket,
                                                    double inputs_per_bucket) {
  constexpr double kInputBytes = sizeof(Label) + sizeof(Value);  // the value, or the result
  const double bytes_per_bucket = sizeof(Value) + inputs_per_bucket * kInputBytes;
  const auto held = static_cast<uint64_t>(1.25 * static_cast<double>(last_level_bytes_) /
                                          bytes_per_bucket / static_cast<double>(sharers_));
  const uint64_t per_line = line_bytes_ / sizeof(Value);
  const auto held_inputs = static_cast<uint64_t>(1.25 * static_cast<double>(last_level_bytes_) /
                                                 kInputBytes / static_cast<double>(sharers_));
  std::vector<sim::Access> accesses;
  for (uint64_t bucket = (first_bucket - std::min(first_bucket, held)) / per_line * per_line;
       bucket < first_bucket; bucket += per_line) {
    const auto input = static_cast<uint64_t>(static_cast<double>(bucket) * inputs_per_bucket);
    const auto next =
        static_cast<uint64_t>(static_cast<double>(bucket + per_line) * inputs_per_bucket);
    for (uint64_t i = std::max(input, next - std::min(next, held_inputs)); i < next; ++i) {
      add_input_lines(place, i, accesses);
      if (accesses.size() >= 1024) {
        sampler.warm(accesses);
        accesses.clear();
      }
    }
    accesses.push_back({buckets_ + bucket * sizeof(Value), bucket_access(), 4, 0, 0, 0});
    if (accesses.size() >= 1024 || bucket + per_line >= first_bucket) {
      sampler.warm(accesses);
      accesses.clear();
    }
  }
}

// Times `first_part` and, while parts are short, those that follow. The same part may be drawn
// again, so its buckets too stand in a place of their own.
template <class Label, class Value>
template <class Update>
void SingleCorePhases<Label, Value>::time_cluster(Sampler& sampler, const Parts& parts,
                                                  const PhaseInput& first_place,
                                                  const Update& update, cpu::Distances distances,
                                                  uint64_t first_part) {
  move_arrays(sampler.clusters(), std::max(parts.labels->size(), problem_.m));
  buckets_ = moved<Value>(Region::buckets);
  PhaseInput place = first_place;
  place.offset += moved_;
  const uint64_t part_count = ((problem_.m - 1) >> parts.shift) + 1;
  std::vector<PhaseInput> inputs;
  uint64_t items = 0;
  for (uint64_t part = first_part;
       part < part_count && items < kSliceItems && inputs.size() < kMostPartsOfCluster; ++part) {
    inputs.push_back(part_input(parts, place, part));
    items += inputs.back().labels->size();
  }
  if (items == 0) {
    return;  // the last parts, with fewer labels expected than were drawn
  }
  // Later clusters find the mixture that those before them left, and none of their own lines in it,
  // for their arrays stand elsewhere. Warming each of 64 and 128 parts anew moved the kernel's time
  // by at most 1 % (seven kinds of labels and sizes, two machines) and took up to six times as
  // long.
  if (sampler.clusters() == 0 || part_count <= kMaxParts) {
    warm_preceding(sampler, place, first_part << parts.shift,
                   static_cast<double>(parts.labels->size()) / static_cast<double>(problem_.m));
  }
  sampler.begin_cluster();
  for (const PhaseInput& input : inputs) {
    time_part(sampler, input, update, distances, static_cast<double>(items));
  }
}

// All inputs of all parts, in order.
template <class Label, class Value>
template <class Update>
void SingleCorePhases<Label, Value>::replay_parts(Sampler& sampler, const ReplaySchedule& schedule,
                                                  const Parts& parts, const PhaseInput& place,
                                                  const Update& update, cpu::Distances distances) {
  uint64_t done = 0;
  for (uint64_t part = 0; part <= (problem_.m - 1) >> parts.shift; ++part) {
    options_.stop.check();
    const PhaseInput input = part_input(parts, place, part);
    const uint64_t size = input.labels->size();
    place_results(input);
    const auto run = [&](Sampler&, auto view, uint64_t first, uint64_t last, Step step) {
      run_direct(sampler, view, update, distances, size, first, last, step);
    };
    replay_inputs(sampler, schedule, input, done, distances.buckets, on_views(run));
    done += size;
  }
}

// The expected number of inputs of a part is rounded to a whole one: parts of less than some are
// taken together, or there would be nothing to simulate.
template <class Label, class Value>
Parts SingleCorePhases<Label, Value>::of_some_inputs(Parts parts) const {
  constexpr double kInputs = 4;
  const double per_bucket =
      static_cast<double>(parts.labels->size()) / static_cast<double>(problem_.m);
  while (parts.shift < label_bits(problem_.m) && std::ldexp(per_bucket, parts.shift) < kInputs) {
    ++parts.shift;
  }
  return parts;
}

template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::direct_on_parts(const Parts& given,
                                                              const PhaseInput& place,
                                                              cpu::Distances distances) {
  return dispatch_update([&](auto update) {
    const Parts parts = of_some_inputs(given);
    const uint64_t n = parts.labels->size();
    if (options_.full || n <= options_.replayed_inputs) {
      return replay(n, [&](Sampler& sampler, const ReplaySchedule& schedule) {
        replay_parts(sampler, schedule, parts, place, update, distances);
      });
    }
    Sampler sampler(machine_, options_, page_bytes_);
    for (size_t k = 0; k < kMaxParts; ++k) {
      if (k >= kMinParts && sampler.ci95_relative() <= options_.ci95_relative) {
        break;
      }
      uint64_t label = 0;  // of a random input: large parts are chosen as often as they are large
      parts.labels->generate(slice_start(k, n, 1), std::span<uint64_t>(&label, 1));
      time_cluster(sampler, parts, place, update, distances, label >> parts.shift);
    }
    return sampler.estimate();
  });
}

}  // namespace presort::predict
