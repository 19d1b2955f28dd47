// The members of Warming (warming.h) that know what a last cache level holds after more inputs than it
// remembers, and what it holds before a run.
#include "presort/predict/phases/slices/warming.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "presort/core/base/random.h"

namespace presort::inline v0::predict {
namespace {

constexpr size_t kLinesOfBlock = 1024;  // lines that warm the caches at a time

}  // namespace

// True if a last level with random replacement holds a large part of the buckets' lines. Few lines come
// in then, so that it would take several times the inputs that fill it to reach its lasting state.
bool Warming::forgets_slowly(uint64_t bucket_lines) const {
  constexpr uint64_t kLarge = 2;
  return threads_ == 1 && machine_.caches.back().policy.kind == ReplacementKind::random &&
         bucket_lines <= kLarge * last_level_lines();
}

// The share of a last level with random replacement that lines of inputs and results hold in the end,
// where an input brings `streams` of them and uses one of the buckets' lines, each as often as another.
// All lines that come in leave at the same rate, so that shares are as the lines that come in:
// streams : misses of buckets. Found by bisection.
double Warming::share_of_streams(double streams, uint64_t bucket_lines) const {
  const auto held = static_cast<double>(last_level_lines());
  double low = 0;
  double high = 1;
  for (int step = 0; step < 40; ++step) {
    const double share = (low + high) / 2;
    const double found =
        (held * (1 - share) + static_cast<double>(held_above_)) / static_cast<double>(bucket_lines);
    const double misses = std::max(0.0, 1 - found);
    (streams / (streams + misses) > share ? low : high) = share;
  }
  return low;
}

// The lines that a last level with random replacement holds in the end, where each input uses any
// bucket with the same chance: how many lines of buckets and of inputs fill it, with those that the
// levels above take from it when they are warmed next. No lines if its state is not known, or if
// these are nearly all buckets: then the inputs themselves have to warm the level.
Warming::LastingLines Warming::lasting_lines(const PhaseInput& input, uint64_t bucket_lines) const {
  const bool uniform = problem_.distribution.kind == DistributionKind::uniform && !input.is_part &&
                       own_.count() == problem_.m;
  if (!uniform || threads_ > 1 || machine_.storage ||
      machine_.caches.back().policy.kind != ReplacementKind::random) {
    return {};
  }
  // Drawn lines, relative to the places of the level. Its sets take lines unevenly: so many leave
  // 1 % of the places empty.
  constexpr double kDrawn = 1.375;
  const double lines = kDrawn * static_cast<double>(last_level_lines());
  const double share = share_of_streams(input_lines(input), bucket_lines);
  const double of_buckets = lines * (1 - share) + static_cast<double>(held_above_);
  if (of_buckets > static_cast<double>(bucket_lines)) {
    return {};
  }
  return {static_cast<uint64_t>(of_buckets), static_cast<uint64_t>(lines * share)};
}

// Brings drawn lines that the last cache level holds in the end into it: lines of buckets, each equally
// likely, and the lines of the inputs before input `end`, by turns.
// Measured: docs/results/sampling.md, "A last level drawn in its lasting state"
void Warming::draw_last_level(Core core, const PhaseInput& input, uint64_t end,
                              uint64_t bucket_lines, const LastingLines& drawn) {
  const uint64_t inputs =
      std::min(end, static_cast<uint64_t>(static_cast<double>(drawn.inputs) / input_lines(input)));
  const uint64_t step = elements_between_lines();
  // The lines of buckets are cut into as many ranges as lines are drawn, one of each
  const double range = static_cast<double>(bucket_lines) / static_cast<double>(drawn.buckets);
  const auto begin_of_range = [=](uint64_t i) {
    return static_cast<uint64_t>(range * static_cast<double>(i));
  };
  const double inputs_between = static_cast<double>(inputs) / static_cast<double>(drawn.buckets);
  uint64_t at = end - inputs;
  at += (step - ((input.offset + at) & (step - 1))) & (step - 1);
  std::vector<sim::Access> accesses;
  for (uint64_t i = 0; i < drawn.buckets; ++i) {
    const double come = inputs_between * static_cast<double>(i + 1);
    for (; at < end && static_cast<double>(at + inputs - end) < come; at += step) {
      add_input_lines(input, at, accesses);
    }
    const uint64_t first = begin_of_range(i);
    const uint64_t line =
        first + bounded(random_u64(options_.seed, i), begin_of_range(i + 1) - first);
    accesses.push_back({buckets_ + line * line_bytes_, bucket_access(), 4, 0, 0, 0});
    if (accesses.size() >= kLinesOfBlock || i + 1 == drawn.buckets) {
      warm(core, accesses, Warms::lastLevel);
      accesses.clear();
    }
  }
}

// Fills the last cache level with lines of other data, as far as the inputs before `end` do not: a
// run that is not the program's first finds the level full, and only a full one evicts buckets.
// With LRU it makes no difference, as LRU first evicts lines that nothing uses. A phase that brings
// in too few lines to evict much finds the level as it is.
void Warming::fill_with_others(Core core, const PhaseInput& input, uint64_t end) {
  // Lines that come in, as a share of those that the level holds, from which the level is filled
  constexpr double kMuch = 0.05;
  if (threads_ > 1 || options_.cold || machine_.caches.back().policy.kind == ReplacementKind::lru) {
    return;
  }
  const double lines = input_lines(input);
  const auto before = static_cast<uint64_t>(static_cast<double>(end) * lines);
  const double come = static_cast<double>(input.labels->size()) * lines;
  if (before < lines_to_fill() && come > kMuch * static_cast<double>(last_level_lines())) {
    touch_others(core, (lines_to_fill() - before) * line_bytes_, Warms::lastLevel);
  }
}

void Warming::touch_others(Core core, uint64_t bytes, Warms levels) {
  constexpr uint64_t kOthers =
      address_of(Region::labels) + (address_of(Region::values) - address_of(Region::labels)) / 2;
  std::vector<sim::Access> accesses;
  for (uint64_t byte = 0; byte < bytes; byte += line_bytes_) {
    accesses.push_back({kOthers + byte, sim::AccessKind::load, 4, 0, 0, 0});
    if (accesses.size() == kLinesOfBlock || byte + line_bytes_ >= bytes) {
      warm(core, accesses, levels);
      accesses.clear();
    }
  }
}

}  // namespace presort::predict
