#include "presort/fit/pattern_search.h"

#include <algorithm>
#include <cmath>

namespace presort::inline v0::fit {

namespace {

class Search {
 public:
  Search(const Machine& start, const std::function<double(Machine&)>& cost,
         const SearchOptions& options, const std::function<void(const SearchResult&)>& on_better)
      : cost_(cost), options_(options), on_better_(on_better), best_{start, 0, 1} {
    best_.cost = cost_(best_.machine);
    on_better_(best_);
  }

  // Tries values of `parameter` one step up and down, and keeps a value that lowers the cost. Returns
  // true if a value was kept.
  bool improve(const Parameter& parameter, double step);

  bool spent() const { return best_.evaluations >= options_.most_evaluations; }
  const SearchResult& best() const { return best_; }

 private:
  bool try_value(const Parameter& parameter, double value);

  const std::function<double(Machine&)>& cost_;
  const SearchOptions& options_;
  const std::function<void(const SearchResult&)>& on_better_;
  SearchResult best_;
};

bool Search::try_value(const Parameter& parameter, double value) {
  value = std::clamp(value, parameter.low, parameter.high);
  if (value == parameter.get(best_.machine) || spent()) {
    return false;
  }
  Machine machine = best_.machine;
  parameter.set(machine, value);
  if (find_machine_problem(machine)) {
    return false;
  }
  ++best_.evaluations;
  const double cost = cost_(machine);
  if (!(cost < best_.cost - options_.least_gain)) {
    return false;
  }
  best_.machine = machine;
  best_.cost = cost;
  on_better_(best_);
  return true;
}

bool Search::improve(const Parameter& parameter, double step) {
  const double value = parameter.get(best_.machine);
  bool better = false;
  if (parameter.kind == Kind::choice) {
    if (step == options_.first_step) {
      for (double choice = parameter.low; choice <= parameter.high; ++choice) {
        better = try_value(parameter, choice) || better;
      }
    }
    return better;
  }
  double up = value * (1 + step);
  double down = value / (1 + step);
  if (parameter.kind == Kind::count) {
    up = std::max(std::round(up), value + 1);
    down = std::min(std::round(down), value - 1);
  }
  return try_value(parameter, up) || try_value(parameter, down);
}

}  // namespace

SearchResult pattern_search(const Machine& start, const std::vector<Parameter>& parameters,
                            const std::function<double(Machine&)>& cost,
                            const SearchOptions& options,
                            const std::function<void(const SearchResult&)>& on_better) {
  Search search(start, cost, options, on_better);
  double step = options.first_step;
  while (step >= options.last_step && !search.spent()) {
    bool better = false;
    for (const Parameter& parameter : parameters) {
      better = search.improve(parameter, step) || better;
    }
    step = better ? step : step / 2;
  }
  return search.best();
}

}  // namespace presort::fit
