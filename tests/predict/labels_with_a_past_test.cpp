// Labels that depend on earlier labels (LabelSource::reach): compares a sample of the inputs with a
// simulation of all.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/predict/predictor.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::predict::labels_with_a_past_test {
namespace {

// A machine whose last cache level holds the buckets that a few planes of the grid touch, but not
// all buckets.
Machine machine() {
  Machine machine = test::small_machine();
  machine.caches.back() = test::small_level("L3", 1024, 8, 40, 32);
  return machine;
}

// The labels of another source, but without telling how far back they depend on earlier labels.
class Forgetful final : public LabelSource {
 public:
  explicit Forgetful(std::shared_ptr<const LabelSource> labels) : labels_(std::move(labels)) {}
  uint64_t size() const override { return labels_->size(); }
  uint64_t buckets() const override { return labels_->buckets(); }
  void generate(uint64_t first, std::span<uint64_t> out) const override {
    labels_->generate(first, out);
  }
  std::shared_ptr<const LabelSource> restricted(uint64_t low, uint64_t high) const override {
    return labels_->restricted(low, high);
  }

 private:
  std::shared_ptr<const LabelSource> labels_;
};

enum class Labels { byFormula, stored, forgetful };

double predict_ns(const Problem& problem, const CpuPlan& plan,
                  const std::shared_ptr<const LabelSource>& labels,
                  const SimulationOptions& options) {
  return Predictor(machine(), options).predict(problem, plan, labels).ns_per_input;
}

// Relative difference between the time of a sample, in slices far apart, and the time of all
// inputs.
double error_of_sample(const std::string& distribution, const char* plan, Labels as) {
  Problem problem;
  problem.n = (1 << 19) + 321;
  problem.m = 1 << 19;
  problem.distribution = parse_distribution("dist", distribution);
  auto labels = make_labels(problem.distribution, problem.n, problem.m, 99);
  if (as == Labels::stored) {
    std::vector<uint64_t> all(problem.n);
    labels->generate(0, all);
    labels = make_stored_labels(std::move(all), problem.n, problem.m);
  }
  if (as == Labels::forgetful) {
    labels = std::make_shared<Forgetful>(std::move(labels));
  }
  const CpuPlan parsed = parse_cpu_plan(plan);
  const double full = predict_ns(problem, parsed, labels, {.full = true});
  const double sampled = predict_ns(problem, parsed, labels,
                                    {.ci95_relative = 0.01, .replayed_inputs = uint64_t{1} << 17});
  return sampled / full - 1;
}

TEST_CASE("a sample of particles, sessions and strays is as fast as all of them") {
  for (const char* kind :
       {"cells:1", "cells:3", "sessions:4:0.01", "sessions:2:0.1", "strays:0.1"}) {
    for (const char* plan : {"sortBits=0", "sortBits=6"}) {
      CAPTURE(kind);
      CAPTURE(plan);
      const double error = error_of_sample(kind, plan, Labels::byFormula);
      CAPTURE(error);
      CHECK(std::abs(error) < 0.10);
    }
  }
}

TEST_CASE("stored labels with a past are found to have it") {
  for (const char* kind : {"cells:3", "sessions:4:0.01"}) {
    CAPTURE(kind);
    CHECK(std::abs(error_of_sample(kind, "sortBits=0", Labels::stored)) < 0.10);
  }
}

TEST_CASE("particles warmed as independent labels are come out too slow") {
  CHECK(error_of_sample("cells:3", "sortBits=0", Labels::forgetful) > 0.10);
}

}  // namespace
}  // namespace presort::predict::labels_with_a_past_test
