// The members of SingleCorePhases (predict/phases/single_core_phases.h) that choose which inputs of
// a phase are timed.
#pragma once

#include "presort/predict/phases/single_core_phases.h"

namespace presort::inline v0::predict {

template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::sample_inputs(const PhaseInput& input, WarmUp warm_up,
                                                            uint64_t ahead, const Run& run,
                                                            const Prepare& prepare) {
  if (options_.excerpt != nullptr) {
    return record_excerpt(input, ahead, run, prepare);
  }
  const uint64_t n = input.labels->size();
  if (!options_.full && n > options_.replayed_inputs) {
    return sample_slices(input, warm_up, ahead, run, prepare);
  }
  return replay(n, [&](Sampler& sampler, const ReplaySchedule& schedule) {
    const PhaseInput last =
        input.is_part ? run_preceding(sampler, input, ahead, run, prepare) : input;
    prepare(sampler, last, 0, 0);
    replay_inputs(sampler, schedule, last, 0, ahead, run);
  });
}

// Slices spread over the whole, each after a warm-up of its own, until the interval is narrow
// enough.
template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::sample_slices(const PhaseInput& input, WarmUp warm_up,
                                                            uint64_t ahead, const Run& run,
                                                            const Prepare& prepare) {
  const uint64_t n = input.labels->size();
  Sampler sampler(machine_, options_, page_bytes_);
  buckets_ = address_of(Region::buckets);
  PhaseInput moved_input = input;
  for (int k = 0; k < kMaxSlices; ++k) {
    if (k >= kMinSlices && sampler.ci95_relative() <= options_.ci95_relative) {
      break;
    }
    const uint64_t first = slice_start(static_cast<uint64_t>(k), n, kSliceItems);
    const uint64_t wanted = std::min(k == 0 ? warm_up.first : warm_up.later, kLongestWarm);
    const uint64_t lead = first - std::min(first, kLeadItems);
    const uint64_t begin = lead - std::min(lead, wanted);
    move_arrays(static_cast<uint64_t>(k), n);
    moved_input.offset = input.offset + moved_;
    prepare(sampler, moved_input, begin, k);
    Window window(moved_input, begin, first + kSliceItems + ahead);
    run(sampler, window, begin, lead, Step::warm);
    run(sampler, window, lead, first, Step::lead);
    run(sampler, window, first, first + kSliceItems, Step::time);
  }
  return sampler.estimate();
}

// The records of the excerpt's inputs, and nothing else.
template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::record_excerpt(const PhaseInput& input,
                                                             uint64_t ahead, const Run& run,
                                                             const Prepare& prepare) {
  Sampler sampler(machine_, options_, page_bytes_);
  buckets_ = address_of(Region::buckets);
  const auto bounds = options_.excerpt->bounds(input.labels->size());
  prepare(sampler, input, bounds.front(), 0);
  Window window(input, bounds.front(), bounds.back() + ahead);
  for (size_t i = 0; i + 1 < bounds.size(); ++i) {
    run(sampler, window, bounds[i], bounds[i + 1], Step::lead);
    options_.excerpt->end_piece(bounds[i + 1] - bounds[i]);
  }
  return {};
}

// Plays all n items with more and more of them timed, until the interval is narrow enough or half
// of them are; then with all of them. play(sampler, schedule) runs every item on a fresh sampler.
template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::replay(uint64_t n, const Play& play) {
  constexpr uint64_t kFirstSlices = 8;
  move_arrays(0, n);
  buckets_ = address_of(Region::buckets);
  if (!options_.full && n > kWholeItems) {
    for (uint64_t slices = kFirstSlices; slices * kSliceItems <= n / 2; slices *= 2) {
      Sampler sampler(machine_, options_, page_bytes_);
      play(sampler, ReplaySchedule(n, slices, options_.seed));
      sampler.close_slice();
      if (sampler.ci95_relative() <= options_.ci95_relative) {
        return sampler.estimate();
      }
    }
  }
  Sampler sampler(machine_, options_, page_bytes_);
  play(sampler, ReplaySchedule::everything());
  sampler.close_slice();
  sampler.finish();
  sampler.set_complete();
  return sampler.estimate();
}

// Items [first, last), as the schedule has it for those from `done` on of what it is about.
template <class Label, class Value>
void SingleCorePhases<Label, Value>::run_schedule(Sampler& sampler, const ReplaySchedule& schedule,
                                                  uint64_t done, uint64_t first, uint64_t last,
                                                  const RunItems& run) {
  while (first < last) {
    const auto stretch = schedule.next(done + first, done + last);
    if (stretch.opens) {
      if (stretch.weight > 0) {
        sampler.begin_stratum(stretch.weight);
      }
      sampler.open_slice();
    }
    run(first, stretch.last - done, stretch.step);
    if (stretch.closes) {
      sampler.close_slice();
    }
    first = stretch.last - done;
  }
}

// All items of `input`, which are those from `done` on of what the schedule is about.
template <class Label, class Value>
void SingleCorePhases<Label, Value>::replay_inputs(Sampler& sampler, const ReplaySchedule& schedule,
                                                   const PhaseInput& input, uint64_t done,
                                                   uint64_t ahead, const Run& run) {
  const uint64_t n = input.labels->size();
  for (uint64_t at = 0; at < n; at += kWholeItems) {
    const uint64_t end = std::min(n, at + kWholeItems);
    Window window(input, at, end + ahead);
    run_schedule(sampler, schedule, done, at, end, [&](uint64_t first, uint64_t last, Step step) {
      run(sampler, window, first, last, step);
    });
  }
}

// Parts like `input`, untimed: tables and buffers are known to the caches then, as they are to all
// parts but the first. Returns the next part.
template <class Label, class Value>
PhaseInput SingleCorePhases<Label, Value>::run_preceding(Sampler& sampler, const PhaseInput& input,
                                                         uint64_t ahead, const Run& run,
                                                         const Prepare& prepare) {
  const uint64_t n = input.labels->size();
  const uint64_t count = preceding_parts(input);
  PhaseInput part = input;
  for (uint64_t k = 0; k <= count; ++k) {
    move_to_part(k, n);
    part.offset = input.offset + moved_;
    if (k < count) {
      prepare(sampler, part, 0, 0);
      Window window(part, 0, n + ahead);
      run(sampler, window, 0, n, Step::warm);
    }
  }
  return part;
}

}  // namespace presort::predict
