#include "presort/predict/sampling/phase_job.h"

#include <algorithm>

#include "presort/predict/sampling/excerpt.h"
#include "presort/predict/sampling/jittered_slice.h"

namespace presort::inline v0::predict {

namespace {

// Most items of a phase that warm the caches before a slice
constexpr uint64_t kLongestWarm = 1 << 18;

// Most items that a thread may have for a replay of all items, where other threads have too few
// items for slices. If a thread has more, threads with few items are left out: they would wait for
// the others nearly all of the time.
constexpr uint64_t kMostReplayed = 1 << 24;

std::vector<uint64_t> counts_of(const std::vector<cpu::Share>& shares) {
  std::vector<uint64_t> counts;
  counts.reserve(shares.size());
  for (const cpu::Share& share : shares) {
    counts.push_back(share.count());
  }
  return counts;
}

// True if a job times all its items, however many they are.
bool is_whole(const PhaseJob& job) {
  return job.is_short && job.shares.size() == 1;
}

// Runs items of all threads at the same time; items are numbered within each thread's share.
class Run {
 public:
  Run(Sampler& sampler, const PhaseJob& job)
      : sampler_(sampler), job_(job), streams_(job.shares.size()), items_(job.shares.size()) {}

  // Opens the streams of items [first, last) of each thread's share, as far as the share goes, so
  // that step() can run them.
  void open(uint64_t first, uint64_t last) {
    for (size_t t = 0; t < streams_.size(); ++t) {
      const cpu::Share part = part_of(t, first, last);
      streams_[t] = part.count() == 0 ? nullptr : job_.open(t, part.first, part.last);
    }
  }

  void prepare(uint64_t begin, int slice) {
    for (size_t t = 0; t < streams_.size(); ++t) {
      if (job_.shares[t].count() > 0) {
        if (slice == 0 && job_.bring_back) {
          job_.bring_back(sampler_, t, job_.shares[t]);
        }
        job_.prepare(sampler_, t, part_of(t, begin, begin).first, slice);
      }
    }
  }

  // Runs items [first, last) of every thread's share.
  // Requires: open() was called for these items
  void step(uint64_t first, uint64_t last, Step step) {
    for (size_t t = 0; t < streams_.size(); ++t) {
      items_[t] = part_of(t, first, last);
    }
    run_items(sampler_, streams_, items_, step);
  }

 private:
  cpu::Share part_of(size_t t, uint64_t first, uint64_t last) const {
    const cpu::Share& share = job_.shares[t];
    return {share.first + std::min(first, share.count()),
            share.first + std::min(last, share.count())};
  }

  Sampler& sampler_;
  const PhaseJob& job_;
  Streams streams_;
  std::vector<cpu::Share> items_;
};

// Records the accesses of the excerpt's items, and runs nothing else.
void record_excerpt(Sampler& sampler, Excerpt& excerpt, const PhaseJob& job) {
  Run run(sampler, job);
  const uint64_t count = job.shares[0].count();
  const auto bounds = job.is_short ? excerpt.first_items(count) : excerpt.bounds(count);
  run.prepare(bounds.front(), 0);
  run.open(bounds.front(), bounds.back());
  for (size_t i = 0; i + 1 < bounds.size(); ++i) {
    run.step(bounds[i], bounds[i + 1], Step::lead);
    excerpt.end_piece(bounds[i + 1] - bounds[i]);
  }
}

// Runs all items in order, and times the items that the schedule selects.
void play(Sampler& sampler, const PhaseJob& job, uint64_t longest, const ReplaySchedule& schedule) {
  Run run(sampler, job);
  for (uint64_t k = 0; k < job.preceding; ++k) {
    job.move_to_part(k);
    run.prepare(0, 0);
    run.open(0, longest);
    run.step(0, longest, Step::warm);
  }
  if (job.preceding > 0) {
    job.move_to_part(job.preceding);
  }
  run.prepare(0, 0);
  for (uint64_t at = 0, end = 0; at < longest; at = end) {
    end = std::min(longest, job.open_to(at));
    run.open(at, end);
    for (uint64_t first = at; first < end;) {
      const auto stretch = schedule.next(first, end);
      if (stretch.opens) {
        if (stretch.weight > 0) {
          sampler.begin_stratum(stretch.weight);
        }
        sampler.open_slice();
      }
      run.step(first, stretch.last, stretch.step);
      if (stretch.closes) {
        sampler.close_slice();
      }
      first = stretch.last;
    }
  }
  sampler.close_slice();
}

// Replays all items of a job. More and more of them are timed until the interval of the time is
// narrow enough; if half of all items would be timed, all are.
PhaseEstimate replay_job(const Machine& machine, const SimulationOptions& options,
                         const sim::AddressSpace& space, const PhaseJob& job, uint64_t longest) {
  constexpr uint64_t kFirstSlices = 8;
  const std::vector<uint64_t> items = counts_of(job.shares);
  const uint64_t scheduled = job.scheduled > 0 ? job.scheduled : longest;
  job.move(0);
  if (!options.full && !is_whole(job) && scheduled > kWholeItems) {
    for (uint64_t slices = kFirstSlices; slices * kSliceItems <= scheduled / 2; slices *= 2) {
      Sampler sampler(machine, options, space, items.size());
      play(sampler, job, longest, ReplaySchedule(scheduled, slices, options.seed));
      if (sampler.ci95_relative(items, job.total) <= options.ci95_relative) {
        return sampler.estimate(items, job.total);
      }
    }
  }
  Sampler sampler(machine, options, space, items.size());
  play(sampler, job, longest, ReplaySchedule::everything());
  sampler.finish();
  sampler.set_complete();
  return sampler.estimate(items, job.total);
}

}  // namespace

void run_items(Sampler& sampler, const Streams& streams, const std::vector<cpu::Share>& items,
               Step step) {
  std::vector<std::unique_ptr<sim::AccessSource>> sources(streams.size());
  std::vector<sim::AccessSource*> pointers(streams.size(), nullptr);
  std::vector<uint64_t> counts(streams.size(), 0);
  for (size_t t = 0; t < streams.size(); ++t) {
    if (streams[t] != nullptr && items[t].count() > 0) {
      counts[t] = items[t].count();
      sources[t] = streams[t]->items(items[t].first, items[t].last, sampler.memory(t));
      pointers[t] = sources[t].get();
    }
  }
  switch (step) {
    case Step::warm:
      return sampler.warm(Sampler::Sources(pointers));
    case Step::lead:
      return sampler.lead_in(Sampler::Sources(pointers));
    case Step::time:
      return sampler.time(pointers, counts);
    case Step::piece:
      return sampler.time_piece(pointers, counts);
  }
}

PhaseEstimate sample_job(const Machine& machine, const SimulationOptions& options,
                         const sim::AddressSpace& space, const PhaseJob& job) {
  if (options.excerpt != nullptr) {
    Sampler sampler(machine, options, space);
    record_excerpt(sampler, *options.excerpt, job);
    return {};
  }
  std::vector<uint64_t> items = counts_of(job.shares);
  const uint64_t longest = *std::max_element(items.begin(), items.end());
  const bool several = items.size() > 1;
  const auto is_short = [=](uint64_t count) { return several && count < 2 * kSliceItems; };
  const bool some_short = std::any_of(items.begin(), items.end(), is_short);
  if (options.full || is_whole(job) || job.total <= job.replayed ||
      (some_short && longest <= kMostReplayed)) {
    return replay_job(machine, options, space, job, longest);
  }
  uint64_t shortest = longest;
  for (uint64_t& count : items) {
    count = is_short(count) ? 0 : count;
    shortest = count > 0 ? std::min(shortest, count) : shortest;
  }
  Sampler sampler(machine, options, space, items.size());
  Run run(sampler, job);
  for (int k = 0; k < kMaxSlices; ++k) {
    if (k >= kMinSlices && sampler.ci95_relative(items, job.total) <= options.ci95_relative) {
      break;
    }
    const uint64_t first = begin_of_block(
        jittered_slice_start(static_cast<uint64_t>(k), shortest, kSliceItems, options.seed));
    const uint64_t wanted = std::min(k == 0 ? job.first_warm_up : job.later_warm_up, kLongestWarm);
    const uint64_t lead = first - std::min(first, kLeadItems);
    const uint64_t begin = begin_of_block(lead - std::min(lead, wanted));
    job.move(static_cast<uint64_t>(k));
    run.prepare(begin, k);
    run.open(begin, first + kSliceItems);
    run.step(begin, lead, Step::warm);
    run.step(lead, first, Step::lead);
    run.step(first, first + kSliceItems, Step::time);
  }
  return sampler.estimate(items, job.total);
}

}  // namespace presort::predict
