#include "app/validate/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "app/interrupt.h"
#include "app/problem_options.h"
#include "app/validate/drift.h"
#include "app/validate/statistics.h"
#include "core/error.h"
#include "core/measurement.h"
#include "core/random.h"
#include "cpu/runner.h"

namespace presort::app {

namespace {

// Direct updates of 16 KiB of buckets, 16 MiB of inputs read in order: the clock, stolen time and
// the memory's bandwidth show in it, and what the run before left in the caches does not. (Updates
// of 4 MiB of buckets were tried: their repeats spread 14 % beside kernels that spread 1 %.)
Problem reference_problem() {
  return {.operation = Operation::multireduce,
          .n = uint64_t{1} << 21,
          .m = uint64_t{1} << 12,
          .distribution = {},
          .types = {}};
}

constexpr int kReferenceRuns = 3;  // the median of these is one reference time
constexpr size_t kDriftHalfWindow = 6;

// A permutation of [0, count), a new one for each counter.
std::vector<size_t> shuffled(size_t count, uint64_t seed, uint64_t& counter) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t i = count; i > 1; --i) {
    std::swap(order[i - 1], order[bounded(random_u64(seed, counter++), i)]);
  }
  return order;
}

class Session {
 public:
  Session(std::vector<ProblemPoints>& all, const MeasureOptions& options, Progress& progress)
      : all_(all),
        options_(options),
        progress_(progress),
        reference_(reference_problem(), reference_plan_.resources.page_size,
                   problem_labels(reference_problem()), 0) {
    reference_.run_once(reference_plan_);
    time_reference();
    for (const ProblemPoints& item : all) {
      total_ += item.points.size() * static_cast<size_t>(options.reps);
    }
  }

  DriftReport measure_all() {
    for (const size_t index : shuffled(all_.size(), options_.seed, counter_)) {
      if (interrupted()) {
        break;
      }
      try {
        measure_problem(all_[index]);
      } catch (const EnvironmentError& error) {
        all_[index].skipped = error.what();
      }
    }
    normalise();
    return {references_.size(), median(references_), relative_spread(references_)};
  }

 private:
  // Where a sample stands: its point, and the number of the run for the drift factors.
  struct Run {
    Point* point;
    double ns;
  };
  using Runners = std::map<PageSize, cpu::Runner>;

  void time_reference() {
    std::vector<double> times;
    for (int run = 0; run < kReferenceRuns; ++run) {
      times.push_back(reference_.run_once(reference_plan_));
    }
    references_.push_back(median(times));
  }

  static Runners make_runners(const ProblemPoints& item) {
    std::map<PageSize, uint64_t> scratch;
    for (const Point& point : item.points) {
      uint64_t& bytes = scratch[point.plan.resources.page_size];
      bytes = std::max(bytes, cpu::Runner::scratch_bytes(item.problem, point.plan));
    }
    const auto labels = problem_labels(item.problem);
    Runners runners;
    for (const auto& [page_size, bytes] : scratch) {
      runners.emplace(page_size, cpu::Runner(item.problem, page_size, labels, bytes));
    }
    return runners;
  }

  void measure_problem(ProblemPoints& item) {
    Runners runners = make_runners(item);
    std::vector<Point*> points;
    for (Point& point : item.points) {
      points.push_back(&point);
    }
    for (auto& [page_size, runner] : runners) {
      for (const Point* point : points) {
        if (point->plan.resources.page_size == page_size) {
          runner.run_once(point->plan);  // warms up
          break;
        }
      }
    }
    const std::string title = to_string(item.problem);
    run_rounds(points, runners, title);
    normalise();
    std::vector<Point*> again;
    for (Point* point : points) {
      if (relative_spread(point->ns) > kMaxSpread) {
        point->rerun = true;
        again.push_back(point);
      }
    }
    total_ += again.size() * static_cast<size_t>(options_.reps);
    run_rounds(again, runners, title + ", again");
    item.measured = true;
  }

  // Fills raw_ns of the points, replacing what was there.
  void run_rounds(const std::vector<Point*>& points, Runners& runners, const std::string& title) {
    for (Point* point : points) {
      point->raw_ns.clear();
    }
    for (int round = 0; round < options_.reps; ++round) {
      for (const size_t index : shuffled(points.size(), options_.seed, counter_)) {
        Point& point = *points[index];
        const double ns = runners.at(point.plan.resources.page_size).run_once(point.plan);
        point.raw_ns.push_back(ns);
        runs_.push_back({&point, ns});
        time_reference();
        progress_.update(++done_, total_, title);
      }
    }
  }

  // Fills ns of all points that were run.
  void normalise() {
    for (const Run& run : runs_) {
      run.point->ns.clear();
    }
    const std::vector<double> factors = drift_factors(references_, kDriftHalfWindow);
    const auto reps = static_cast<size_t>(options_.reps);
    for (size_t i = 0; i < runs_.size(); ++i) {
      std::vector<double>& ns = runs_[i].point->ns;
      if (ns.size() == reps) {
        ns.clear();  // a second set of rounds replaces the first
      }
      ns.push_back(runs_[i].ns * factors[i]);
    }
  }

  std::vector<ProblemPoints>& all_;
  const MeasureOptions& options_;
  Progress& progress_;
  const Plan reference_plan_;
  cpu::Runner reference_;
  std::vector<double> references_;
  std::vector<Run> runs_;
  uint64_t counter_ = 0;
  size_t done_ = 0;
  size_t total_ = 0;
};

void mark_dropped(std::vector<ProblemPoints>& all) {
  std::vector<Point*> points;
  std::vector<double> spreads;
  for (ProblemPoints& item : all) {
    for (Point& point : item.points) {
      if (!point.ns.empty()) {
        points.push_back(&point);
        spreads.push_back(relative_spread(point.ns));
      }
    }
  }
  const std::vector<bool> dropped = points_to_drop(spreads);
  for (size_t i = 0; i < points.size(); ++i) {
    points[i]->dropped = dropped[i];
  }
}

}  // namespace

DriftReport measure_points(std::vector<ProblemPoints>& all, const MeasureOptions& options,
                           Progress& progress) {
  const DriftReport report = Session(all, options, progress).measure_all();
  mark_dropped(all);
  return report;
}

}  // namespace presort::app
