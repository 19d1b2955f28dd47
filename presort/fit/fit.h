// Fits a machine to a latency matrix (measured times of pointer chases, one cell for each list length and
// stride), and says how well it predicts cells that it was not fitted to.
//
// Role of the cells, by order of the table:
//   random                all: fitted, with the latencies and the geometry (fit/parameters.h)
//   forward               strides at even places of the table's header, the first, third, …:
//                         fitted, with the prefetch parameters only; the others are held out
//   backward, blockRandom held out
//
// The random cells are explained first. Which level answers how many loads depends on the geometry
// alone, and the time of a pointer chase depends on the latencies linearly: so a pattern search over the
// geometry simulates the cells, and inside it the latencies are solved for. The prefetch parameters
// follow by the same search, with all else fixed.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "presort/core/machine/latency_matrix.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::fit {

struct FitOptions {
  uint64_t seed = 1;
  // Searches look at one cell in so many; final latencies use all cells. No divisor of 12, the
  // strides of most tables: else a search would never see some strides.
  int thinning = 5;
  // Cells that take long are thinned further, each standing for more of them, until one machine of
  // a search takes at most this much work (work_of_cell)
  uint64_t work_of_machine = 6'000'000;
  int most_machines = 200;               // most machines that each of the two searches tries
  uint64_t work_of_search = 80'000'000;  // most work of each search
  // Runs work in parallel: for_each(count, work) calls work(i) for every i below count, on any number of
  // threads.
  std::function<void(size_t, const std::function<void(size_t)>&)> for_each;
  // progress(line): called with a line of text at times; may be empty
  std::function<void(const std::string&)> progress;
  // done(fraction): called with the fraction of the work that is done, 0 … 1, never by two threads
  // at once; may be empty. A search that ends early makes it jump.
  std::function<void(double)> done;
};

enum class Role { fitted, fittedPrefetch, heldOut };

// A cell of a latency matrix and its time on the fitted machine.
struct CellResult {
  LatencyCell cell;
  ChaseOrder order = ChaseOrder::random;
  Role role = Role::heldOut;
  double simulated = 0;  // simulated latency of the cell, cycles per load
  double error() const { return simulated / cell.cycles - 1; }
};

struct FittedParameter {
  std::string name;
  std::string start;
  std::string value;
  bool prefetch = false;
};

struct Fit {
  Machine machine;
  std::vector<FittedParameter> parameters;
  std::vector<CellResult> cells;  // cells of all tables of the latency matrix
};

// Simulates every cell of the matrix on the machine as it is.
// Requires: find_machine_problem(machine) is empty; options.for_each
std::vector<CellResult> compare(const LatencyMatrix& matrix, const Machine& machine,
                                const FitOptions& options);

// Fits a machine to a matrix. The clock of the result is that of the matrix; latencies given in
// cycles stay as they are.
// Requires: as compare; a table of random order
Fit fit_machine(const LatencyMatrix& matrix, const Machine& start, const FitOptions& options);

// Absolute relative errors, as fractions, of the results that `wanted` accepts: median, 90th
// percentile, worst.
struct Score {
  size_t cells = 0;
  double median = 0;
  double p90 = 0;
  double worst = 0;
};
Score score(const std::vector<CellResult>& results,
            const std::function<bool(const CellResult&)>& wanted);

}  // namespace presort::fit
