#include "presort/fit/fit.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/fit/known_machine.h"

namespace presort::inline v0::fit::fit_test {
namespace {

using doctest::Approx;
using test::known_machine;
using test::matrix_of;

FitOptions serial() {
  FitOptions options;
  options.thinning = 1;
  options.most_machines = 90;
  options.for_each = [](size_t count, const std::function<void(size_t)>& work) {
    for (size_t i = 0; i < count; ++i) {
      work(i);
    }
  };
  options.progress = [](const std::string&) {};
  return options;
}

bool fitted(const CellResult& result) {
  return result.role == Role::fitted;
}

TEST_CASE("a machine is recovered from its own matrix, measured with other random orders") {
  Machine known = known_machine();
  known.caches[2].share = 0.6;
  known.caches[2].policy = Replacement::random;
  Machine start = known;
  start.caches[0].latency_cycles = 5;
  start.caches[1].latency_cycles = 11;
  start.caches[2].latency_cycles = 60;
  start.caches[2].share = 1;
  start.caches[2].policy = Replacement::lru;
  start.memory.latency_ns = 150;
  start.tlb[1].latency_cycles = 2;
  const Fit fit = fit_machine(matrix_of(known), start, serial());
  CHECK(fit.machine.caches[0].latency_cycles == Approx(4).epsilon(0.02));
  CHECK(fit.machine.caches[1].latency_cycles == Approx(14).epsilon(0.02));
  CHECK(fit.machine.caches[2].latency_cycles == Approx(40).epsilon(0.05));
  CHECK(fit.machine.memory.latency_ns == Approx(200).epsilon(0.02));
  CHECK(fit.machine.tlb[1].latency_cycles == Approx(7).epsilon(0.1));
  CHECK(fit.machine.caches[2].share == Approx(0.6).epsilon(0.12));
  const Score score = fit::score(fit.cells, fitted);
  CHECK(score.median < 0.01);
  CHECK(score.p90 < 0.06);
  CHECK(fit.parameters.size() <= 12);
}

TEST_CASE("the prefetcher is recovered from half of the forward strides, and explains the others") {
  Machine known = known_machine();
  known.prefetchers = {{"L2", PrefetcherKind::stream, 2, 12}};
  known.memory.per_core_bandwidth = 3e9;
  Machine start = known;
  start.prefetchers[0] = {"L2", PrefetcherKind::stream, 1, 2};
  start.memory.per_core_bandwidth = 0;
  const Fit fit = fit_machine(matrix_of(known), start, serial());
  const auto wanted = [](Role role) {
    return [role](const CellResult& r) { return r.order == ChaseOrder::forward && r.role == role; };
  };
  CHECK(score(fit.cells, wanted(Role::fittedPrefetch)).p90 < 0.1);
  CHECK(score(fit.cells, wanted(Role::heldOut)).p90 < 0.1);
  CHECK(score(compare(matrix_of(known), start, serial()), wanted(Role::heldOut)).p90 > 0.14);
}

TEST_CASE("long cells stand for others where a machine would take too much work") {
  Machine known = known_machine();
  Machine start = known;
  start.caches[2].latency_cycles = 60;
  start.memory.latency_ns = 150;
  FitOptions options = serial();
  options.work_of_machine = 500'000;  // a third of what all cells take
  options.most_machines = 30;
  std::vector<double> fractions;
  options.done = [&](double fraction) { fractions.push_back(fraction); };
  const Fit fit = fit_machine(matrix_of(known), start, options);
  CHECK(fit.machine.caches[2].latency_cycles == Approx(40).epsilon(0.05));
  CHECK(fit.machine.memory.latency_ns == Approx(200).epsilon(0.02));
  REQUIRE(!fractions.empty());
  CHECK(std::is_sorted(fractions.begin(), fractions.end()));
  CHECK(fractions.front() > 0);
  CHECK(fractions.back() == Approx(1));
}

TEST_CASE("a search ends with its work: at least 14 machines, at most as many as were asked for") {
  const Machine known = known_machine();
  FitOptions options = serial();
  options.work_of_search = 1;
  const auto evaluations = [&] {
    int most = 0;
    options.progress = [&](const std::string& line) {
      const size_t at = line.find(" after ");
      most = std::max(most, std::stoi(line.substr(at + 7)));
    };
    Machine start = known;
    start.caches[2].share = 0.3;
    fit_machine(matrix_of(known), start, options);
    return most;
  };
  CHECK(evaluations() <= 14);
  options.most_machines = 3;
  CHECK(evaluations() <= 3);
}

TEST_CASE("comparing takes the machine as it is") {
  const Machine known = known_machine();
  const LatencyMatrix matrix = matrix_of(known);
  const std::vector<CellResult> results = compare(matrix, known, serial());
  size_t cells = 0;
  for (const LatencyTable& table : matrix.tables) {
    cells += table.cells.size();
  }
  CHECK(results.size() == cells);
  CHECK(score(results, fitted).median < 0.01);
  Machine slow = known;
  slow.memory.latency_ns *= 2;
  CHECK(score(compare(matrix, slow, serial()), fitted).worst > 0.9);
}

TEST_CASE("scores are of absolute errors, by rank") {
  std::vector<CellResult> results;
  for (int i = 0; i < 10; ++i) {
    CellResult result;
    result.cell.cycles = 100;
    result.simulated = 100 + (i % 2 == 0 ? i : -i);
    results.push_back(result);
  }
  const auto all = [](const CellResult&) { return true; };
  CHECK(score(results, all).cells == 10);
  CHECK(score(results, all).median == Approx(0.05));
  CHECK(score(results, all).p90 == Approx(0.09));
  CHECK(score(results, all).worst == Approx(0.09));
  CHECK(score(results, [](const CellResult&) { return false; }).cells == 0);
}

}  // namespace
}  // namespace presort::fit::fit_test
