#include "tuner/worthwhile.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

namespace presort::tuner {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// A pass that was not predicted takes at least so much of the fastest that was, and the kernel on
// parts so much of what it took after fewer passes of as many bits.
constexpr double kLeastPass = 0.8;
constexpr double kLeastParts = 0.9;
// A kind of more passes predicted beyond this times the best is not the best.
constexpr double kNear = 1.1;
// A bit more or less makes a pre-sort faster by less. Largest found in the designed grid on two
// machines: 6 % from one kind to the next.
constexpr double kBit = 1.08;
// Write buffers of another size make a plan faster by less. Largest found there: 10 % of those
// within a third of the best.
constexpr double kBuffers = 1.15;
// Buffers of a size make a sort by some bits take so much of what they made of one by others, or
// more. With 0.85 a problem in 44 lost 3.4 % on one machine of seven, with this 0.3 %, as without.
constexpr double kLikeBuffers = 0.75;

// Plans that differ in the size of their write buffers alone.
struct Kind {
  std::vector<size_t> plans;  // the middle one first
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

class Search {
 public:
  Search(const std::vector<Plan>& plans, size_t eligible,
         const std::function<Prediction(const Plan&)>& predict)
      : plans_(plans), eligible_(eligible), predict_(predict), predictions_(plans.size()) {}

  std::vector<std::optional<Prediction>> run() {
    for (size_t i = 0; i < plans_.size(); ++i) {
      if (!plans_[i].presort) {
        add(i);
      }
    }
    const std::vector<Row> rows = rows_of(plans_);
    for (const Row& row : rows) {
      add_kinds(row);
    }
    for (const Row& row : rows) {
      add_buffers(row);
    }
    return std::move(predictions_);
  }

 private:
  void add(size_t i) {
    predictions_[i] = predict_(plans_[i]);
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

  bool hopeless(const Kind& kind) const {
    if (least_pass_ == kInfinite) {
      return false;
    }
    const auto parts = parts_.find(kind.bits);
    const double parts_ns = parts == parts_.end() ? 0 : kLeastParts * parts->second;
    return kind.passes * kLeastPass * least_pass_ + parts_ns > kNear * best_;
  }

  void add_kind(const Kind& kind) {
    if (!hopeless(kind)) {
      add(kind.plans.front());
    }
  }

  void add_kinds(const Row& row) {
    add_kind(row.front());
    if (row.size() > 1) {
      add_kind(row.back());
      add_between(row, 0, row.size() - 1);
    }
  }

  // Those between kinds `low` and `high`.
  void add_between(const Row& row, size_t low, size_t high) {
    if (high - low < 2) {
      return;
    }
    const size_t middle = (low + high) / 2;
    const int bits = std::min(row[middle].bits - row[low].bits, row[high].bits - row[middle].bits);
    const double nearest = std::min(ns(row[low]), ns(row[high]));
    // Ends that were not predicted were hopeless for their passes: they tell nothing of the middle.
    if (nearest < kInfinite && nearest > std::pow(kBit, bits) * best_) {
      return;
    }
    add_kind(row[middle]);
    add_between(row, low, middle);
    add_between(row, middle, high);
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
      if (ns(*kind) >= kBuffers * best_) {
        return;
      }
      const double sorting = sorting_ns(*predictions_[kind->plans.front()]);
      for (size_t k = 1; k < kind->plans.size(); ++k) {
        const size_t i = kind->plans[k];
        const uint64_t bytes = plans_[i].presort->buffer_bytes;
        const double gain = sorting * (1 - likely_ratio(effects, bytes, kind->bits));
        if (ns(*kind) - gain < best_) {
          add(i);
          effects.push_back({bytes, kind->bits, sorting_ns(*predictions_[i]) / sorting});
        }
      }
    }
  }

  const std::vector<Plan>& plans_;
  size_t eligible_;
  const std::function<Prediction(const Plan&)>& predict_;
  std::vector<std::optional<Prediction>> predictions_;
  double best_ = kInfinite;        // of the eligible plans
  double least_pass_ = kInfinite;  // of a sort
  std::map<int, double> parts_;    // what follows the sort, by its bits
};

}  // namespace

std::vector<std::optional<Prediction>> predict_where_worthwhile(
    const std::vector<Plan>& plans, size_t eligible,
    const std::function<Prediction(const Plan&)>& predict) {
  return Search(plans, eligible, predict).run();
}

}  // namespace presort::tuner
