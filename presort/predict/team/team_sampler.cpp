#include "presort/predict/team/team_sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "presort/predict/trace/phase_trace.h"

namespace presort::inline v0::predict {

namespace {

// Accesses that stand in memory.
class SpanSource final : public sim::AccessSource {
 public:
  explicit SpanSource(std::span<const sim::Access> accesses) : accesses_(accesses) {}
  std::span<const sim::Access> next() override { return std::exchange(accesses_, {}); }

 private:
  std::span<const sim::Access> accesses_;
};

// Notes the time of its core whenever it is asked for more.
class ClockedSource final : public sim::AccessSource {
 public:
  ClockedSource(sim::AccessSource& source, const sim::MultiCore& cores, int core)
      : source_(source), cores_(cores), core_(core) {}

  std::span<const sim::Access> next() override {
    times_ns_.push_back(cores_.now_ns(core_));
    return source_.next();
  }

  const std::vector<double>& times_ns() const { return times_ns_; }

 private:
  sim::AccessSource& source_;
  const sim::MultiCore& cores_;
  int core_;
  std::vector<double> times_ns_;
};

// Looks at the token whenever its core asks for more.
class PolledSource final : public sim::AccessSource {
 public:
  PolledSource(sim::AccessSource& source, StopToken stop) : source_(source), stop_(stop) {}

  std::span<const sim::Access> next() override {
    stop_.check();
    return source_.next();
  }

 private:
  sim::AccessSource& source_;
  StopToken stop_;
};

// Sources by thread, each polled.
class PolledSources {
 public:
  PolledSources(const TeamSampler::Sources& sources, StopToken stop) {
    polled_.reserve(sources.size());
    for (const auto& source : sources) {
      if (source != nullptr) {
        pointers_.push_back(&polled_.emplace_back(*source, stop));
      } else {
        pointers_.push_back(nullptr);
      }
    }
  }

  const std::vector<sim::AccessSource*>& pointers() const { return pointers_; }

 private:
  std::vector<PolledSource> polled_;
  std::vector<sim::AccessSource*> pointers_;
};

}  // namespace

TeamSampler::TeamSampler(const Machine& machine, const SimulationOptions& options,
                         uint64_t page_bytes, size_t threads)
    : stop_(options.stop),
      cores_(machine, static_cast<int>(threads), sim::AddressSpace(page_bytes),
             options.dependent ? sim::MemoryMode::dependent : sim::MemoryMode::pipelined,
             options.seed),
      memories_(threads),
      estimators_(threads),
      slice_items_(threads, 0) {}

void TeamSampler::begin_stratum(double weight) {
  for (Estimator& estimator : estimators_) {
    estimator.begin_stratum(weight);
  }
}

void TeamSampler::warm(const Sources& sources) {
  cores_.reset_statistics();
  cores_.count(PolledSources(sources, stop_).pointers());
  for (size_t t = 0; t < threads(); ++t) {
    warmed_ += cores_.statistics(static_cast<int>(t)).accesses;
  }
}

void TeamSampler::OneCore::warm(std::span<const sim::Access> accesses) {
  team_.stop_.check();
  SpanSource source(accesses);
  std::vector<sim::AccessSource*> sources(team_.threads(), nullptr);
  sources[thread_] = &source;
  team_.cores_.count(sources);
  team_.warmed_ += accesses.size();
}

void TeamSampler::lead_in(const Sources& sources) {
  cores_.reset_statistics();
  cores_.run(PolledSources(sources, stop_).pointers());
  for (size_t t = 0; t < threads(); ++t) {
    warmed_ += cores_.statistics(static_cast<int>(t)).accesses;
  }
}

void TeamSampler::time(const Sources& sources, const std::vector<uint64_t>& items) {
  constexpr size_t kCallsPerBatch = 4;
  constexpr double kBatchItems = kCallsPerBatch * kTraceBatch;
  open_slice();
  std::vector<ClockedSource> clocked;
  clocked.reserve(threads());
  std::vector<sim::AccessSource*> running(threads(), nullptr);
  for (size_t t = 0; t < threads(); ++t) {
    if (sources[t]) {
      clocked.emplace_back(*sources[t], cores_, static_cast<int>(t));
      running[t] = &clocked.back();
    }
  }
  stop_.check();
  cores_.run(running);
  for (size_t t = 0, k = 0; t < threads(); ++t) {
    if (!sources[t]) {
      continue;
    }
    if (!estimators_[t].has_stratum()) {
      estimators_[t].begin_stratum(1);
    }
    const std::vector<double>& times = clocked[k++].times_ns();
    for (size_t call = kCallsPerBatch; call * kTraceBatch <= items[t]; call += kCallsPerBatch) {
      estimators_[t].add_batch((times[call] - times[call - kCallsPerBatch]) / kBatchItems);
    }
    slice_items_[t] = items[t];
  }
  close_slice();
}

void TeamSampler::open_slice() {
  cores_.reset_statistics();
  std::fill(slice_items_.begin(), slice_items_.end(), 0);
}

void TeamSampler::time_piece(const Sources& sources, const std::vector<uint64_t>& items) {
  cores_.run(PolledSources(sources, stop_).pointers());
  for (size_t t = 0; t < threads(); ++t) {
    slice_items_[t] += items[t];
  }
}

void TeamSampler::close_slice() {
  for (size_t t = 0; t < threads(); ++t) {
    if (const uint64_t items = std::exchange(slice_items_[t], 0); items > 0) {
      estimators_[t].add_slice(items, cores_.statistics(static_cast<int>(t)));
    }
  }
}

void TeamSampler::set_complete() {
  for (Estimator& estimator : estimators_) {
    estimator.set_complete();
  }
}

PhaseEstimate TeamSampler::estimate(const std::vector<uint64_t>& items, uint64_t total) const {
  PhaseEstimate result;
  PhaseEstimate sums;
  for (size_t t = 0; t < threads(); ++t) {
    if (items[t] == 0) {
      continue;
    }
    PhaseEstimate one = estimators_[t].estimate();
    const double share = static_cast<double>(items[t]) / static_cast<double>(total);
    one.ns_per_item *= share;
    one.variance *= share * share;
    for (auto& [term, ns] : one.stack_ns) {
      ns *= share;
    }
    add_counts(sums.levels, one.levels);
    add_counts(sums.tlb, one.tlb);
    sums.walks += one.walks;
    sums.items += one.items;
    sums.accesses += one.accesses;
    if (one.ns_per_item > result.ns_per_item) {
      result = std::move(one);
    }
  }
  result.levels = std::move(sums.levels);
  result.tlb = std::move(sums.tlb);
  result.walks = sums.walks;
  result.items = sums.items;
  result.accesses = sums.accesses + warmed_;
  return result;
}

double TeamSampler::ci95_relative(const std::vector<uint64_t>& items, uint64_t total) const {
  for (size_t t = 0; t < threads(); ++t) {
    if (items[t] > 0 && std::isinf(estimators_[t].ci95_relative())) {
      return std::numeric_limits<double>::infinity();
    }
  }
  const PhaseEstimate now = estimate(items, total);
  return 1.96 * std::sqrt(now.variance) / now.ns_per_item;
}

}  // namespace presort::predict
