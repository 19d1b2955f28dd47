#include "presort/predict/sampling/cores.h"

#include <utility>
#include <vector>

#include "presort/core/machine/node_layout.h"

namespace presort::inline v0::predict {

namespace {

// A source of accesses that are already stored in memory.
class SpanSource final : public sim::AccessSource {
 public:
  explicit SpanSource(std::span<const sim::Access> accesses) : accesses_(accesses) {}
  std::span<const sim::Access> next() override { return std::exchange(accesses_, {}); }

 private:
  std::span<const sim::Access> accesses_;
};

void record(sim::AccessSource* source, sim::AccessSink& sink) {
  if (source == nullptr) {
    return;
  }
  for (auto records = source->next(); !records.empty(); records = source->next()) {
    sink.write(records);
  }
}

}  // namespace

Cores::Cores(const Machine& machine, const SimulationOptions& options,
             const sim::AddressSpace& space, size_t count)
    : record_only_(options.record_only ? options.record : nullptr) {
  const sim::MemoryMode mode =
      options.dependent ? sim::MemoryMode::dependent : sim::MemoryMode::pipelined;
  if (count > 1) {
    const auto cores = static_cast<int>(count);
    several_.emplace(
        machine, cores, space, mode, options.seed, sim::Processes::one,
        cores <= machine.cores ? cores_of_threads(machine, cores) : std::vector<int>{});
  } else if (simulates()) {
    one_.emplace(machine, space, mode, options.seed);
    one_->record_to(options.record);
  }
}

void Cores::run(Sources sources) {
  if (several_) {
    several_->run(sources);
  } else if (!one_) {
    record(sources[0], *record_only_);
  } else if (sources[0] != nullptr) {
    one_->run(*sources[0]);
  }
}

void Cores::count(Sources sources) {
  if (several_) {
    several_->count(sources);
  } else if (!one_) {
    record(sources[0], *record_only_);
  } else if (sources[0] != nullptr) {
    one_->count(*sources[0]);
  }
}

void Cores::warm(size_t core, std::span<const sim::Access> accesses) {
  if (one_) {
    one_->count(accesses);
  } else if (several_) {
    SpanSource source(accesses);
    std::vector<sim::AccessSource*> sources(static_cast<size_t>(several_->cores()), nullptr);
    sources[core] = &source;
    several_->count(sources);
  }
}

void Cores::warm_last_level(size_t core, std::span<const sim::Access> accesses) {
  if (one_) {
    one_->warm_last_level(accesses);
  } else {
    warm(core, accesses);
  }
}

double Cores::now_ns(size_t core) const {
  return several_ ? several_->now_ns(static_cast<int>(core)) : one_ ? one_->now_ns() : 0;
}

sim::Statistics Cores::statistics(size_t core) {
  return several_ ? several_->statistics(static_cast<int>(core)) : one_->statistics();
}

void Cores::reset_statistics() {
  if (several_) {
    several_->reset_statistics();
  } else if (one_) {
    one_->reset_statistics();
  }
}

void Cores::write_back_pages() {
  if (one_) {
    one_->write_back_pages();
  }
}

}  // namespace presort::predict
