#include "presort/app/validate/score/regret.h"

#include <algorithm>

#include "presort/core/base/random.h"
#include "presort/core/measurement.h"

namespace presort::inline v0::app {

namespace {

double half_median(const Repeats& repeats, size_t first) {
  std::vector<double> half;
  for (size_t r = first; r < repeats.size(); r += 2) {
    half.push_back(repeats[r]);
  }
  return median(half);
}

// Draws, for each position, a random round of the half that the position is in.
std::vector<size_t> draw_rounds(size_t count, uint64_t seed, uint64_t& counter) {
  std::vector<size_t> rounds(count);
  for (size_t r = 0; r < count; ++r) {
    const size_t parity = r % 2;
    const size_t in_half = (count + 1 - parity) / 2;
    rounds[r] = 2 * bounded(random_u64(seed, counter++), in_half) + parity;
  }
  return rounds;
}

Repeats pick(const Repeats& repeats, const std::vector<size_t>& rounds) {
  Repeats picked;
  for (const size_t round : rounds) {
    picked.push_back(repeats[round]);
  }
  return picked;
}

double resampled_regret(const RegretCase& item, uint64_t seed, uint64_t& counter) {
  const std::vector<size_t> rounds = draw_rounds(item.tuned.size(), seed, counter);
  std::vector<Repeats> grid;
  for (const Repeats& plan : item.grid) {
    grid.push_back(pick(plan, rounds));
  }
  return split_half_regret(pick(item.tuned, rounds), grid);
}

}  // namespace

size_t choose_best(const std::vector<Repeats>& grid) {
  size_t best = 0;
  for (size_t plan = 1; plan < grid.size(); ++plan) {
    if (half_median(grid[plan], 0) < half_median(grid[best], 0)) {
      best = plan;
    }
  }
  return best;
}

double timed(const Repeats& repeats) {
  return half_median(repeats, 1);
}

double split_half_regret(const Repeats& tuned, const std::vector<Repeats>& grid) {
  return timed(tuned) / timed(grid[choose_best(grid)]) - 1;
}

double choosing_half_regret(const Repeats& plan, const std::vector<Repeats>& grid) {
  return half_median(plan, 0) / half_median(grid[choose_best(grid)], 0) - 1;
}

RegretResult evaluate_regret(const std::vector<RegretCase>& cases, int replicates, uint64_t seed) {
  RegretResult result;
  if (cases.empty()) {
    return result;
  }
  std::vector<std::vector<double>> drawn(cases.size());
  std::vector<double> drawn_means;
  uint64_t counter = 0;
  for (int replicate = 0; replicate < replicates; ++replicate) {
    double sum = 0;
    for (size_t i = 0; i < cases.size(); ++i) {
      drawn[i].push_back(resampled_regret(cases[i], seed, counter));
      sum += drawn[i].back();
    }
    drawn_means.push_back(sum / static_cast<double>(cases.size()));
  }
  for (size_t i = 0; i < cases.size(); ++i) {
    result.regrets.push_back(split_half_regret(cases[i].tuned, cases[i].grid));
    result.intervals.push_back(middle_95_percent(drawn[i]));
  }
  result.mean_regret = mean(result.regrets);
  result.mean_interval = middle_95_percent(drawn_means);
  return result;
}

}  // namespace presort::app
