#include "presort/predict/sampling/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace presort::inline v0::predict {

namespace {

// A source of accesses that asks the stop token whenever its core wants more, and counts the
// accesses that it hands on if asked to.
class CountedSource final : public sim::AccessSource {
 public:
  CountedSource(sim::AccessSource& source, StopToken stop, uint64_t* accesses)
      : source_(source), stop_(stop), accesses_(accesses) {}

  std::span<const sim::Access> next() override {
    stop_.check();
    const std::span<const sim::Access> records = source_.next();
    if (accesses_ != nullptr) {
      const auto is_access = [](const sim::Access& a) { return a.kind != sim::AccessKind::branch; };
      *accesses_ += static_cast<uint64_t>(std::count_if(records.begin(), records.end(), is_access));
    }
    return records;
  }

 private:
  sim::AccessSource& source_;
  StopToken stop_;
  uint64_t* accesses_;
};

// A source of accesses that, whenever its core wants more, asks the stop token and notes the core's
// time.
class ClockedSource final : public sim::AccessSource {
 public:
  ClockedSource(sim::AccessSource& source, StopToken stop, const Cores& cores, size_t core)
      : source_(source), stop_(stop), cores_(cores), core_(core) {}

  std::span<const sim::Access> next() override {
    stop_.check();
    times_ns_.push_back(cores_.now_ns(core_));
    return source_.next();
  }

  const std::vector<double>& times_ns() const { return times_ns_; }

 private:
  sim::AccessSource& source_;
  StopToken stop_;
  const Cores& cores_;
  size_t core_;
  std::vector<double> times_ns_;
};

// The access sources of all cores, each wrapped by make(source, core).
template <class Wrapped>
class WrappedSources {
 public:
  template <class Make>
  WrappedSources(Cores::Sources sources, const Make& make) : pointers_(sources.size(), nullptr) {
    wrapped_.reserve(sources.size());
    for (size_t core = 0; core < sources.size(); ++core) {
      if (sources[core] != nullptr) {
        pointers_[core] = &wrapped_.emplace_back(make(*sources[core], core));
      }
    }
  }

  Cores::Sources pointers() const { return pointers_; }
  // The wrapped sources, one per core; null for a core without a source.
  const std::vector<Wrapped>& wrapped() const { return wrapped_; }

 private:
  std::vector<Wrapped> wrapped_;
  std::vector<sim::AccessSource*> pointers_;
};

WrappedSources<CountedSource> counted(Cores::Sources sources, StopToken stop, uint64_t* accesses) {
  return {sources,
          [=](sim::AccessSource& source, size_t) { return CountedSource(source, stop, accesses); }};
}

}  // namespace

Sampler::Sampler(const Machine& machine, const SimulationOptions& options,
                 const sim::AddressSpace& space, size_t cores)
    : stop_(options.stop),
      cores_(machine, options, space, cores),
      memories_(cores),
      estimators_(cores),
      slice_items_(cores, 0) {}

void Sampler::begin_stratum(double weight) {
  for (Estimator& estimator : estimators_) {
    estimator.begin_stratum(weight);
  }
}

size_t Sampler::clusters() const {
  size_t most = 0;
  for (const Estimator& estimator : estimators_) {
    most = std::max(most, estimator.clusters());
  }
  return most;
}

void Sampler::warm(Sources sources) {
  cores_.count(counted(sources, stop_, &warmed_).pointers());
}

void Sampler::warm_one(size_t core, std::span<const sim::Access> accesses, Warm how) {
  stop_.check();
  if (cores_.simulates()) {
    warmed_ += accesses.size();
    (cores_.*how)(core, accesses);
  }
}

void Sampler::lead_in(Sources sources) {
  cores_.run(counted(sources, stop_, &warmed_).pointers());
}

void Sampler::time(Sources sources, std::span<const uint64_t> items) {
  open_slice();
  const WrappedSources<ClockedSource> clocked(sources, [&](sim::AccessSource& source, size_t core) {
    return ClockedSource(source, stop_, cores_, core);
  });
  cores_.run(clocked.pointers());
  auto next = clocked.wrapped().begin();
  for (size_t core = 0; core < cores(); ++core) {
    if (sources[core] != nullptr) {
      add_batches(core, (next++)->times_ns(), items[core]);
      slice_items_[core] = items[core];
    }
  }
  close_slice();
}

// Adds the timed batches of a core. With a single core, work after the last whole batch belongs to
// that batch; several cores do not end at the same time, and such work is left out.
void Sampler::add_batches(size_t core, const std::vector<double>& times_ns, uint64_t items) {
  constexpr uint64_t kBatch = 4 * kTraceBatch;
  if (!cores_.simulates()) {
    return;
  }
  Estimator& estimator = started(core);
  for (uint64_t at = 0; at < items;) {
    const uint64_t rest = items - at;
    if (cores() > 1 && rest < kBatch) {
      break;
    }
    const uint64_t batch = cores() == 1 && rest < 2 * kBatch ? rest : kBatch;
    const size_t end = batch == rest ? times_ns.size() - 1 : (at + batch) / kTraceBatch;
    estimator.add_batch((times_ns[end] - times_ns[at / kTraceBatch]) / static_cast<double>(batch));
    at += batch;
  }
}

void Sampler::open_slice() {
  cores_.reset_statistics();
  std::fill(slice_items_.begin(), slice_items_.end(), 0);
}

void Sampler::time_piece(Sources sources, std::span<const uint64_t> items) {
  cores_.run(counted(sources, stop_, nullptr).pointers());
  for (size_t core = 0; core < cores(); ++core) {
    slice_items_[core] += items[core];
  }
}

void Sampler::close_slice() {
  for (size_t core = 0; core < cores(); ++core) {
    const uint64_t items = std::exchange(slice_items_[core], 0);
    if (items > 0 && cores_.simulates()) {
      started(core).add_slice(items, cores_.statistics(core));
    }
  }
}

// The estimator of a core. If the estimator has no stratum yet, one for all items begins.
Estimator& Sampler::started(size_t core) {
  if (!estimators_[core].has_stratum()) {
    estimators_[core].begin_stratum(1);
  }
  return estimators_[core];
}

void Sampler::finish() {
  if (!cores_.simulates()) {
    return;
  }
  cores_.reset_statistics();
  cores_.write_back_pages();
  for (size_t core = 0; core < cores(); ++core) {
    if (estimators_[core].has_stratum()) {
      estimators_[core].add_to_slice(cores_.statistics(core));
    }
  }
}

void Sampler::set_complete() {
  for (Estimator& estimator : estimators_) {
    estimator.set_complete();
  }
}

uint64_t Sampler::accesses() const {
  uint64_t sum = warmed_;
  for (const Estimator& estimator : estimators_) {
    sum += estimator.accesses();
  }
  return sum;
}

PhaseEstimate Sampler::estimate(std::span<const uint64_t> items, uint64_t total) const {
  PhaseEstimate result;
  PhaseEstimate sums;
  for (size_t core = 0; core < cores(); ++core) {
    if (items[core] == 0) {
      continue;
    }
    PhaseEstimate one = estimators_[core].estimate();
    const double share = static_cast<double>(items[core]) / static_cast<double>(total);
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

double Sampler::ci95_relative(std::span<const uint64_t> items, uint64_t total) const {
  for (size_t core = 0; core < cores(); ++core) {
    if (items[core] > 0 && std::isinf(estimators_[core].ci95_relative())) {
      return std::numeric_limits<double>::infinity();
    }
  }
  const PhaseEstimate now = estimate(items, total);
  return 1.96 * std::sqrt(now.variance) / now.ns_per_item;
}

}  // namespace presort::predict
