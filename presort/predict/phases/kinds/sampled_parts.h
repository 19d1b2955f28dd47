// The members of CorePhases (predict/phases/core_phases.h) that sample the plain loop on the parts
// of a partition: random parts, whose inputs are timed after the last inputs of the parts before.
#pragma once

#include <algorithm>

#include "presort/predict/phases/kinds/parts.h"

namespace presort::inline v0::predict {

// Moves to the part that holds a random input of a thread's parts; a part is chosen in proportion
// to its size.
template <class Label, class Value>
uint64_t CorePhases<Label, Value>::first_part_of(const Group& group, const Parts& parts,
                                                 size_t cluster) const {
  if (threads_ > 1) {
    const uint64_t at = slice_start(cluster, group.sample.count(), 1);
    return sorted_labels_[group.sample.first + at] >> parts.shift;
  }
  uint64_t label = 0;
  parts.labels->generate(slice_start(cluster, group.items, 1), std::span<uint64_t>(&label, 1));
  return label >> parts.shift;
}

// Warms the caches as the parts before `first_bucket` left them: buckets of these parts are
// written, and their inputs read in between, as far back as the last cache level holds. The other
// levels are warmed by the last of them, by twice as many lines as these levels hold.
template <class Label, class Value>
void CorePhases<Label, Value>::warm_preceding(Core core, const PhaseInput& place,
                                              uint64_t first_bucket, double inputs_per_bucket) {
  // Bytes of a label and of its value or result together
  constexpr double kInputBytes = sizeof(Label) + sizeof(Value);
  const double bytes_per_bucket = sizeof(Value) + inputs_per_bucket * kInputBytes;
  const auto held = static_cast<uint64_t>(1.25 * static_cast<double>(last_level_bytes_) /
                                          bytes_per_bucket / static_cast<double>(threads_));
  const uint64_t per_line = line_bytes_ / sizeof(Value);
  const auto held_inputs = static_cast<uint64_t>(1.25 * static_cast<double>(last_level_bytes_) /
                                                 kInputBytes / static_cast<double>(threads_));
  const double remembered = 2 * static_cast<double>(held_above_ * line_bytes_) / bytes_per_bucket;
  std::vector<sim::Access> accesses;
  for (uint64_t bucket = (first_bucket - std::min(first_bucket, held)) / per_line * per_line;
       bucket < first_bucket; bucket += per_line) {
    const bool recent = static_cast<double>(first_bucket - bucket) <= remembered;
    const Warms what = recent ? Warms::all : Warms::lastLevel;
    const auto input = static_cast<uint64_t>(static_cast<double>(bucket) * inputs_per_bucket);
    const auto next =
        static_cast<uint64_t>(static_cast<double>(bucket + per_line) * inputs_per_bucket);
    for (uint64_t i = std::max(input, next - std::min(next, held_inputs)); i < next; ++i) {
      add_input_lines(place, i, accesses);
      if (accesses.size() >= 1024) {
        warm(core, accesses, what);
        accesses.clear();
      }
    }
    accesses.push_back({buckets_ + bucket * sizeof(Value), bucket_access(), 4, 0, 0, 0});
    if (accesses.size() >= 1024 || bucket + per_line >= first_bucket) {
      warm(core, accesses, what);
      accesses.clear();
    }
  }
}

// Brings back what is left in the caches of some parts: their inputs, and the buckets from
// `first_bucket` on.
template <class Label, class Value>
void CorePhases<Label, Value>::bring_back_parts(Core core, const std::vector<PhaseInput>& inputs,
                                                uint64_t first_bucket, const Parts& parts) {
  const uint64_t last_bucket = std::min(problem_.m, first_bucket + (inputs.size() << parts.shift));
  uint64_t items = 0;
  for (const PhaseInput& input : inputs) {
    items += input.labels->size();
  }
  const bool all = may_touch_all(items, last_bucket - first_bucket);
  if (all) {
    bring_back(core, {{Region::buckets, sizeof(Value), bucket_access()}}, first_bucket, last_bucket,
               0);
  }
  for (const PhaseInput& input : inputs) {
    if (!all) {
      touch_buckets_of(core, *input.labels, 0, input.labels->size());
    }
    bring_back(core, arrays_of(input), input.offset, input.offset + input.labels->size(), 0);
  }
  const CacheLevel& second = machine_.caches[std::min<size_t>(1, machine_.caches.size() - 1)];
  touch_others(core, std::min(inputs.front().since_bytes, 2 * second.size_bytes));
}

// The last inputs of the parts before `part` as cuts that lead in: timed but not counted. So
// streams, pages and the pipeline are as the parts before leave them. Part 0 has none.
template <class Label, class Value>
std::vector<typename CorePhases<Label, Value>::Cut> CorePhases<Label, Value>::lead_in_cuts(
    const Group& group, const Parts& parts, const PhaseInput& place, uint64_t part) const {
  // Most parts that one cut leads in from, in case nearly all parts are empty
  constexpr size_t kMostParts = 2 * kLeadItems;
  std::vector<Cut> cuts;
  uint64_t items = 0;
  while (part > group.parts.first && items < kLeadItems && cuts.size() < kMostParts) {
    options_.stop.check();
    const PhaseInput input = part_input(parts, place, --part);
    const uint64_t end = input.labels->size();
    const uint64_t lead = begin_of_block(end - std::min(end, kLeadItems - items));
    items += end - lead;
    cuts.push_back({input, lead - std::min(lead, kLongestWarm), lead, end, end, 0});
  }
  std::reverse(cuts.begin(), cuts.end());
  return cuts;
}

// Chooses cuts in a random part and, while parts are short, in the parts after it. A cut goes from
// the first input of a part, when all its buckets may be cold, to its last. The caches are first
// warmed as the parts before left them, and the last inputs of these lead in.
template <class Label, class Value>
void CorePhases<Label, Value>::cut_parts(Sampler& sampler, size_t t, Group& group,
                                         const Parts& parts, const PhaseInput& place,
                                         size_t cluster, bool is_first) {
  // Most parts that one cluster takes cuts from, in case nearly all parts are empty
  constexpr size_t kMostPartsOfCluster = 2 * kSliceItems;
  const uint64_t first_part = first_part_of(group, parts, cluster);
  group.cuts = lead_in_cuts(group, parts, place, first_part);
  group.leads = group.cuts.size();
  const uint64_t first_bucket = (first_part - group.cuts.size()) << parts.shift;
  std::vector<PhaseInput> inputs;
  uint64_t items = 0;
  for (uint64_t part = first_part;
       part < group.parts.last && items < kSliceItems && inputs.size() < kMostPartsOfCluster;
       ++part) {
    options_.stop.check();
    inputs.push_back(part_input(parts, place, part));
    items += inputs.back().labels->size();
  }
  if (items == 0) {
    group.cuts.clear();
    group.leads = 0;
    return;  // these are the last parts, which have fewer labels than the sample promised
  }
  // Only the first clusters of sampled parts warm the caches. Later clusters find the lines that
  // earlier ones left, but none of their own arrays, which stand at other addresses. Warming each
  // of 64 and 128 parts anew moved the kernel's time by at most 1 % (seven kinds of labels and
  // sizes, two machines, one thread) and took up to six times as long.
  const uint64_t warmed_anew = threads_ == 1 ? kMaxParts : 8 * kMaxParts;
  if (is_kept(place)) {
    std::vector<PhaseInput> all;
    for (const Cut& cut : group.cuts) {
      all.push_back(cut.input);
    }
    all.insert(all.end(), inputs.begin(), inputs.end());
    bring_back_parts(sampler.core(t), all, first_bucket, parts);
  }
  if (is_first || (problem_.m - 1) >> parts.shift < warmed_anew) {
    warm_preceding(sampler.core(t), moved_input(place), first_bucket,
                   static_cast<double>(parts.labels->size()) / static_cast<double>(problem_.m));
  }
  sampler.begin_cluster(t);
  for (const PhaseInput& input : inputs) {
    uint64_t at = 0;
    for (const Interval& stratum : geometric_strata(input.labels->size())) {
      const uint64_t whole = stratum.last - stratum.first;
      const uint64_t length = std::min(whole, kStratumItems);
      const uint64_t first = stratum.first + begin_of_block((whole - length) / 2);
      const uint64_t lead = std::max(at, first - std::min(first, kLeadItems));
      const uint64_t warm = std::max(at, lead - std::min(lead, kLongestWarm));
      at = first + length;
      group.cuts.push_back(
          {input, warm, lead, first, at, static_cast<double>(whole) / static_cast<double>(items)});
    }
  }
}

// Puts empty cuts before those that lead in, so that all threads begin to be timed together.
template <class Label, class Value>
void CorePhases<Label, Value>::align_cuts(std::vector<Group>& groups) const {
  size_t most = 0;
  for (const Group& group : groups) {
    most = std::max(most, group.leads);
  }
  for (Group& group : groups) {
    if (group.cuts.empty()) {
      continue;
    }
    group.cuts.insert(group.cuts.begin(), most - group.leads, Cut{});
  }
}

// Times the k-th cut of every thread; all threads run at the same time.
template <class Label, class Value>
template <class Update>
void CorePhases<Label, Value>::time_cuts(Sampler& sampler, const std::vector<Group>& groups,
                                         const Update& update, cpu::Distances distances) {
  size_t most = 0;
  for (const Group& group : groups) {
    most = std::max(most, group.cuts.size());
  }
  for (size_t k = 0; k < most; ++k) {
    Streams streams(threads_);
    std::vector<cpu::Share> leads(threads_);
    std::vector<cpu::Share> slices(threads_);
    for (size_t t = 0; t < threads_; ++t) {
      if (k >= groups[t].cuts.size() || groups[t].cuts[k].lead == groups[t].cuts[k].last) {
        continue;
      }
      const Cut& cut = groups[t].cuts[k];
      warm_inputs(sampler.core(t), moved_input(cut.input), cut.warm, cut.lead);
      if (cut.first < cut.last) {
        sampler.begin_stratum(t, cut.weight);
      }
      streams[t] = direct_stream(cut.input, cut.lead, cut.last, cut.input.labels->size(),
                                 TracedArray<Value>{buckets_}, update, distances);
      leads[t] = {cut.lead, cut.first};
      slices[t] = {cut.first, cut.last};
    }
    run_items(sampler, streams, leads, Step::lead);
    run_items(sampler, streams, slices, Step::time);
  }
}

// Samples random parts until the interval of the time is narrow enough. A part may be drawn twice,
// so its buckets stand at a new address each time.
template <class Label, class Value>
template <class Update>
PhaseEstimate CorePhases<Label, Value>::sample_parts(const Parts& parts, const PhaseInput& place,
                                                     std::vector<Group> groups,
                                                     const Update& update,
                                                     cpu::Distances distances) {
  const uint64_t n = parts.labels->size();
  std::vector<uint64_t> items;
  for (const Group& group : groups) {
    items.push_back(group.items);
  }
  Sampler sampler(parts_machine_, options_, placed(problem_.n), threads_);
  for (size_t k = 0; k < kMaxParts; ++k) {
    if (k >= kMinParts && sampler.ci95_relative(items, n) <= options_.ci95_relative) {
      break;
    }
    const size_t clusters = sampler.clusters();
    move_arrays(clusters, std::max(n, problem_.m));
    buckets_ = moved<Value>(Region::buckets);
    for (size_t t = 0; t < threads_; ++t) {
      if (groups[t].items > 0) {
        cut_parts(sampler, t, groups[t], parts, place, k, clusters == 0);
      }
    }
    align_cuts(groups);
    time_cuts(sampler, groups, update, distances);
  }
  return sampler.estimate(items, n);
}

}  // namespace presort::predict
