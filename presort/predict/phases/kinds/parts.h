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
  uint64_t warm = 0;   // first input that warms the caches, untimed
  uint64_t lead = 0;   // first input that is timed but not counted, to fill the pipeline
  uint64_t first = 0;  // first input that is timed and counted; `last` if the cut only leads in
  uint64_t last = 0;
  double weight = 0;  // share of the cluster's inputs that the cut stands for
};

// The parts of a partition that one thread works on.
template <class Label, class Value>
struct CorePhases<Label, Value>::Group {
  cpu::Share parts;
  cpu::Share sample;   // range in the sorted label sample of the labels of these parts
  uint64_t items = 0;  // number of inputs in all parts of the group

  // If parts are sampled: the cuts that are timed. The first `leads` of them only lead in.
  std::vector<Cut> cuts;
  size_t leads = 0;

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
      const cpu::Share buckets = cpu::share_of(problem_.m, t, threads_);
      if (setting_buckets_empties_caches(machine_, problem_)) {
        // Nothing is left of the buckets
      } else if (may_touch_all(own.count(), buckets.count())) {
        bring_back(sampler.core(t), {{Region::buckets, sizeof(Value), bucket_access()}},
                   buckets.first, buckets.last, 0);
      } else {
        touch_buckets_of(sampler.core(t), *parts.labels, own.first, own.last);
      }
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
  buckets_ = address_of(Region::buckets);
  return sample_job(parts_machine_, options_, space_, job);
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
