#include "tuner/worthwhile.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

#include "tuner/buffer_effects.h"
#include "tuner/plan_rows.h"

namespace presort::tuner {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// A pass that was not predicted takes at least so much of the fastest that was.
constexpr double kLeastPass = 0.9;
// The kernel on parts takes so much of what it took after other passes of as many bits, or of the
// least that it took after passes of more bits. A bit more than after passes of fewer makes it at
// most so much faster as the bits before did, and never more than to kPartsOfBit.
constexpr double kLeastParts = 0.9;
constexpr double kPartsGoOn = 0.85;
constexpr double kPartsOfBit = 0.7;
// A kind of more passes predicted beyond this times the best is not the best, nor is a sort into
// chunks whose like, through buffers of another size perhaps, takes so much without its histogram.
constexpr double kNear = 1.05;
// What plans take falls towards the best number of bits, and rises behind it: two kinds of which
// the outer one takes so much more leave nothing to be found further out. Predictions of kinds next
// to each other are off by 2 % beside each other, but dips in what they say were all found to be
// the closed form's: chosen so, plans are better by simulation (docs/results/tuner.md).
constexpr double kRising = 1.01;
// A gain that is a tie: the closed form is off by more.
constexpr double kTie = 0.98;
// Write buffers of another size make a plan faster by less. Largest found there: 10 % of those
// within a third of the best.
constexpr double kBuffers = 1.15;
// Inputs that are fetched ahead make a loop faster by no more. Measured at most: 0.51
// (docs/results/README.md: 1.96 times as fast).
constexpr double kInputsAhead = 0.5;

// Going over the inputs once for each range of the buckets leaves so much of what a loop takes, or
// more. Least found by the closed form, of the designed grid: 0.85 on nine machines, 0.69 on
// merom-t5600, of loops that take twice as long as a pre-sort (docs/results/tuner.md).
constexpr double kRanges = 0.8;
// A range pass takes so much of any pass before it, or more: all choose among all inputs.
constexpr double kLeastRange = 0.5;

// ns per input of the phases of the sort, which are numbered.
double sorting_ns(const Prediction& prediction) {
  double ns = 0;
  for (const PhasePrediction& phase : prediction.phases) {
    const bool numbered = std::isdigit(static_cast<unsigned char>(phase.name.back())) != 0;
    ns += numbered ? phase.ns_per_input : 0;
  }
  return ns;
}

// ns per input of its histograms.
double counting_ns(const Prediction& prediction) {
  double ns = 0;
  for (const PhasePrediction& phase : prediction.phases) {
    ns += phase.name.starts_with("histogram ") ? phase.ns_per_input : 0;
  }
  return ns;
}

// What is known by bits: ns per input.
using ByBits = std::map<int, double>;

// The nearest ones below and above.
struct Neighbours {
  ByBits::const_iterator below;
  ByBits::const_iterator above;
};

Neighbours neighbours(const ByBits& known, int bits) {
  const auto above = known.upper_bound(bits);
  const auto from = known.lower_bound(bits);
  return {from == known.begin() ? known.end() : std::prev(from), above};
}

class Search {
 public:
  Search(const std::vector<Plan>& plans, size_t eligible, const PredictUnless& predict)
      : plans_(plans), eligible_(eligible), predict_(predict), predictions_(plans.size()) {}

  std::vector<std::optional<Prediction>> run() {
    for (size_t i = 0; i < plans_.size(); ++i) {
      if (!plans_[i].presort && !has_ranges(i) && !plain_twin(i)) {
        add(i);
      }
    }
    std::vector<Row> rows = rows_of(plans_);
    for (Row& row : rows) {
      add_kinds(row);
    }
    for (const Row& row : rows) {
      add_buffers(row);
    }
    add_chunks();
    add_twins();
    add_ranges();
    return std::move(predictions_);
  }

 private:
  void add(size_t i, const GiveUp& give_up) {
    predictions_[i] = predict_(plans_[i], give_up);
    if (!predictions_[i]) {
      return;
    }
    const Prediction& prediction = *predictions_[i];
    best_ = i < eligible_ ? std::min(best_, prediction.ns_per_input) : best_;
    if (const auto& presort = plans_[i].presort) {
      const double sorting = sorting_ns(prediction);
      best_sort_ = i < eligible_ ? std::min(best_sort_, prediction.ns_per_input) : best_sort_;
      least_pass_ = std::min(least_pass_, sorting / presort->passes);
      parts_.try_emplace(presort->sort_bits, prediction.ns_per_input - sorting);
    }
  }
  void add(size_t i) {
    add(i, [](const Prediction&) { return false; });
  }

  double ns(size_t plan) const {
    return predictions_[plan] ? predictions_[plan]->ns_per_input : kInfinite;
  }
  // The first plan's; infinite if it was not worth a prediction.
  double ns(const Kind& kind) const { return ns(kind.plans.front()); }
  uint64_t buffer_bytes(size_t plan) const { return plans_[plan].presort->buffer_bytes; }

  // The loop that differs from loop `i`, which fetches inputs ahead, by fetching none.
  std::optional<size_t> plain_twin(size_t i) const {
    Plan plain = plans_[i];
    plain.base.input_distance = 0;
    const auto twin = std::find(plans_.begin(), plans_.end(), plain);
    return plain == plans_[i] || twin == plans_.end()
               ? std::nullopt
               : std::optional(static_cast<size_t>(twin - plans_.begin()));
  }

  // Loops that fetch inputs ahead, where that may make them faster than all pre-sorts.
  void add_twins() {
    for (size_t i = 0; i < plans_.size(); ++i) {
      const auto twin = plans_[i].presort || has_ranges(i) ? std::nullopt : plain_twin(i);
      // What is hidden is less than a pass of a sort over the same inputs takes.
      if (twin && std::max(kInputsAhead * ns(*twin), ns(*twin) - least_pass_) < kTie * best_sort_) {
        add(i);
      }
    }
  }

  bool has_ranges(size_t plan) const { return plans_[plan].base.range_passes > 1; }

  // The least of the loops on the same pages, by as many threads, that go over the inputs once.
  double least_in_one_pass(const Plan& like) const {
    double least = kInfinite;
    for (size_t i = 0; i < plans_.size(); ++i) {
      if (!plans_[i].presort && !has_ranges(i) && plans_[i].resources == like.resources) {
        least = std::min(least, ns(i));
      }
    }
    return least;
  }

  // Loops in ranges, few of them first, where these may be the best.
  void add_ranges() {
    std::vector<size_t> loops;
    for (size_t i = 0; i < plans_.size(); ++i) {
      if (has_ranges(i)) {
        loops.push_back(i);
      }
    }
    std::stable_sort(loops.begin(), loops.end(), [this](size_t a, size_t b) {
      return plans_[a].base.range_passes < plans_[b].base.range_passes;
    });
    double fewer_ns = 0;  // of loops in fewer ranges
    for (const size_t i : loops) {
      const double once = least_in_one_pass(plans_[i]);
      const double gained = once == kInfinite ? 0 : kRanges * once;
      if (fewer_ns < kNear * best_ && std::max(gained, least_in_ranges(i)) < kTie * best_) {
        add_range_passes(i);
        fewer_ns = ns(i);
      }
    }
  }

  // What choosing from all inputs in each pass takes at least, which does more than counting labels
  // for a sort, and updating near buckets with all of them once.
  double least_in_ranges(size_t i) const {
    double counting = kInfinite;
    for (const auto& prediction : predictions_) {
      const double ns = prediction ? counting_ns(*prediction) : 0;
      counting = ns > 0 ? std::min(counting, ns / prediction->plan.presort->passes) : counting;
    }
    const double parts = parts_.empty() ? 0 : least_known_parts();
    return counting == kInfinite ? 0 : plans_[i].base.range_passes * counting + kLeastParts * parts;
  }

  double least_known_parts() const {
    double least = kInfinite;
    for (const auto& [bits, ns] : parts_) {
      least = std::min(least, ns);
    }
    return least;
  }

  // Given up as soon as the passes to come cannot make up for those before them.
  void add_range_passes(size_t i) {
    const auto passes = static_cast<size_t>(plans_[i].base.range_passes);
    add(i, [this, passes](const Prediction& so_far) {
      double least = kInfinite;
      for (const PhasePrediction& phase : so_far.phases) {
        least = std::min(least, phase.ns_per_input);
      }
      const auto to_come = static_cast<double>(passes - so_far.phases.size());
      return to_come > 0 && so_far.ns_per_input + to_come * kLeastRange * least > kNear * best_;
    });
  }

  // Pre-sorts into chunks: they take what others by as many bits take, but for the histogram. Then
  // those by a bit more or less than the best of them, if no others by so many were predicted.
  void add_chunks() {
    std::optional<size_t> best;
    std::vector<size_t> unknown;
    for (size_t i = 0; i < plans_.size(); ++i) {
      if (!twin_without_chunks(plans_, i)) {
        continue;
      }
      const double likely = least_without_counting(plans_[i].presort->sort_bits);
      if (likely < kNear * best_) {
        add(i);
        best = !best || ns(i) < ns(*best) ? i : *best;
      } else if (likely == kInfinite) {
        unknown.push_back(i);
      }
    }
    for (const size_t i : unknown) {
      if (best && std::abs(bits_of(i) - bits_of(*best)) == 1) {
        add(i);
      }
    }
  }

  int bits_of(size_t plan) const { return plans_[plan].presort->sort_bits; }

  // Of the predicted sorts by so many bits in one pass.
  double least_without_counting(int bits) const {
    double least = kInfinite;
    for (size_t i = 0; i < plans_.size(); ++i) {
      const auto& presort = plans_[i].presort;
      if (presort && predictions_[i] && presort->passes == 1 && presort->sort_bits == bits) {
        least = std::min(least, ns(i) - counting_ns(*predictions_[i]));
      }
    }
    return least;
  }

  // What the kernel on parts takes at least.
  double least_parts(int bits) const {
    const auto known = parts_.find(bits);
    if (known != parts_.end()) {
      return kLeastParts * known->second;
    }
    const auto [below, above] = neighbours(parts_, bits);
    if (below != parts_.end() && above != parts_.end()) {
      return between(below->second, above->second);
    }
    if (below != parts_.end()) {
      return std::pow(least_of_bit(below), bits - below->first) * below->second;
    }
    return parts_.empty() ? 0 : kLeastParts * least_known_parts();
  }

  // What a bit more than the most known makes of parts at least.
  double least_of_bit(ByBits::const_iterator most) const {
    if (most == parts_.begin()) {
      return kPartsOfBit;
    }
    const auto before = std::prev(most);
    const double of_bit =
        std::pow(most->second / before->second, 1.0 / (most->first - before->first));
    return std::clamp(kPartsGoOn * of_bit, kPartsOfBit, 1.0);
  }

  // Of what is between two others, nearer to the lesser.
  static double between(double a, double b) { return (std::min(a, b) + (a + b) / 2) / 2; }

  // Whether `totals` rise towards so many bits, which are beyond those known.
  static bool rises(const ByBits& totals, int bits) {
    if (totals.size() < 2) {
      return false;
    }
    const auto first = totals.begin();
    const auto last = std::prev(totals.end());
    return (bits < first->first && first->second > kRising * std::next(first)->second) ||
           (bits > last->first && last->second > kRising * std::prev(last)->second);
  }

  bool hopeless(const Kind& kind, const ByBits& sorts) const {
    const auto [below, above] = neighbours(sorts, kind.bits);
    if (below != sorts.end() && above != sorts.end()) {
      return between(below->second, above->second) + least_parts(kind.bits) > kTie * best_;
    }
    if (sorts.empty() && least_pass_ < kInfinite) {
      return kind.passes * kLeastPass * least_pass_ + least_parts(kind.bits) > kNear * best_;
    }
    return below != sorts.end() && kLeastPass * below->second + least_parts(kind.bits) > best_;
  }

  // The plan that stands for its kind: the one with buffers of this size.
  void put_first(Kind& kind, uint64_t bytes) const {
    const auto plan = std::find_if(kind.plans.begin(), kind.plans.end(),
                                   [&](size_t i) { return buffer_bytes(i) == bytes; });
    if (plan != kind.plans.end()) {
      std::swap(kind.plans.front(), *plan);
    }
  }

  // Other sizes of buffers of a kind, where they may make it the best: larger ones as long as they
  // make it faster, or, if none does, smaller ones. The size of the best of them.
  uint64_t best_buffers(const Kind& kind) {
    std::vector<size_t> plans = kind.plans;
    std::stable_sort(plans.begin(), plans.end(),
                     [this](size_t a, size_t b) { return buffer_bytes(a) < buffer_bytes(b); });
    const auto first = std::find(plans.begin(), plans.end(), kind.plans.front());
    if (ns(*first) >= kBuffers * best_) {
      return buffer_bytes(*first);
    }
    const auto better = [this](size_t plan, size_t than) {
      add(plan);
      return ns(plan) < ns(than);
    };
    auto best = first;
    while (std::next(best) != plans.end() && better(*std::next(best), *best)) {
      ++best;
    }
    while (best <= first && best != plans.begin() && better(*std::prev(best), *best)) {
      --best;
    }
    return buffer_bytes(*best);
  }

  // The first kind shows which buffers the others are tried with, the first row those of the next.
  void add_kinds(Row& row) {
    ByBits sorts;   // what sorting takes with these
    ByBits totals;  // and all; of kinds that were given up, more than the best
    bool searched = false;
    for (Kind* kind : search_order(row)) {
      if (buffers_) {
        put_first(*kind, *buffers_);
      }
      if (rises(totals, kind->bits) || hopeless(*kind, sorts)) {
        continue;
      }
      const double parts_ns = least_parts(kind->bits);
      const bool first = parts_.empty();
      double& sorting = sorts[kind->bits];
      add(kind->plans.front(), [&](const Prediction& so_far) {
        sorting = sorting_ns(so_far);
        return !first && sorting + parts_ns > best_;
      });
      if (!searched && predictions_[kind->plans.front()]) {
        searched = true;
        buffers_ = best_buffers(*kind);
        put_first(*kind, *buffers_);
        sorting = sorting_ns(*predictions_[kind->plans.front()]);
      }
      totals[kind->bits] = std::min(ns(*kind), std::max(kNear * best_, sorting + parts_ns));
    }
  }

  // Other sizes of buffers of the kinds near the best, the best kinds first.
  void add_buffers(const Row& row) {
    std::vector<const Kind*> kinds;
    for (const Kind& kind : row) {
      kinds.push_back(&kind);
    }
    std::stable_sort(kinds.begin(), kinds.end(),
                     [this](const Kind* a, const Kind* b) { return ns(*a) < ns(*b); });
    BufferEffects effects;
    for (const Kind* kind : kinds) {
      for (const size_t i : kind->plans) {
        note_effect(*kind, i, effects);
      }
    }
    for (const Kind* kind : kinds) {
      if (ns(*kind) >= kBuffers * best_) {
        return;
      }
      const double sorting = sorting_ns(*predictions_[kind->plans.front()]);
      for (const size_t i : kind->plans) {
        const double ratio = effects.likely_ratio(buffer_bytes(i), kind->bits);
        if (!predictions_[i] && ns(*kind) - sorting * (1 - ratio) < kTie * best_) {
          add(i);
          note_effect(*kind, i, effects);
        }
      }
    }
  }

  void note_effect(const Kind& kind, size_t i, BufferEffects& effects) const {
    const size_t first = kind.plans.front();
    if (i != first && predictions_[i] && predictions_[first]) {
      effects.note(buffer_bytes(i), kind.bits,
                   sorting_ns(*predictions_[i]) / sorting_ns(*predictions_[first]));
    }
  }

  const std::vector<Plan>& plans_;
  size_t eligible_;
  const PredictUnless& predict_;
  std::vector<std::optional<Prediction>> predictions_;
  double best_ = kInfinite;          // of the eligible plans
  double best_sort_ = kInfinite;     // of those that sort
  double least_pass_ = kInfinite;    // of a sort
  ByBits parts_;                     // what follows the sort
  std::optional<uint64_t> buffers_;  // bytes, of plans that stand for their kinds
};

}  // namespace

std::vector<std::optional<Prediction>> predict_where_worthwhile(const std::vector<Plan>& plans,
                                                                size_t eligible,
                                                                const PredictUnless& predict) {
  return Search(plans, eligible, predict).run();
}

}  // namespace presort::tuner
