#include "tuner/worthwhile.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

namespace presort::tuner {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// A pass that was not predicted takes at least so much of the fastest that was.
constexpr double kLeastPass = 0.8;
// The kernel on parts takes so much of what it took after other passes of as many bits, or of the
// least that it took after passes of more bits; a bit more than after passes of fewer.
constexpr double kLeastParts = 0.9;
constexpr double kPartsOfBit = 0.7;
// A kind of more passes predicted beyond this times the best is not the best.
constexpr double kNear = 1.1;
// A gain that is a tie: the closed form is off by more.
constexpr double kTie = 0.98;
// Write buffers of another size make a plan faster by less. Largest found there: 10 % of those
// within a third of the best.
constexpr double kBuffers = 1.15;
// Buffers of a size make a sort by some bits take so much of what they made of one by others, or
// more.
constexpr double kLikeBuffers = 0.85;

// Plans that differ in the size of their write buffers alone.
struct Kind {
  std::vector<size_t> plans;  // the one that stands for all first; else the middle one
  int passes = 1;
  int bits = 0;
};

// Kinds of equally many passes, alike in all else but their bits, in their order.
using Row = std::vector<Kind>;

Plan without_buffers(Plan plan) {
  plan.presort->buffer_bytes = 0;
  return plan;
}

Plan without_bits(Plan plan) {
  plan = without_buffers(plan);
  plan.presort->sort_bits = 0;
  return plan;
}

std::vector<Kind> kinds_of(const std::vector<Plan>& plans) {
  std::vector<Kind> kinds;
  for (size_t i = 0; i < plans.size(); ++i) {
    if (!plans[i].presort) {
      continue;
    }
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) {
      return without_buffers(plans[kind.plans.front()]) == without_buffers(plans[i]);
    });
    if (same == kinds.end()) {
      kinds.push_back({{i}, plans[i].presort->passes, plans[i].presort->sort_bits});
    } else {
      same->plans.push_back(i);
    }
  }
  for (Kind& kind : kinds) {
    std::stable_sort(kind.plans.begin(), kind.plans.end(), [&plans](size_t a, size_t b) {
      return plans[a].presort->buffer_bytes < plans[b].presort->buffer_bytes;
    });
    std::swap(kind.plans.front(), kind.plans[kind.plans.size() / 2]);
  }
  return kinds;
}

// Those of few passes first.
std::vector<Row> rows_of(const std::vector<Plan>& plans) {
  std::vector<Row> rows;
  for (Kind& kind : kinds_of(plans)) {
    const Plan like = without_bits(plans[kind.plans.front()]);
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
      return without_bits(plans[row.front().plans.front()]) == like;
    });
    if (same == rows.end()) {
      rows.push_back({std::move(kind)});
    } else {
      same->push_back(std::move(kind));
    }
  }
  for (Row& row : rows) {
    std::stable_sort(row.begin(), row.end(),
                     [](const Kind& a, const Kind& b) { return a.bits < b.bits; });
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.front().passes < b.front().passes; });
  return rows;
}

// ns per input of the phases of the sort, which are numbered.
double sorting_ns(const Prediction& prediction) {
  double ns = 0;
  for (const PhasePrediction& phase : prediction.phases) {
    const bool numbered = std::isdigit(static_cast<unsigned char>(phase.name.back())) != 0;
    ns += numbered ? phase.ns_per_input : 0;
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

// The middle one, then those an even number of bits away, the nearest first, then the others.
std::vector<Kind*> search_order(Row& row) {
  const int middle = row[(row.size() - 1) / 2].bits;
  std::vector<Kind*> kinds;
  for (Kind& kind : row) {
    kinds.push_back(&kind);
  }
  std::stable_sort(kinds.begin(), kinds.end(), [middle](const Kind* a, const Kind* b) {
    const int far_a = std::abs(a->bits - middle);
    const int far_b = std::abs(b->bits - middle);
    return std::pair(far_a % 2, far_a) < std::pair(far_b % 2, far_b);
  });
  return kinds;
}

class Search {
 public:
  Search(const std::vector<Plan>& plans, size_t eligible, const PredictUnless& predict)
      : plans_(plans), eligible_(eligible), predict_(predict), predictions_(plans.size()) {}

  std::vector<std::optional<Prediction>> run() {
    for (size_t i = 0; i < plans_.size(); ++i) {
      if (!plans_[i].presort) {
        add(i, [](const Prediction&) { return false; });
      }
    }
    std::vector<Row> rows = rows_of(plans_);
    for (Row& row : rows) {
      add_kinds(row);
    }
    for (const Row& row : rows) {
      add_buffers(row);
    }
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
      least_pass_ = std::min(least_pass_, sorting / presort->passes);
      parts_.try_emplace(presort->sort_bits, prediction.ns_per_input - sorting);
    }
  }

  // The first plan's; infinite if it was not worth a prediction.
  double ns(const Kind& kind) const {
    const std::optional<Prediction>& first = predictions_[kind.plans.front()];
    return first ? first->ns_per_input : kInfinite;
  }

  // What the kernel on parts takes at least.
  double least_parts(int bits) const {
    const auto known = parts_.find(bits);
    if (known != parts_.end()) {
      return kLeastParts * known->second;
    }
    const auto [below, above] = neighbours(parts_, bits);
    if (below != parts_.end() && above != parts_.end()) {
      return std::min(below->second, above->second);
    }
    if (below != parts_.end()) {
      return std::pow(kPartsOfBit, bits - below->first) * below->second;
    }
    double least = kInfinite;
    for (const auto& [at, parts_ns] : parts_) {
      least = std::min(least, parts_ns);
    }
    return parts_.empty() ? 0 : kLeastParts * least;
  }

  bool hopeless(const Kind& kind, const ByBits& sorts) const {
    const auto [below, above] = neighbours(sorts, kind.bits);
    if (below != sorts.end() && above != sorts.end()) {
      return std::min(below->second, above->second) + least_parts(kind.bits) > kTie * best_;
    }
    if (sorts.empty() && least_pass_ < kInfinite) {
      return kind.passes * kLeastPass * least_pass_ + least_parts(kind.bits) > kNear * best_;
    }
    return below != sorts.end() && kLeastPass * below->second + least_parts(kind.bits) > best_;
  }

  // The plan that stands for its kind: the one with buffers of this size.
  void put_first(Kind& kind, uint64_t buffer_bytes) const {
    const auto plan = std::find_if(kind.plans.begin(), kind.plans.end(), [&](size_t i) {
      return plans_[i].presort->buffer_bytes == buffer_bytes;
    });
    if (plan != kind.plans.end()) {
      std::swap(kind.plans.front(), *plan);
    }
  }

  // All buffers of a kind, where they may make it the best; the size of the best of them.
  uint64_t best_buffers(const Kind& kind) {
    size_t best = kind.plans.front();
    if (ns(kind) < kBuffers * best_) {
      for (const size_t i : kind.plans) {
        if (!predictions_[i]) {
          add(i, [](const Prediction&) { return false; });
        }
        best = predictions_[i]->ns_per_input < predictions_[best]->ns_per_input ? i : best;
      }
    }
    return plans_[best].presort->buffer_bytes;
  }

  // The first kind shows which buffers the others are tried with.
  void add_kinds(Row& row) {
    ByBits sorts;  // what sorting takes with these
    std::optional<uint64_t> buffer_bytes;
    for (Kind* kind : search_order(row)) {
      if (buffer_bytes) {
        put_first(*kind, *buffer_bytes);
      }
      if (hopeless(*kind, sorts)) {
        continue;
      }
      const double parts_ns = least_parts(kind->bits);
      const bool first = parts_.empty();
      double& sorting = sorts[kind->bits];
      add(kind->plans.front(), [&](const Prediction& so_far) {
        sorting = sorting_ns(so_far);
        return !first && sorting + parts_ns > best_;
      });
      if (!buffer_bytes && predictions_[kind->plans.front()]) {
        buffer_bytes = best_buffers(*kind);
        put_first(*kind, *buffer_bytes);
        sorting = sorting_ns(*predictions_[kind->plans.front()]);
      }
    }
  }

  // What the buffers of a plan made of the sort of its kind's first plan.
  struct Effect {
    uint64_t buffer_bytes;
    int bits;
    double ratio;
  };

  // Of kinds in the row of which plans with these buffers were predicted, that of the most similar.
  static double likely_ratio(const std::vector<Effect>& effects, uint64_t buffer_bytes, int bits) {
    double ratio = 0;  // nothing is known: they may make any difference
    int nearest = std::numeric_limits<int>::max();
    for (const Effect& effect : effects) {
      if (effect.buffer_bytes == buffer_bytes && std::abs(effect.bits - bits) < nearest) {
        nearest = std::abs(effect.bits - bits);
        ratio = effect.ratio;
      }
    }
    return kLikeBuffers * ratio;
  }

  // Other sizes of buffers of the kinds near the best, the best kinds first.
  void add_buffers(const Row& row) {
    std::vector<const Kind*> kinds;
    for (const Kind& kind : row) {
      kinds.push_back(&kind);
    }
    std::stable_sort(kinds.begin(), kinds.end(),
                     [this](const Kind* a, const Kind* b) { return ns(*a) < ns(*b); });
    std::vector<Effect> effects;
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
        const double ratio = likely_ratio(effects, plans_[i].presort->buffer_bytes, kind->bits);
        if (!predictions_[i] && ns(*kind) - sorting * (1 - ratio) < kTie * best_) {
          add(i, [](const Prediction&) { return false; });
          note_effect(*kind, i, effects);
        }
      }
    }
  }

  void note_effect(const Kind& kind, size_t i, std::vector<Effect>& effects) const {
    const size_t first = kind.plans.front();
    if (i != first && predictions_[i] && predictions_[first]) {
      effects.push_back({plans_[i].presort->buffer_bytes, kind.bits,
                         sorting_ns(*predictions_[i]) / sorting_ns(*predictions_[first])});
    }
  }

  const std::vector<Plan>& plans_;
  size_t eligible_;
  const PredictUnless& predict_;
  std::vector<std::optional<Prediction>> predictions_;
  double best_ = kInfinite;        // of the eligible plans
  double least_pass_ = kInfinite;  // of a sort
  ByBits parts_;                   // what follows the sort
};

}  // namespace

std::vector<std::optional<Prediction>> predict_where_worthwhile(const std::vector<Plan>& plans,
                                                                size_t eligible,
                                                                const PredictUnless& predict) {
  return Search(plans, eligible, predict).run();
}

}  // namespace presort::tuner
