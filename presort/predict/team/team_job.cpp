#include "presort/predict/team/team_job.h"

#include <algorithm>

#include "presort/predict/sampling/replay.h"
#include "presort/predict/sampling/slices.h"

namespace presort::inline v0::predict {

namespace {

constexpr uint64_t kLongestWarm = 1 << 18;  // items

// Where some threads have too few items for slices of theirs, all items are replayed, up to so many
// of one thread; beyond that, those threads are left out: they wait for the others nearly all of
// the time.
constexpr uint64_t kMostReplayed = 1 << 24;

std::vector<uint64_t> counts_of(const std::vector<cpu::Share>& shares) {
  std::vector<uint64_t> counts;
  for (const cpu::Share& share : shares) {
    counts.push_back(share.count());
  }
  return counts;
}

class Run {
 public:
  Run(TeamSampler& team, const TeamJob& job)
      : team_(team), job_(job), streams_(job.shares.size()) {}

  // Items [first, last) of each share, as far as it goes, can be run.
  void open(uint64_t first, uint64_t last) {
    for (size_t t = 0; t < streams_.size(); ++t) {
      const cpu::Share part = part_of(t, first, last);
      streams_[t] = part.count() == 0 ? nullptr : job_.open(t, part.first, part.last);
    }
  }

  void prepare(uint64_t begin, int slice) {
    for (size_t t = 0; t < streams_.size(); ++t) {
      if (job_.shares[t].count() > 0) {
        job_.prepare(team_, t, part_of(t, begin, begin).first, slice);
      }
    }
  }

  // Requires: they are open
  void step(uint64_t first, uint64_t last, Step step) {
    TeamSampler::Sources sources(streams_.size());
    std::vector<uint64_t> items(streams_.size(), 0);
    for (size_t t = 0; t < streams_.size(); ++t) {
      const cpu::Share part = part_of(t, first, last);
      items[t] = part.count();
      if (items[t] > 0) {
        sources[t] = streams_[t]->items(part.first, part.last, team_.memory(t));
      }
    }
    switch (step) {
      case Step::warm:
        return team_.warm(sources);
      case Step::lead:
        return team_.lead_in(sources);
      case Step::time:
        return team_.time(sources, items);
      case Step::piece:
        return team_.time_piece(sources, items);
    }
  }

 private:
  cpu::Share part_of(size_t t, uint64_t first, uint64_t last) const {
    const cpu::Share& share = job_.shares[t];
    return {share.first + std::min(first, share.count()),
            share.first + std::min(last, share.count())};
  }

  TeamSampler& team_;
  const TeamJob& job_;
  std::vector<std::unique_ptr<ItemStream>> streams_;
};

// All items in order, those timed that the schedule says.
void play(TeamSampler& team, const TeamJob& job, uint64_t longest, const ReplaySchedule& schedule) {
  Run run(team, job);
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
  for (uint64_t at = 0; at < longest; at += kWholeItems) {
    const uint64_t end = std::min(longest, at + kWholeItems);
    run.open(at, end);
    for (uint64_t first = at; first < end;) {
      const auto stretch = schedule.next(first, end);
      if (stretch.opens) {
        if (stretch.weight > 0) {
          team.begin_stratum(stretch.weight);
        }
        team.open_slice();
      }
      run.step(first, stretch.last, stretch.step);
      if (stretch.closes) {
        team.close_slice();
      }
      first = stretch.last;
    }
  }
  team.close_slice();
}

PhaseEstimate replay_job(const Machine& machine, const SimulationOptions& options,
                         uint64_t page_bytes, const TeamJob& job, uint64_t longest) {
  constexpr uint64_t kFirstSlices = 8;
  const std::vector<uint64_t> items = counts_of(job.shares);
  job.move(0);
  if (!options.full && longest > kWholeItems) {
    for (uint64_t slices = kFirstSlices; slices * kSliceItems <= longest / 2; slices *= 2) {
      TeamSampler team(machine, options, page_bytes, items.size());
      play(team, job, longest, ReplaySchedule(longest, slices, options.seed));
      if (team.ci95_relative(items, job.total) <= options.ci95_relative) {
        return team.estimate(items, job.total);
      }
    }
  }
  TeamSampler team(machine, options, page_bytes, items.size());
  play(team, job, longest, ReplaySchedule::everything());
  team.set_complete();
  return team.estimate(items, job.total);
}

}  // namespace

PhaseEstimate sample_job(const Machine& machine, const SimulationOptions& options,
                         uint64_t page_bytes, const TeamJob& job) {
  std::vector<uint64_t> items = counts_of(job.shares);
  const uint64_t longest = *std::max_element(items.begin(), items.end());
  const auto is_short = [](uint64_t count) { return count < 2 * kSliceItems; };
  const bool some_short = std::any_of(items.begin(), items.end(), is_short);
  if (options.full || job.total <= kReplayItems || (some_short && longest <= kMostReplayed)) {
    return replay_job(machine, options, page_bytes, job, longest);
  }
  uint64_t shortest = longest;
  for (uint64_t& count : items) {
    count = is_short(count) ? 0 : count;
    shortest = count > 0 ? std::min(shortest, count) : shortest;
  }
  TeamSampler team(machine, options, page_bytes, items.size());
  Run run(team, job);
  for (int k = 0; k < kMaxSlices; ++k) {
    if (k >= kMinSlices && team.ci95_relative(items, job.total) <= options.ci95_relative) {
      break;
    }
    const uint64_t first = slice_start(static_cast<uint64_t>(k), shortest, kSliceItems);
    const uint64_t wanted = std::min(k == 0 ? job.first_warm_up : job.later_warm_up, kLongestWarm);
    const uint64_t lead = first - std::min(first, kLeadItems);
    const uint64_t begin = lead - std::min(lead, wanted);
    job.move(static_cast<uint64_t>(k));
    run.prepare(begin, k);
    run.open(begin, first + kSliceItems);
    run.step(begin, lead, Step::warm);
    run.step(lead, first, Step::lead);
    run.step(first, first + kSliceItems, Step::time);
  }
  return team.estimate(items, job.total);
}

}  // namespace presort::predict
