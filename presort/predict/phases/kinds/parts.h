// The members of CorePhases (predict/phases/core_phases.h) that simulate the plain loop on the
// parts of a partition; each thread works on consecutive parts (cpu/presort/threaded_presort.h).
#pragma once

#include <cmath>

#include "presort/predict/phases/core_phases.h"

namespace presort::inline v0::predict {

// A cut: the inputs of one part that are timed.
template <class Label, class Value>
struct CorePhases<Label, Value>::Cut {
  PhaseInput input;
  uint64_t warm;   // first input that warms the caches, untimed
  uint64_t lead;   // first input that is timed but not counted, to fill the pipeline
  uint64_t first;  // first input that is timed and counted
  uint64_t last;
  double weight;  // number of inputs that the cut stands for
};

// The parts of a partition that one thread works on.
template <class Label, class Value>
struct CorePhases<Label, Value>::Group {
  cpu::Share parts;
  cpu::Share sample;   // range in the sorted label sample of the labels of these parts
  uint64_t items = 0;  // number of inputs in all parts of the group

  // If parts are sampled: the cuts that are timed.
  std::vector<Cut> cuts;

  // When all parts are replayed: the current part, its inputs, and the number of inputs before it.
  uint64_t part = 0;
  PhaseInput input;
  uint64_t start = 0;
  uint64_t end() const { return start + input.labels->size(); }
};

// Combines parts with less than one expected input, for which nothing would be simulated, into
// larger parts.
template <class Label, class Value>
Parts CorePhases<Label, Value>::of_some_inputs(Parts parts) const {
  constexpr double kInputs = 4;
  const double per_bucket =
      static_cast<double>(parts.labels->size()) / static_cast<double>(problem_.m);
  while (parts.shift < label_bits(problem_.m) && std::ldexp(per_bucket, parts.shift) < kInputs) {
    ++parts.shift;
  }
  return parts;
}

template <class Label, class Value>
PhaseInput CorePhases<Label, Value>::part_input(const Parts& parts, const PhaseInput& place,
                                                uint64_t part) const {
  const uint64_t low = part << parts.shift;
  const uint64_t high = std::min(problem_.m, (part + 1) << parts.shift);
  PhaseInput input = place;
  input.labels = parts.labels->restricted(low, high);
  const double fraction = static_cast<double>(low) / static_cast<double>(problem_.m);
  input.offset += static_cast<uint64_t>(fraction * static_cast<double>(parts.labels->size()));
  return input;
}

// Divides the parts among threads by the kernel's own rule, from a sample of the labels, which is
// left sorted in sorted_labels_. A single thread gets all parts.
template <class Label, class Value>
std::vector<typename CorePhases<Label, Value>::Group> CorePhases<Label, Value>::groups_of(
    const Parts& parts) {
  const uint64_t part_count = ((problem_.m - 1) >> parts.shift) + 1;
  std::vector<Group> groups(threads_);
  if (threads_ == 1) {
    groups[0].parts = {0, part_count};
    groups[0].items = parts.labels->size();
    return groups;
  }
  sort_sample(*parts.labels);
  // log2 of the number of labels in a part that a thread takes
  const int shift = std::max(parts.first_shift, parts.shift);
  const uint64_t size = sorted_labels_.size();
  for (uint64_t at = 0; at < size;) {
    const uint64_t digit = sorted_labels_[at] >> shift;
    uint64_t end = at;
    while (end < size && sorted_labels_[end] >> shift == digit) {
      ++end;
    }
    Group& group = groups[cpu::owner_of_part(at, end - at, size, threads_)];
    if (group.sample.count() == 0) {
      group.sample.first = at;
      group.parts.first = (digit << shift) >> parts.shift;
    }
    group.sample.last = end;
    at = end;
  }
  const double scale = static_cast<double>(parts.labels->size()) / static_cast<double>(size);
  uint64_t next = part_count;
  for (size_t t = threads_; t-- > 0;) {
    if (groups[t].sample.count() > 0) {
      groups[t].items =
          static_cast<uint64_t>(scale * static_cast<double>(groups[t].sample.count()));
      groups[t].parts.last = next;
      groups[t].parts.first = groups[t].sample.first == 0 ? 0 : groups[t].parts.first;
      next = groups[t].parts.first;
    }
  }
  return groups;
}

template <class Label, class Value>
void CorePhases<Label, Value>::sort_sample(const LabelSource& labels) {
  constexpr uint64_t kLabels = 1 << 16;
  // Consecutive labels sampled at each sampled place, as neighbouring labels are cheap to compute
  constexpr uint64_t kRun = 16;
  const uint64_t n = labels.size();
  const uint64_t runs = std::max<uint64_t>(1, std::min(n, kLabels) / kRun);
  sorted_labels_.clear();
  for (uint64_t run = 0; run < runs; ++run) {
    const uint64_t first = run * (n / runs);
    uint64_t block[kRun];
    const std::span<uint64_t> some(block, std::min(kRun, n - first));
    labels.generate(first, some);
    sorted_labels_.insert(sorted_labels_.end(), some.begin(), some.end());
  }
  std::sort(sorted_labels_.begin(), sorted_labels_.end());
}

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

template <class Label, class Value>
uint64_t CorePhases<Label, Value>::inputs_of(const Group& group, const Parts& parts,
                                             const PhaseInput& place) const {
  uint64_t sum = 0;
  for (uint64_t part = group.parts.first; part < group.parts.last; ++part) {
    options_.stop.check();
    sum += part_input(parts, place, part).labels->size();
  }
  return sum;
}

// Moves to the part that holds input `at` of a thread's parts, or to the last part.
template <class Label, class Value>
void CorePhases<Label, Value>::seek_part(Group& group, const Parts& parts, const PhaseInput& place,
                                         uint64_t at) const {
  if (group.input.labels == nullptr || at < group.start) {
    group.part = group.parts.first;
    group.input = part_input(parts, place, group.part);
    group.start = 0;
  }
  while (at >= group.end() && group.part + 1 < group.parts.last) {
    options_.stop.check();
    group.start = group.end();
    group.input = part_input(parts, place, ++group.part);
  }
}

// A stream of inputs [first, last) of a thread's parts. Calls are cheapest in ascending order of
// `first`.
template <class Label, class Value>
template <class Update>
std::unique_ptr<ItemStream> CorePhases<Label, Value>::parts_stream(Group& group, const Parts& parts,
                                                                   const PhaseInput& place,
                                                                   uint64_t first, uint64_t last,
                                                                   const Update& update,
                                                                   cpu::Distances distances) const {
  auto stream = std::make_unique<PartsStream>();
  for (uint64_t at = first; at < last;) {
    seek_part(group, parts, place, at);
    const uint64_t to = std::min(last, group.end());
    stream->add(
        at, to, group.start,
        direct_stream(group.input, at - group.start, to - group.start, group.input.labels->size(),
                      TracedArray<Value>{buckets_}, update, distances));
    at = to;
  }
  return stream;
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
  bring_back(core, {{Region::buckets, sizeof(Value), bucket_access()}}, first_bucket, last_bucket,
             0);
  for (const PhaseInput& input : inputs) {
    bring_back(core, arrays_of(input), input.offset, input.offset + input.labels->size(), 0);
  }
  const CacheLevel& second = machine_.caches[std::min<size_t>(1, machine_.caches.size() - 1)];
  touch_others(core, std::min(inputs.front().since_bytes, 2 * second.size_bytes));
}

// Chooses cuts in a random part and, while parts are short, in the parts after it. A cut goes from
// the first input of a part, when all its buckets may be cold, to its last. The caches are first
// warmed as the parts before left them.
template <class Label, class Value>
void CorePhases<Label, Value>::cut_parts(Sampler& sampler, size_t t, Group& group,
                                         const Parts& parts, const PhaseInput& place,
                                         size_t cluster, bool is_first) {
  // Most parts that one cluster takes cuts from, in case nearly all parts are empty
  constexpr size_t kMostPartsOfCluster = 2 * kSliceItems;
  const uint64_t first_part = first_part_of(group, parts, cluster);
  group.cuts.clear();
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
    return;  // these are the last parts, which have fewer labels than the sample promised
  }
  // Only the first clusters of sampled parts warm the caches. Later clusters find the lines that
  // earlier ones left, but none of their own arrays, which stand at other addresses. Warming each
  // of 64 and 128 parts anew moved the kernel's time by at most 1 % (seven kinds of labels and
  // sizes, two machines, one thread) and took up to six times as long.
  const uint64_t warmed_anew = threads_ == 1 ? kMaxParts : 8 * kMaxParts;
  if (is_kept(place)) {
    bring_back_parts(sampler.core(t), inputs, first_part << parts.shift, parts);
  }
  if (is_first || (problem_.m - 1) >> parts.shift < warmed_anew) {
    warm_preceding(sampler.core(t), moved_input(place), first_part << parts.shift,
                   static_cast<double>(parts.labels->size()) / static_cast<double>(problem_.m));
  }
  sampler.begin_cluster(t);
  for (const PhaseInput& input : inputs) {
    uint64_t at = 0;
    for (const Interval& stratum : geometric_strata(input.labels->size())) {
      const uint64_t whole = stratum.last - stratum.first;
      const uint64_t length = std::min(whole, kSliceItems);
      const uint64_t first = stratum.first + (whole - length) / 2;
      const uint64_t lead = std::max(at, first - std::min(first, kLeadItems));
      const uint64_t warm = std::max(at, lead - std::min(lead, kLongestWarm));
      at = first + length;
      group.cuts.push_back(
          {input, warm, lead, first, at, static_cast<double>(whole) / static_cast<double>(items)});
    }
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
      if (k >= groups[t].cuts.size()) {
        continue;
      }
      const Cut& cut = groups[t].cuts[k];
      warm_inputs(sampler.core(t), moved_input(cut.input), cut.warm, cut.lead);
      sampler.begin_stratum(t, cut.weight);
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
  Sampler sampler(update_machine_, options_, page_bytes_, threads_);
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
    time_cuts(sampler, groups, update, distances);
  }
  return sampler.estimate(items, n);
}

// Simulates all inputs of all parts, in order.
template <class Label, class Value>
template <class Update>
PhaseEstimate CorePhases<Label, Value>::replay_parts(const Parts& parts, const PhaseInput& place,
                                                     std::vector<Group> groups,
                                                     const Update& update,
                                                     cpu::Distances distances) {
  PhaseJob job = job_of({}, 0, threads_ == 1 ? parts.labels->size() : problem_.n);
  for (Group& group : groups) {
    job.shares.push_back({0, inputs_of(group, parts, place)});
    job.total += job.shares.back().count();
  }
  job.open = [&](size_t t, uint64_t first, uint64_t last) {
    return parts_stream(groups[t], parts, place, first, last, update, distances);
  };
  if (is_kept(place)) {
    job.move = [this](uint64_t) { moved_ = 0; };
    job.bring_back = [this, &parts, &place](Sampler& sampler, size_t t, const cpu::Share&) {
      const cpu::Share own = cpu::share_of(parts.labels->size(), t, threads_);
      bring_back(sampler.core(t), {{Region::buckets, sizeof(Value), bucket_access()}},
                 cpu::share_of(problem_.m, t, threads_).first,
                 cpu::share_of(problem_.m, t, threads_).last, 0);
      bring_back(sampler.core(t), arrays_of(place), own.first, own.last,
                 place.since_bytes / threads_);
    };
  }
  if (threads_ == 1) {
    job.replayed = ~uint64_t{0};
    job.scheduled = parts.labels->size();
    job.open_to = [&](uint64_t at) {
      seek_part(groups[0], parts, place, at);
      const uint64_t start = groups[0].start;
      return std::min(groups[0].end(),
                      start + (at - start) / kWholeItems * kWholeItems + kWholeItems);
    };
  }
  return sample_updates(job);
}

template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::direct_on_parts(const Parts& given, const PhaseInput& place,
                                                        cpu::Distances distances) {
  return dispatch_update([&](const auto& update) {
    const Parts parts = of_some_inputs(given);
    std::vector<Group> groups = groups_of(parts);
    return options_.full || parts.labels->size() <= replayed()
               ? replay_parts(parts, place, std::move(groups), update, distances)
               : sample_parts(parts, place, std::move(groups), update, distances);
  });
}

}  // namespace presort::predict
