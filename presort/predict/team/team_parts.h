// The members of TeamPhases (predict/team/team_phases.h) that simulate the plain loop on parts of a
// partition, of which each thread has consecutive ones (cpu/presort/threaded_presort.h).
#pragma once

#include "presort/predict/team/team_phases.h"

namespace presort::inline v0::predict {

// What is timed of one part.
template <class Label, class Value>
struct TeamPhases<Label, Value>::Cut {
  PhaseInput input;
  uint64_t warm;   // from here on its inputs are warmed,
  uint64_t lead;   // from here on timed but not counted,
  uint64_t first;  // and from here on timed
  uint64_t last;
  double weight;  // of the inputs that this stands for
};

// The parts of one thread.
template <class Label, class Value>
struct TeamPhases<Label, Value>::Group {
  cpu::Share parts;
  cpu::Share sample;               // of the sorted labels
  uint64_t items = 0;              // inputs
  std::vector<PhaseInput> inputs;  // of parts in a row
  std::vector<uint64_t> starts;    // of their first inputs among all of these
  std::vector<Cut> cuts;
};

// Several sources in a row.
class SourceChain final : public sim::AccessSource {
 public:
  void add(std::unique_ptr<sim::AccessSource> source) { sources_.push_back(std::move(source)); }

  std::span<const sim::Access> next() override {
    for (; at_ < sources_.size(); ++at_) {
      if (const auto records = sources_[at_]->next(); !records.empty()) {
        return records;
      }
    }
    return {};
  }

 private:
  std::vector<std::unique_ptr<sim::AccessSource>> sources_;
  size_t at_ = 0;
};

// Inputs of consecutive parts, numbered through.
class PartsStream final : public ItemStream {
 public:
  // Inputs [first, last) are inputs [first - start, last - start) of a part.
  void add(uint64_t first, uint64_t last, uint64_t start, std::unique_ptr<ItemStream> part) {
    parts_.push_back({first, last, start, std::move(part)});
  }

  std::unique_ptr<sim::AccessSource> items(uint64_t first, uint64_t last,
                                           TracingMemory& memory) override {
    auto chain = std::make_unique<SourceChain>();
    for (const Part& part : parts_) {
      const uint64_t from = std::max(first, part.first);
      const uint64_t to = std::min(last, part.last);
      if (from < to) {
        chain->add(part.stream->items(from - part.start, to - part.start, memory));
      }
    }
    return chain;
  }

 private:
  struct Part {
    uint64_t first;
    uint64_t last;
    uint64_t start;
    std::unique_ptr<ItemStream> stream;
  };
  std::vector<Part> parts_;
};

// Parts and inputs of each thread, by the kernel's own rule, from a sample of the labels, which is
// left sorted in sorted_labels_.
template <class Label, class Value>
std::vector<typename TeamPhases<Label, Value>::Group> TeamPhases<Label, Value>::groups_of(
    const Parts& parts) {
  sort_sample(*parts.labels);
  const int shift = std::max(parts.first_shift, parts.shift);  // threads take parts of that size
  std::vector<Group> groups(threads_);
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
  uint64_t next = ((this->problem_.m - 1) >> parts.shift) + 1;
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
void TeamPhases<Label, Value>::sort_sample(const LabelSource& labels) {
  constexpr uint64_t kLabels = 1 << 16;
  constexpr uint64_t kRun = 16;  // consecutive labels at each place: they are cheap together
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

// Parts from `from` on, until they have so many inputs, or are `most`.
template <class Label, class Value>
uint64_t TeamPhases<Label, Value>::list_parts(Group& group, const Parts& parts,
                                              const PhaseInput& place, uint64_t from,
                                              uint64_t items, uint64_t most) const {
  group.inputs.clear();
  group.starts.clear();
  uint64_t sum = 0;
  for (uint64_t part = from; part < group.parts.last && sum < items && group.inputs.size() < most;
       ++part) {
    this->options_.stop.check();
    group.inputs.push_back(this->part_input(parts, place, part));
    group.starts.push_back(sum);
    sum += group.inputs.back().labels->size();
  }
  return sum;
}

template <class Label, class Value>
template <class Update>
std::unique_ptr<ItemStream> TeamPhases<Label, Value>::parts_stream(const Group& group,
                                                                   uint64_t first, uint64_t last,
                                                                   const Update& update,
                                                                   cpu::Distances distances) const {
  auto stream = std::make_unique<PartsStream>();
  const auto after = std::upper_bound(group.starts.begin(), group.starts.end(), first);
  for (auto k = static_cast<size_t>(after - group.starts.begin()) - 1;
       k < group.starts.size() && group.starts[k] < last; ++k) {
    const uint64_t start = group.starts[k];
    const uint64_t size = group.inputs[k].labels->size();
    const uint64_t from = std::max(first, start);
    const uint64_t to = std::min(last, start + size);
    if (from < to) {
      stream->add(from, to, start,
                  direct_stream(group.inputs[k], from - start, to - start, size,
                                TracedArray<Value>{this->buckets_}, update, distances));
    }
  }
  return stream;
}

// Chooses what is timed of `first_part` and, while parts are short, those that follow, and brings
// into the caches what the parts before left there.
template <class Label, class Value>
void TeamPhases<Label, Value>::cut_parts(TeamSampler& team, size_t t, Group& group,
                                         const Parts& parts, const PhaseInput& place,
                                         uint64_t first_part, size_t cluster) {
  group.cuts.clear();
  const uint64_t items =
      list_parts(group, parts, place, first_part, kSliceItems, One::kMostPartsOfCluster);
  if (items == 0) {
    return;  // the last parts, with fewer labels expected than were drawn
  }
  if (cluster == 0 || (this->problem_.m - 1) >> parts.shift < 8 * One::kMaxParts) {
    auto core = team.core(t);
    this->warm_preceding(
        core, moved_input(place), first_part << parts.shift,
        static_cast<double>(parts.labels->size()) / static_cast<double>(this->problem_.m));
  }
  team.begin_cluster(t);
  for (const PhaseInput& input : group.inputs) {
    uint64_t at = 0;
    for (const Interval& stratum : geometric_strata(input.labels->size())) {
      const uint64_t whole = stratum.last - stratum.first;
      const uint64_t length = std::min(whole, kSliceItems);
      const uint64_t first = stratum.first + (whole - length) / 2;
      const uint64_t lead = std::max(at, first - std::min(first, kLeadItems));
      const uint64_t warm = std::max(at, lead - std::min(lead, One::kLongestWarm));
      at = first + length;
      group.cuts.push_back(
          {input, warm, lead, first, at, static_cast<double>(whole) / static_cast<double>(items)});
    }
  }
}

// The k-th cuts of all threads are timed together.
template <class Label, class Value>
template <class Update>
void TeamPhases<Label, Value>::time_cuts(TeamSampler& team, const std::vector<Group>& groups,
                                         const Update& update, cpu::Distances distances) {
  size_t most = 0;
  for (const Group& group : groups) {
    most = std::max(most, group.cuts.size());
  }
  for (size_t k = 0; k < most; ++k) {
    std::vector<std::unique_ptr<ItemStream>> streams(threads_);
    TeamSampler::Sources leads(threads_);
    TeamSampler::Sources slices(threads_);
    std::vector<uint64_t> items(threads_, 0);
    for (size_t t = 0; t < threads_; ++t) {
      if (k >= groups[t].cuts.size()) {
        continue;
      }
      const Cut& cut = groups[t].cuts[k];
      auto core = team.core(t);
      this->warm_inputs(core, moved_input(cut.input), cut.warm, cut.lead);
      team.begin_stratum(t, cut.weight);
      items[t] = cut.last - cut.first;
      streams[t] = direct_stream(cut.input, cut.lead, cut.last, cut.input.labels->size(),
                                 TracedArray<Value>{this->buckets_}, update, distances);
      leads[t] = streams[t]->items(cut.lead, cut.first, team.memory(t));
      slices[t] = streams[t]->items(cut.first, cut.last, team.memory(t));
    }
    team.lead_in(leads);
    team.time(slices, items);
  }
}

template <class Label, class Value>
template <class Update>
PhaseEstimate TeamPhases<Label, Value>::sample_parts(const Parts& parts, const PhaseInput& place,
                                                     std::vector<Group> groups,
                                                     const Update& update,
                                                     cpu::Distances distances) {
  const uint64_t n = parts.labels->size();
  std::vector<uint64_t> items;
  for (const Group& group : groups) {
    items.push_back(group.items);
  }
  TeamSampler team(this->machine_, this->options_, this->page_bytes_, threads_);
  for (size_t k = 0; k < One::kMaxParts; ++k) {
    if (k >= One::kMinParts && team.ci95_relative(items, n) <= this->options_.ci95_relative) {
      break;
    }
    this->move_arrays(k, std::max(n, this->problem_.m));
    this->buckets_ = this->template moved<Value>(Region::buckets);
    for (size_t t = 0; t < threads_; ++t) {
      const cpu::Share& sample = groups[t].sample;
      if (sample.count() > 0) {
        const uint64_t label = sorted_labels_[sample.first + slice_start(k, sample.count(), 1)];
        cut_parts(team, t, groups[t], parts, place, label >> parts.shift, k);
      }
    }
    time_cuts(team, groups, update, distances);
  }
  return team.estimate(items, n);
}

template <class Label, class Value>
PhaseEstimate TeamPhases<Label, Value>::direct_on_parts(const Parts& given, const PhaseInput& place,
                                                        cpu::Distances distances) {
  return this->dispatch_update([&](auto update) {
    const Parts parts = this->of_some_inputs(given);
    const uint64_t n = parts.labels->size();
    std::vector<Group> groups = groups_of(parts);
    TeamJob job = job_of({}, 0);
    if (!this->options_.full && n > kReplayItems) {
      return sample_parts(parts, place, std::move(groups), update, distances);
    }
    constexpr uint64_t kAll = ~uint64_t{0};
    for (Group& group : groups) {
      job.shares.push_back({0, list_parts(group, parts, place, group.parts.first, kAll, kAll)});
      job.total += job.shares.back().count();
    }
    job.open = [&](size_t t, uint64_t first, uint64_t last) {
      return parts_stream(groups[t], first, last, update, distances);
    };
    return sample(job);
  });
}

}  // namespace presort::predict
