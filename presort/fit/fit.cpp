#include "presort/fit/fit.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>

#include "presort/fit/cell_simulation.h"
#include "presort/fit/linear_latencies.h"
#include "presort/fit/parameters.h"
#include "presort/fit/pattern_search.h"

namespace presort::inline v0::fit {

namespace {

// Relative error of a cell above which a larger error counts no more in a search, so that one wrong cell
// does not outweigh many others.
constexpr double kMostError = 0.5;
constexpr double kGridStep = 5;
// Work from which a cell counts as long (work_of_cell)
constexpr uint64_t kLong = 50'000;
// A search tries at least so many machines, however long they take
constexpr uint64_t kLeastMachines = 14;

double capped_error(double simulated, double measured) {
  return std::min(std::abs(simulated / measured - 1), kMostError);
}

std::vector<CellResult> cells_of(const LatencyMatrix& matrix) {
  std::vector<CellResult> cells;
  for (const LatencyTable& table : matrix.tables) {
    std::set<uint64_t> strides;
    for (const LatencyCell& cell : table.cells) {
      strides.insert(cell.stride_bytes);
    }
    for (const LatencyCell& cell : table.cells) {
      Role role = table.order == ChaseOrder::random ? Role::fitted : Role::heldOut;
      const auto place = std::distance(strides.begin(), strides.find(cell.stride_bytes));
      if (table.order == ChaseOrder::forward && place % 2 == 0) {
        role = Role::fittedPrefetch;
      }
      cells.push_back({cell, table.order, role, 0});
    }
  }
  return cells;
}

std::vector<CellResult> with_role(const std::vector<CellResult>& all, Role role) {
  std::vector<CellResult> cells;
  std::copy_if(all.begin(), all.end(), std::back_inserter(cells),
               [role](const CellResult& each) { return each.role == role; });
  return cells;
}

// Cells that a search simulates, each with the number of cells that it stands for, and their work.
struct Sample {
  std::vector<CellResult> cells;
  std::vector<double> weights;
  uint64_t work = 0;
};

Sample whole(const Machine& machine, std::vector<CellResult> cells) {
  Sample sample{std::move(cells), {}, 0};
  for (const CellResult& each : sample.cells) {
    sample.weights.push_back(1);
    sample.work += work_of_cell(machine, each.cell, each.order);
  }
  return sample;
}

// Every cell number k * options.thinning. Of those that take longer than kLong, as few more as the
// work of a machine allows.
Sample thinned(const Machine& machine, const std::vector<CellResult>& all,
               const FitOptions& options) {
  std::vector<CellResult> some;
  for (size_t i = 0; i < all.size(); i += static_cast<size_t>(options.thinning)) {
    some.push_back(all[i]);
  }
  uint64_t work_of_long = 0;
  uint64_t work_of_short = 0;
  std::vector<uint64_t> work;
  for (const CellResult& each : some) {
    work.push_back(work_of_cell(machine, each.cell, each.order));
    (work.back() > kLong ? work_of_long : work_of_short) += work.back();
  }
  const uint64_t room = std::max(options.work_of_machine, 2 * work_of_short) - work_of_short;
  const uint64_t every =
      std::max<uint64_t>(1, (work_of_long + room - 1) / std::max<uint64_t>(1, room));
  Sample sample;
  uint64_t long_ones = 0;
  for (size_t i = 0; i < some.size(); ++i) {
    const bool is_long = work[i] > kLong;
    if (!is_long || long_ones++ % every == every / 2) {
      sample.cells.push_back(some[i]);
      sample.weights.push_back(is_long ? static_cast<double>(every) : 1);
      sample.work += work[i];
    }
  }
  return sample;
}

// Adds up the work that is done, and tells how much of the planned work that is.
class Meter {
 public:
  explicit Meter(const FitOptions& options) : options_(options) {}

  void plan(uint64_t work) { planned_ += work; }
  void add(uint64_t work) { set(done_ + work); }
  // The next of the planned parts begins: all work up to `done` is over.
  void skip_to(uint64_t done) { set(std::max(done_, done)); }
  uint64_t planned() const { return planned_; }

 private:
  void set(uint64_t done) {
    done_ = std::min(done, planned_);
    if (options_.done && planned_ > 0) {
      options_.done(static_cast<double>(done_) / static_cast<double>(planned_));
    }
  }

  const FitOptions& options_;
  uint64_t planned_ = 0;
  uint64_t done_ = 0;
};

// Simulates the cells, unless their mean error will be above `most_error`: then there are no outcomes.
std::optional<std::vector<CellOutcome>> simulate_unless(const Sample& sample,
                                                        const Machine& machine, double most_error,
                                                        const FitOptions& options, Meter& meter) {
  // Sums of the same errors in another order differ by less than this part of them
  constexpr double kRounding = 1e-9;
  const std::vector<CellResult>& cells = sample.cells;
  const double most = most_error * (1 + kRounding) *
                      std::accumulate(sample.weights.begin(), sample.weights.end(), 0.0);
  std::vector<CellOutcome> outcomes(cells.size());
  std::mutex one_at_a_time;
  double error = 0;  // weighted errors of the cells that were simulated, summed up
  std::atomic<bool> above = false;
  options.for_each(cells.size(), [&](size_t k) {
    // Simulates cells from the last to the first, so that long simulations start first
    const size_t i = cells.size() - 1 - k;
    if (!above) {
      outcomes[i] = simulate_cell(machine, cells[i].cell, cells[i].order, options.seed);
    }
    const std::lock_guard lock(one_at_a_time);
    if (!above) {
      error += sample.weights[i] * capped_error(outcomes[i].cycles, cells[i].cell.cycles);
      above = error > most;
    }
    meter.add(work_of_cell(machine, cells[i].cell, cells[i].order));
  });
  return above ? std::nullopt : std::optional(std::move(outcomes));
}

std::vector<CellOutcome> simulate(const Sample& sample, const Machine& machine,
                                  const FitOptions& options, Meter& meter) {
  return *simulate_unless(sample, machine, std::numeric_limits<double>::infinity(), options, meter);
}

// Mean of the cells' errors, each capped.
template <class Simulated>
double mean_error(const Sample& sample, const Simulated& simulated) {
  double total = 0;
  double weights = 0;
  for (size_t i = 0; i < sample.cells.size(); ++i) {
    total += sample.weights[i] * capped_error(simulated(i), sample.cells[i].cell.cycles);
    weights += sample.weights[i];
  }
  return total / weights;
}

// Simulates the cells, gives the machine the latencies that explain them best, and returns the mean
// remaining error, each cell's capped.
double project(Machine& machine, const Sample& sample, const std::vector<Parameter>& latencies,
               const FitOptions& options, Meter& meter) {
  const std::vector<CellResult>& cells = sample.cells;
  const std::vector<CellOutcome> outcomes = simulate(sample, machine, options, meter);
  std::vector<std::vector<double>> uses;
  std::vector<double> measured;
  std::vector<double> before;
  uses.reserve(cells.size());
  measured.reserve(cells.size());
  before.reserve(latencies.size());
  for (size_t i = 0; i < cells.size(); ++i) {
    uses.push_back(outcomes[i].uses);
    measured.push_back(cells[i].cell.cycles);
  }
  for (const Parameter& parameter : latencies) {
    before.push_back(parameter.get(machine));
  }
  const std::vector<double> after = fit_latencies(uses, measured, latencies, before);
  Machine changed = machine;
  for (size_t k = 0; k < latencies.size(); ++k) {
    latencies[k].set(changed, after[k]);
  }
  const bool consistent = !find_machine_problem(changed);
  machine = consistent ? changed : machine;
  return mean_error(sample, [&](size_t i) {
    double simulated = outcomes[i].cycles;
    for (size_t k = 0; consistent && k < latencies.size(); ++k) {
      simulated += uses[i][k] * (after[k] - before[k]);
    }
    return simulated;
  });
}

void tell(const FitOptions& options, const std::string& what, const SearchResult& found,
          const std::vector<Parameter>& parameters) {
  char text[64];
  std::snprintf(text, sizeof text, ": mean error %.2f %% after %d machines", found.cost * 100,
                found.evaluations);
  std::string line = what + text;
  for (const Parameter& parameter : parameters) {
    line += ", " + parameter.name + " " + parameter.show(parameter.get(found.machine));
  }
  options.progress(line);
}

// Most machines that a search may try whose machines take `work` each.
uint64_t most_machines(const FitOptions& options, uint64_t work) {
  const uint64_t affordable = options.work_of_search / std::max<uint64_t>(1, work);
  return std::min<uint64_t>(static_cast<uint64_t>(options.most_machines),
                            std::max(affordable, kLeastMachines));
}

Machine fit_random(const Machine& start, const std::vector<CellResult>& all,
                   const FitOptions& options, Meter& meter) {
  const std::vector<Parameter> latencies = latency_parameters(start);
  const std::vector<Parameter> geometry = geometry_parameters(start);
  const Sample few = thinned(start, with_role(all, Role::fitted), options);
  Machine machine =
      pattern_search(
          start, geometry, [&](Machine& m) { return project(m, few, latencies, options, meter); },
          SearchOptions{.most_evaluations = static_cast<int>(most_machines(options, few.work))},
          [&](const SearchResult& found) { tell(options, "random cells", found, geometry); })
          .machine;
  project(machine, whole(machine, with_role(all, Role::fitted)), latencies, options, meter);
  return machine;
}

// A coarse grid of machines, at whose best the search begins: the cost has valleys that a step along
// one coordinate does not leave (a distance that only pays with another degree).
std::vector<Machine> grid_around(const Machine& start, const std::vector<Parameter>& parameters) {
  std::vector<Machine> grid = {start};
  for (const Parameter& parameter : parameters) {
    std::vector<Machine> finer;
    for (const Machine& machine : grid) {
      for (double value = parameter.low; value <= parameter.high; value *= kGridStep) {
        finer.push_back(machine);
        parameter.set(finer.back(), value);
      }
    }
    grid = std::move(finer);
  }
  grid.push_back(start);
  std::erase_if(grid, [](const Machine& m) { return find_machine_problem(m).has_value(); });
  return grid;
}

// Requires: a machine at least
Machine best_of(const std::vector<Machine>& grid, const std::function<double(Machine&)>& cost) {
  std::vector<double> costs;
  costs.reserve(grid.size());
  for (Machine machine : grid) {
    costs.push_back(cost(machine));
  }
  return grid[static_cast<size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin())];
}

Machine fit_prefetchers(const Machine& start, const std::vector<CellResult>& all,
                        const FitOptions& options, Meter& meter) {
  const std::vector<Parameter> parameters = prefetch_parameters(start);
  const Sample few = thinned(start, with_role(all, Role::fittedPrefetch), options);
  if (parameters.empty() || few.cells.empty()) {
    return start;
  }
  // A machine ends with the cell that makes it worse than the best: then its cost does not count
  constexpr double kWorse = std::numeric_limits<double>::infinity();
  double least = kWorse;
  const std::function<double(Machine&)> cost = [&](Machine& machine) {
    const auto outcomes = simulate_unless(few, machine, least, options, meter);
    if (!outcomes) {
      return kWorse;
    }
    const double error = mean_error(few, [&](size_t i) { return (*outcomes)[i].cycles; });
    least = std::min(least, error);
    return error;
  };
  const SearchOptions limits{
      .first_step = 0.5, .most_evaluations = static_cast<int>(most_machines(options, few.work))};
  const SearchResult found = pattern_search(
      best_of(grid_around(start, parameters), cost), parameters, cost, limits,
      [&](const SearchResult& better) { tell(options, "linear strides", better, parameters); });
  // Drops the limit on one core's bandwidth if it does not reduce the error.
  Machine unlimited = found.machine;
  unlimited.memory.per_core_bandwidth = 0;
  least = found.cost + limits.least_gain;
  return cost(unlimited) < found.cost + limits.least_gain ? unlimited : found.machine;
}

std::vector<CellResult> compared(const Sample& all, const Machine& machine,
                                 const FitOptions& options, Meter& meter) {
  std::vector<CellResult> cells = all.cells;
  const std::vector<CellOutcome> outcomes = simulate(all, machine, options, meter);
  for (size_t i = 0; i < cells.size(); ++i) {
    cells[i].simulated = outcomes[i].cycles;
  }
  return cells;
}

void add_fitted(std::vector<FittedParameter>& list, const std::vector<Parameter>& parameters,
                const Machine& start, const Machine& end, bool prefetch) {
  for (const Parameter& parameter : parameters) {
    if (parameter.low < parameter.high) {
      list.push_back({parameter.name, parameter.show(parameter.get(start)),
                      parameter.show(parameter.get(end)), prefetch});
    }
  }
}

}  // namespace

std::vector<CellResult> compare(const LatencyMatrix& matrix, const Machine& machine,
                                const FitOptions& options) {
  const Sample all = whole(machine, cells_of(matrix));
  Meter meter(options);
  meter.plan(all.work);
  return compared(all, machine, options, meter);
}

Fit fit_machine(const LatencyMatrix& matrix, const Machine& start, const FitOptions& options) {
  Machine from = start;
  from.clock_hz = matrix.clock_hz;
  const std::vector<CellResult> cells = cells_of(matrix);
  Meter meter(options);
  // Work of the three parts, at most: two searches and the comparison
  for (const Role role : {Role::fitted, Role::fittedPrefetch}) {
    const Sample few = thinned(from, with_role(cells, role), options);
    uint64_t machines = few.cells.empty() ? 0 : most_machines(options, few.work);
    if (role == Role::fittedPrefetch) {
      const auto parameters = prefetch_parameters(from);
      machines = parameters.empty() ? 0 : machines + grid_around(from, parameters).size();
    }
    meter.plan(machines * few.work);
  }
  const uint64_t searches = meter.planned();
  meter.plan(whole(from, cells).work);
  const Machine machine =
      fit_prefetchers(fit_random(from, cells, options, meter), cells, options, meter);
  meter.skip_to(searches);
  Fit fit{machine, {}, compared(whole(machine, cells), machine, options, meter)};
  add_fitted(fit.parameters, latency_parameters(from), from, machine, false);
  add_fitted(fit.parameters, geometry_parameters(from), from, machine, false);
  add_fitted(fit.parameters, prefetch_parameters(from), from, machine, true);
  return fit;
}

Score score(const std::vector<CellResult>& results,
            const std::function<bool(const CellResult&)>& wanted) {
  std::vector<double> errors;
  for (const CellResult& each : results) {
    if (wanted(each)) {
      errors.push_back(std::abs(each.error()));
    }
  }
  if (errors.empty()) {
    return {};
  }
  std::sort(errors.begin(), errors.end());
  const size_t n = errors.size();
  return {n, errors[n / 2], errors[std::min(n - 1, n * 9 / 10)], errors.back()};
}

}  // namespace presort::fit
