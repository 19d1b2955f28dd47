#include "presort/tuner/errors/error_model.h"

#include <algorithm>
#include <map>
#include <string>

namespace presort::inline v0::tuner {

namespace {

// Gives numbers to names, in the order in which the names come.
class Names {
 public:
  size_t number_of(const std::string& name) {
    return numbers_.try_emplace(name, size()).first->second;
  }
  size_t size() const { return numbers_.size(); }

 private:
  std::map<std::string, size_t> numbers_;
};

// The shares of a prediction's time by kind of error: ascending numbers of kinds, each with its
// share.
using Shares = std::vector<std::pair<size_t, double>>;

void add(Shares& shares, size_t number, double share) {
  const auto place = std::find_if(shares.begin(), shares.end(),
                                  [number](const auto& known) { return known.first >= number; });
  if (place != shares.end() && place->first == number) {
    place->second += share;
  } else {
    shares.insert(place, {number, share});
  }
}

Shares mechanisms(const Prediction& prediction, Names& names) {
  Shares shares;
  for (const auto& [term, ns] : prediction.stack_ns) {
    add(shares, names.number_of(term), ns / prediction.ns_per_input);
  }
  return shares;
}

// Name of a phase's kind. The passes of a loop over ranges of the buckets are one kind of phase,
// however many there are.
std::string kind_of(const PhasePrediction& phase) {
  return phase.kind == PhaseKind::rangePass ? "ranges" : phase.name;
}

// Shares of a prediction's time by kind of phase. A loop with software prefetch has errors of its
// own, and so has any phase on pages of another size, whose addresses are translated differently.
Shares phases(const Prediction& prediction, Names& names) {
  const CpuPlan& plan = prediction.plan;
  const bool buckets = !plan.presort && plan.base.prefetch_distance > 0;
  const bool inputs = !plan.presort && plan.base.input_distance > 0;
  std::string kind = to_name(kPageSizes, plan.resources.page_size);
  kind += plan.presort ? " sorted "
          : buckets    ? " buckets fetched "
          : inputs     ? " inputs fetched "
                       : "";
  Shares shares;
  for (const PhasePrediction& phase : prediction.phases) {
    add(shares, names.number_of(kind_of(phase) + kind),
        phase.ns_per_input / prediction.ns_per_input);
  }
  return shares;
}

double shared(const Shares& a, const Shares& b) {
  double sum = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].first == b[j].first) {
      sum += a[i++].second * b[j++].second;
    } else {
      ++(a[i].first < b[j].first ? i : j);
    }
  }
  return sum;
}

double square(double x) {
  return x * x;
}

}  // namespace

Covariance error_covariance(std::span<const Prediction> predictions, const ErrorSpread& spread) {
  Names terms;
  Names kinds;
  std::vector<Shares> by_mechanism;
  std::vector<Shares> by_phase;
  for (const Prediction& prediction : predictions) {
    by_mechanism.push_back(mechanisms(prediction, terms));
    by_phase.push_back(phases(prediction, kinds));
  }
  Covariance result(predictions.size(), std::vector<double>(predictions.size()));
  for (size_t i = 0; i < predictions.size(); ++i) {
    for (size_t j = 0; j <= i; ++j) {
      result[i][j] = square(spread.mechanism) * shared(by_mechanism[i], by_mechanism[j]) +
                     square(spread.phase) * shared(by_phase[i], by_phase[j]) +
                     (i == j ? square(spread.own) : 0);
      result[j][i] = result[i][j];
    }
  }
  return result;
}

}  // namespace presort::tuner
