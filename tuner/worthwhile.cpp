#include "tuner/worthwhile.h"

#include <algorithm>
#include <cctype>
#include <limits>

namespace presort::tuner {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// A pass that was not predicted takes at least so much of the fastest that was.
constexpr double kLeastPass = 0.8;
// A plan predicted beyond this times the best is not the best: the closed form is off from the
// simulator by more in one of ten points (docs/model.md).
constexpr double kNear = 1.25;
// Write buffers of another size make a plan faster by less.
constexpr double kBuffers = 1.35;

struct Kind {
  std::vector<size_t> plans;  // the middle one first
  int passes = 1;
};

Plan without_buffers(Plan plan) {
  plan.presort->buffer_bytes = 0;
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
      kinds.push_back({{i}, plans[i].presort->passes});
    } else {
      same->plans.push_back(i);
    }
  }
  for (Kind& kind : kinds) {
    std::swap(kind.plans.front(), kind.plans[kind.plans.size() / 2]);
  }
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const Kind& a, const Kind& b) { return a.passes < b.passes; });
  return kinds;
}

// ns per input of one pass of the sort: its phases are numbered.
double pass_ns(const Prediction& prediction) {
  double ns = 0;
  for (const PhasePrediction& phase : prediction.phases) {
    const bool numbered = std::isdigit(static_cast<unsigned char>(phase.name.back())) != 0;
    ns += numbered ? phase.ns_per_input : 0;
  }
  return ns / prediction.plan.presort->passes;
}

}  // namespace

std::vector<std::optional<Prediction>> predict_where_worthwhile(
    const std::vector<Plan>& plans, size_t eligible,
    const std::function<Prediction(const Plan&)>& predict) {
  std::vector<std::optional<Prediction>> predictions(plans.size());
  double best = kInfinite;
  double least_pass = kInfinite;
  const auto add = [&](size_t i) {
    predictions[i] = predict(plans[i]);
    best = i < eligible ? std::min(best, predictions[i]->ns_per_input) : best;
    if (plans[i].presort) {
      least_pass = std::min(least_pass, pass_ns(*predictions[i]));
    }
  };
  for (size_t i = 0; i < plans.size(); ++i) {
    if (!plans[i].presort) {
      add(i);
    }
  }
  const std::vector<Kind> kinds = kinds_of(plans);
  for (const Kind& kind : kinds) {
    const bool hopeless =
        least_pass < kInfinite && kind.passes * kLeastPass * least_pass > kNear * best;
    if (!hopeless) {
      add(kind.plans.front());
    }
  }
  for (const Kind& kind : kinds) {
    const std::optional<Prediction>& first = predictions[kind.plans.front()];
    if (first && first->ns_per_input < kBuffers * best) {
      std::for_each(kind.plans.begin() + 1, kind.plans.end(), add);
    }
  }
  return predictions;
}

}  // namespace presort::tuner
