// Runs records on several simulated cores.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "presort/sim/multi_core.h"
#include "tests/sim/pipeline/core_rig.h"

namespace presort::inline v0::test {

// A source that gives its records in batches of a few records.
class RecordSource final : public sim::AccessSource {
 public:
  explicit RecordSource(Records records, size_t batch = 7)
      : records_(std::move(records)), batch_(batch) {}

  std::span<const sim::Access> next() override {
    const size_t count = std::min(batch_, records_.size() - at_);
    at_ += count;
    return {records_.data() + at_ - count, count};
  }

 private:
  Records records_;
  size_t batch_;
  size_t at_ = 0;
};

inline void run_timed(sim::MultiCore& machine, const std::vector<Records>& per_core) {
  std::vector<std::unique_ptr<RecordSource>> sources;
  std::vector<sim::AccessSource*> pointers;
  for (const Records& records : per_core) {
    sources.push_back(std::make_unique<RecordSource>(records));
    pointers.push_back(sources.back().get());
  }
  machine.run(pointers);
}

inline void run_counted(sim::MultiCore& machine, const std::vector<Records>& per_core) {
  std::vector<std::unique_ptr<RecordSource>> sources;
  std::vector<sim::AccessSource*> pointers;
  for (const Records& records : per_core) {
    sources.push_back(std::make_unique<RecordSource>(records));
    pointers.push_back(sources.back().get());
  }
  machine.count(pointers);
}

}  // namespace presort::test
