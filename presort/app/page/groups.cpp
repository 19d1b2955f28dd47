#include "presort/app/page/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "presort/app/validate/score/regret.h"
#include "presort/core/measurement.h"
#include "presort/core/plan/tuned.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app::page {

namespace {

// Least gain that is called one: the tie of the tuner and of crossovers
constexpr double kLeastGain = 1.05;

bool same_group(const Group& group, const Result& result) {
  return group.operation == result.operation && group.labels == result.labels &&
         group.types == result.types && group.n == result.n;
}

double known_ns(const Result& result) {
  return result.forecast ? result.forecast->ns : result.measured();
}

// The result with the least predicted time, or the least measured one where nothing is predicted;
// nullptr when no result passes `wanted`.
template <class Wanted>
const Result* fastest(const std::vector<const Result*>& results, const Wanted& wanted) {
  const Result* best = nullptr;
  for (const Result* result : results) {
    if (wanted(*result) && (best == nullptr || known_ns(*result) < known_ns(*best))) {
      best = result;
    }
  }
  return best;
}

// The result that is marked, else the fastest.
template <class Marked, class Wanted>
const Result* marked_or_fastest(const std::vector<const Result*>& results, const Marked& marked,
                                const Wanted& wanted) {
  for (const Result* result : results) {
    if (marked(*result)) {
      return result;
    }
  }
  return fastest(results, wanted);
}

// Time of the fastest plan of a kind in the grid, ns per input; 0: there is none.
double best_measured(const std::vector<const Result*>& results, bool presorted) {
  std::vector<Repeats> repeats;
  bool halves = true;
  double least = std::numeric_limits<double>::infinity();
  for (const Result* result : results) {
    if (result->presorted == presorted && result->in_grid) {
      repeats.push_back(result->samples);
      halves = halves && result->samples.size() >= 2;
      least = std::min(least, result->measured());
    }
  }
  if (repeats.empty()) {
    return 0;
  }
  return halves ? timed(repeats[choose_best(repeats)]) : least;
}

double best_predicted(const std::vector<const Result*>& results, bool presorted) {
  double least = std::numeric_limits<double>::infinity();
  for (const Result* result : results) {
    if (result->presorted == presorted && result->forecast) {
      least = std::min(least, result->forecast->ns);
    }
  }
  return least;
}

void add_row(uint64_t m, const std::vector<const Result*>& results, Group& group,
             std::vector<CrossoverPoint>& predicted, std::vector<CrossoverPoint>& measured) {
  Row row;
  row.m = m;
  row.tuned = marked_or_fastest(
      results, [](const Result& result) { return result.tuned; },
      [](const Result&) { return true; });
  row.direct = marked_or_fastest(
      results, [](const Result& result) { return result.direct; },
      [](const Result& result) { return !result.presorted; });
  row.best_direct_ns = best_measured(results, false);
  row.best_presorted_ns = best_measured(results, true);
  if (row.best_direct_ns > 0 && row.best_presorted_ns > 0) {
    measured.push_back({m, row.best_direct_ns / row.best_presorted_ns});
  }
  const double direct = best_predicted(results, false);
  const double presorted = best_predicted(results, true);
  if (std::isfinite(direct) && std::isfinite(presorted)) {
    predicted.push_back({m, direct / presorted});
  }
  group.predicted = group.predicted && row.tuned->forecast.has_value();
  group.rows.push_back(row);
}

void add_rows(Group& group) {
  std::vector<const Result*> kept;
  std::copy_if(group.results.begin(), group.results.end(), std::back_inserter(kept),
               [](const Result* result) { return !result->dropped; });
  std::stable_sort(kept.begin(), kept.end(),
                   [](const Result* a, const Result* b) { return a->m < b->m; });
  std::vector<CrossoverPoint> predicted;
  std::vector<CrossoverPoint> measured;
  group.predicted = !kept.empty();
  for (size_t begin = 0; begin < kept.size();) {
    size_t end = begin;
    while (end < kept.size() && kept[end]->m == kept[begin]->m) {
      ++end;
    }
    add_row(kept[begin]->m, {kept.begin() + begin, kept.begin() + end}, group, predicted, measured);
    begin = end;
  }
  group.crossover = {crossover(predicted), crossover(measured)};
}

}  // namespace

double Result::measured() const {
  return median(samples);
}

double Row::gain() const {
  return direct != nullptr ? direct->measured() / tuned->measured() : 0;
}

const Row* Group::most_gain() const {
  const Row* most = nullptr;
  double largest = kLeastGain;
  for (const Row& row : rows) {
    if (row.gain() > largest) {
      largest = row.gain();
      most = &row;
    }
  }
  return most;
}

std::vector<Group> groups_of(const Subject& subject) {
  std::vector<Group> groups;
  for (const Result& result : subject.results) {
    auto found = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& group) { return same_group(group, result); });
    if (found == groups.end()) {
      Group group;
      group.operation = result.operation;
      group.labels = result.labels;
      group.types = result.types;
      group.n = result.n;
      group.title = fmt::format("{} n={} {} {}", result.operation, format_count(result.n),
                                result.labels, result.types);
      found = groups.insert(groups.end(), std::move(group));
    }
    found->results.push_back(&result);
  }
  for (Group& group : groups) {
    add_rows(group);
  }
  std::erase_if(groups, [](const Group& group) { return group.rows.empty(); });
  return groups;
}

size_t main_group(const std::vector<Group>& groups) {
  size_t best = 0;
  const auto weight = [](const Group& group) {
    return 2 * group.rows.size() + (group.operation == "multireduce" ? 1 : 0);
  };
  for (size_t i = 1; i < groups.size(); ++i) {
    best = weight(groups[i]) > weight(groups[best]) ? i : best;
  }
  return best;
}

double largest_gain(const std::vector<Group>& groups) {
  double largest = 0;
  for (const Group& group : groups) {
    for (const Row& row : group.rows) {
      largest = row.tuned->presorted ? std::max(largest, row.gain()) : largest;
    }
  }
  return largest;
}

Accuracy accuracy_of(const Subject& subject) {
  Accuracy all;
  std::vector<double> errors;
  std::vector<double> spreads;
  for (const Result& result : subject.results) {
    if (result.dropped) {
      ++all.dropped;
      continue;
    }
    ++all.results;
    all.samples += result.samples.size();
    all.quiet += result.quiet;
    const double measured = result.measured();
    spreads.push_back(relative_spread(result.samples));
    if (!result.forecast) {
      continue;
    }
    errors.push_back(relative_error(result.forecast->ns, measured));
    if (result.forecast->high > 0) {
      ++all.with_interval;
      all.inside += measured >= result.forecast->low && measured <= result.forecast->high ? 1 : 0;
    }
  }
  all.errors = summarise_errors(errors);
  all.median_spread = spreads.empty() ? 0 : median(spreads);
  return all;
}

}  // namespace presort::app::page
