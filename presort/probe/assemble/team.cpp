#include "presort/probe/assemble/team.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "presort/probe/assemble/draft.h"

namespace presort::inline v0::probe {
namespace {

// A line constant + slope · threads.
struct Line {
  double constant = 0;
  double slope = 0;
  double uncertainty = 0;
};

// A round that takes less is not known to take any time, ns: the clock's own step, and weights that
// stay finite.
constexpr double kLeastNs = 10;

// A round that takes more waited for a core that the system had given to another program, ns. Most
// teams of 32 threads take below 0.25 ms; on a two-core virtual machine whose cores other programs
// kept busy, two threads took 6 to 9 ms.
constexpr double kMostNs = 1e6;

// The times of a quantity by number of threads, without those that tell of other programs.
std::vector<CurvePoint> points_of(const Estimates& estimates, Quantity quantity) {
  std::vector<CurvePoint> points;
  for (const auto& [key, estimate] : estimates) {
    if (key.quantity == quantity && estimate.value_ns <= kMostNs) {
      points.push_back({.bytes = key.at,
                        .ns = std::max(kLeastNs, estimate.value_ns),
                        .uncertainty = estimate.uncertainty});
    }
  }
  return points;
}

// Line with the least sum of squares of (line - time) / time. Requires: not empty
Line line_through(const std::vector<CurvePoint>& points) {
  double w = 0;
  double wt = 0;
  double wtt = 0;
  double wy = 0;
  double wty = 0;
  for (const CurvePoint& point : points) {
    const auto threads = static_cast<double>(point.bytes);
    const double weight = 1 / (point.ns * point.ns);
    w += weight;
    wt += weight * threads;
    wtt += weight * threads * threads;
    wy += weight * point.ns;
    wty += weight * threads * point.ns;
  }
  const double determinant = w * wtt - wt * wt;
  Line line{wy / w, 0};
  if (points.size() > 1) {
    line = {(wtt * wy - wt * wty) / determinant, (w * wty - wt * wy) / determinant};
    if (line.slope < 0) {
      line = {wy / w, 0};
    } else if (line.constant < 0) {
      line = {0, wty / wtt};
    }
  }
  double squares = 0;
  for (const CurvePoint& point : points) {
    const double off =
        (line.constant + line.slope * static_cast<double>(point.bytes)) / point.ns - 1;
    squares += off * off + point.uncertainty * point.uncertainty;
  }
  line.uncertainty = std::sqrt(squares / static_cast<double>(points.size()));
  return line;
}

}  // namespace

std::optional<TeamFinding> find_team(const Estimates& estimates) {
  const auto rounds = points_of(estimates, Quantity::teamRound);
  const auto wakes = points_of(estimates, Quantity::teamWake);
  if (rounds.empty() || wakes.empty()) {
    return std::nullopt;
  }
  const Line round = line_through(rounds);
  const Line wake = line_through(wakes);
  return TeamFinding{.costs = {.round_ns = round.constant,
                               .round_per_thread_ns = round.slope,
                               .wake_ns = wake.constant,
                               .wake_per_thread_ns = wake.slope},
                     .round_uncertainty = round.uncertainty,
                     .wake_uncertainty = wake.uncertainty};
}

void set_line_transfer(Draft& draft, const Known& known) {
  const auto found = known.estimates.find({Quantity::lineTransfer, 0});
  if (found != known.estimates.end()) {
    double& ns = draft.machine().line_transfer_ns;
    ns = rounded(found->second.value_ns);
    draft.file_value("cpu.lineTransfer", ns, "ns", found->second.uncertainty);
  }
}

void set_team(Draft& draft, const Known& known) {
  const auto found = find_team(known.estimates);
  if (!found) {
    if (std::ranges::any_of(known.estimates, [](const auto& each) {
          return each.first.quantity == Quantity::teamRound;
        })) {
      draft.warn(
          "rounds of a team of threads were not measured: other programs kept the cores busy");
    }
    return;
  }
  TeamCosts& team = draft.machine().team.emplace();
  const auto take = [&](const char* key, double& value, double ns, double uncertainty) {
    value = rounded(ns);
    draft.file_value(std::string("cpu.team.") + key, value, "ns", uncertainty);
  };
  take("round", team.round_ns, found->costs.round_ns, found->round_uncertainty);
  take("roundPerThread", team.round_per_thread_ns, found->costs.round_per_thread_ns,
       found->round_uncertainty);
  take("wake", team.wake_ns, found->costs.wake_ns, found->wake_uncertainty);
  take("wakePerThread", team.wake_per_thread_ns, found->costs.wake_per_thread_ns,
       found->wake_uncertainty);
}

}  // namespace presort::probe
