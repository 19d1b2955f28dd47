#include "presort/fit/fit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
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

std::vector<CellResult> with_role(const std::vector<CellResult>& all, Role role, int thinning) {
  std::vector<CellResult> cells;
  int number = 0;
  for (const CellResult& each : all) {
    if (each.role == role && number++ % thinning == 0) {
      cells.push_back(each);
    }
  }
  return cells;
}

std::vector<CellOutcome> simulate(const std::vector<CellResult>& cells, const Machine& machine,
                                  const FitOptions& options) {
  std::vector<CellOutcome> outcomes(cells.size());
  options.for_each(cells.size(), [&](size_t k) {
    // Simulates cells from the last to the first, so that long simulations start first
    const size_t i = cells.size() - 1 - k;
    outcomes[i] = simulate_cell(machine, cells[i].cell, cells[i].order, options.seed);
  });
  return outcomes;
}

// Simulates the cells, gives the machine the latencies that explain them best, and returns the mean
// remaining error, each cell's capped.
double project(Machine& machine, const std::vector<CellResult>& cells,
               const std::vector<Parameter>& latencies, const FitOptions& options) {
  const std::vector<CellOutcome> outcomes = simulate(cells, machine, options);
  std::vector<std::vector<double>> uses;
  std::vector<double> measured;
  std::vector<double> before;
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
  double total = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    double simulated = outcomes[i].cycles;
    for (size_t k = 0; consistent && k < latencies.size(); ++k) {
      simulated += uses[i][k] * (after[k] - before[k]);
    }
    total += capped_error(simulated, measured[i]);
  }
  machine = consistent ? changed : machine;
  return total / static_cast<double>(cells.size());
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

Machine fit_random(const Machine& start, const std::vector<CellResult>& all,
                   const FitOptions& options) {
  const std::vector<Parameter> latencies = latency_parameters(start);
  const std::vector<Parameter> geometry = geometry_parameters(start);
  const std::vector<CellResult> few = with_role(all, Role::fitted, options.thinning);
  Machine machine =
      pattern_search(
          start, geometry, [&](Machine& m) { return project(m, few, latencies, options); },
          SearchOptions{.most_evaluations = options.most_machines},
          [&](const SearchResult& found) { tell(options, "random cells", found, geometry); })
          .machine;
  project(machine, with_role(all, Role::fitted, 1), latencies, options);
  return machine;
}

// The best machine of a coarse grid, at which the search begins: the cost has valleys that a step
// along one coordinate does not leave (a distance that only pays with another degree).
Machine best_of_grid(const Machine& start, const std::vector<Parameter>& parameters,
                     const std::function<double(Machine&)>& cost) {
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
  std::vector<std::pair<double, size_t>> costs;
  for (size_t i = 0; i < grid.size(); ++i) {
    if (!find_machine_problem(grid[i])) {
      costs.emplace_back(cost(grid[i]), i);
    }
  }
  return grid[std::min_element(costs.begin(), costs.end())->second];
}

Machine fit_prefetchers(const Machine& start, const std::vector<CellResult>& all,
                        const FitOptions& options) {
  const std::vector<Parameter> parameters = prefetch_parameters(start);
  const std::vector<CellResult> few = with_role(all, Role::fittedPrefetch, options.thinning);
  if (parameters.empty() || few.empty()) {
    return start;
  }
  const std::function<double(Machine&)> cost = [&](Machine& machine) {
    const std::vector<CellOutcome> outcomes = simulate(few, machine, options);
    double total = 0;
    for (size_t i = 0; i < few.size(); ++i) {
      total += capped_error(outcomes[i].cycles, few[i].cell.cycles);
    }
    return total / static_cast<double>(few.size());
  };
  const SearchOptions limits{.first_step = 0.5, .most_evaluations = options.most_machines};
  const SearchResult found = pattern_search(
      best_of_grid(start, parameters, cost), parameters, cost, limits,
      [&](const SearchResult& better) { tell(options, "linear strides", better, parameters); });
  // Drops the limit on one core's bandwidth if it does not reduce the error.
  Machine unlimited = found.machine;
  unlimited.memory.per_core_bandwidth = 0;
  return cost(unlimited) < found.cost + limits.least_gain ? unlimited : found.machine;
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
  std::vector<CellResult> cells = cells_of(matrix);
  const std::vector<CellOutcome> outcomes = simulate(cells, machine, options);
  for (size_t i = 0; i < cells.size(); ++i) {
    cells[i].simulated = outcomes[i].cycles;
  }
  return cells;
}

Fit fit_machine(const LatencyMatrix& matrix, const Machine& start, const FitOptions& options) {
  Machine from = start;
  from.clock_hz = matrix.clock_hz;
  const std::vector<CellResult> cells = cells_of(matrix);
  const Machine machine = fit_prefetchers(fit_random(from, cells, options), cells, options);
  Fit fit{machine, {}, compare(matrix, machine, options)};
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
