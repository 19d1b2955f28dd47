#include "presort/sim/multi_core.h"

#include <algorithm>
#include <string>

#include "presort/core/error.h"
#include "presort/sim/count_access.h"

namespace presort::inline v0::sim {

namespace {

// The part of a core's stream of accesses that has not run yet.
class Feed {
 public:
  explicit Feed(AccessSource* source) : source_(source) { refill(); }

  bool empty() const { return left_.empty(); }

  // Takes the records of the stream that are already buffered. Requires: not empty()
  std::span<const Access> take() {
    const std::span<const Access> one = left_.first(1);
    taken_ = *one.data();
    left_ = left_.subspan(1);
    if (left_.empty()) {
      refill();
    }
    return {&taken_, 1};
  }

 private:
  void refill() { left_ = source_ == nullptr ? std::span<const Access>{} : source_->next(); }

  AccessSource* source_;
  std::span<const Access> left_;
  Access taken_;
};

std::vector<Feed> feeds_of(std::span<AccessSource* const> sources) {
  return std::vector<Feed>(sources.begin(), sources.end());
}

int checked_cores(const Machine& machine, int cores) {
  if (cores < 1 || cores > machine.cores) {
    throw InputError("cores: found '" + std::to_string(cores) + "', accepted: 1 to " +
                     std::to_string(machine.cores) + ", the cores of " + machine.name);
  }
  if (machine.storage) {
    throw InputError("several cores on a machine with a block device are not simulated");
  }
  return cores;
}

}  // namespace

MultiCore::OneCore::OneCore(const Machine& machine, const AddressSpace& space, MemoryMode mode,
                            MemorySystem& system, int number, uint64_t seed, uint64_t process)
    : caches(machine, system, number),
      translation(machine, space, caches, seed, process),
      core(machine, mode, translation, caches, nullptr) {}

MultiCore::MultiCore(const Machine& machine, int cores, AddressSpace space, MemoryMode mode,
                     uint64_t seed, Processes processes, std::vector<int> numbers)
    : space_(std::move(space)),
      system_(machine, checked_cores(machine, cores), seed, processes, std::move(numbers)),
      ns_per_cycle_(1e9 / machine.clock_hz) {
  for (int number = 0; number < cores; ++number) {
    const uint64_t process = processes == Processes::one ? 0 : static_cast<uint64_t>(number);
    cores_.push_back(
        std::make_unique<OneCore>(machine, space_, mode, system_, number, seed, process));
  }
}

void MultiCore::run(std::span<AccessSource* const> sources) {
  std::vector<Feed> feeds = feeds_of(sources);
  while (true) {
    OneCore* earliest = nullptr;
    Feed* feed = nullptr;
    for (size_t i = 0; i < feeds.size(); ++i) {
      if (!feeds[i].empty() &&
          (earliest == nullptr || cores_[i]->core.now() < earliest->core.now())) {
        earliest = cores_[i].get();
        feed = &feeds[i];
      }
    }
    if (earliest == nullptr) {
      break;
    }
    const std::span<const Access> record = feed->take();
    earliest->accesses += record[0].kind != AccessKind::branch;
    earliest->core.run(record);
  }
  for (const auto& one : cores_) {
    one->core.settle();
  }
}

void MultiCore::count(std::span<AccessSource* const> sources) {
  std::vector<Feed> feeds = feeds_of(sources);
  for (bool any = true; any;) {
    any = false;
    for (size_t i = 0; i < feeds.size(); ++i) {
      if (!feeds[i].empty()) {
        any = true;
        OneCore& one = *cores_[i];
        one.accesses += count_access(feeds[i].take()[0], one.translation, one.caches);
      }
    }
  }
}

double MultiCore::now_ns(int core) const {
  return cores_[static_cast<size_t>(core)]->core.now() * ns_per_cycle_;
}

Statistics MultiCore::statistics(int core) const {
  const OneCore& one = *cores_[static_cast<size_t>(core)];
  Statistics result =
      gather_statistics(one.core, one.caches, one.translation, one.reset_at, ns_per_cycle_);
  result.accesses = one.accesses;
  return result;
}

void MultiCore::reset_statistics() {
  for (const auto& one : cores_) {
    one->caches.reset_counts();
    one->translation.reset_counts();
    one->core.reset_blame();
    one->reset_at = one->core.now();
    one->accesses = 0;
  }
}

}  // namespace presort::sim
