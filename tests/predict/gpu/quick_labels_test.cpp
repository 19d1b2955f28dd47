// Labels of another draw (predict/gpu/labels/quick_labels.h), beside those of the problem.
#include "presort/predict/gpu/labels/quick_labels.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace presort::inline v0::predict::quick_labels_test {
namespace {

std::vector<double> counts(const LabelSource& labels) {
  std::vector<uint64_t> each(labels.size());
  labels.generate(0, each);
  std::vector<double> count(labels.buckets());
  for (const uint64_t label : each) {
    REQUIRE(label < labels.buckets());
    ++count[label];
  }
  return count;
}

Problem problem_of(const char* distribution, uint64_t n, uint64_t m) {
  Problem problem;
  problem.n = n;
  problem.m = m;
  problem.seed = 11;
  problem.distribution = parse_distribution("dist", distribution);
  return problem;
}

}  // namespace

TEST_CASE("each label is as frequent as among the problem's own") {
  for (const char* const distribution : {"zipf:0.75", "zipf:1.25", "words:1.1:2.7"}) {
    for (const uint64_t m : {1, 2, 31, 1000}) {
      CAPTURE(distribution);
      CAPTURE(m);
      const Problem problem = problem_of(distribution, 1 << 18, m);
      const auto labels = make_labels(problem.distribution, problem.n, m, problem.seed);
      const auto quick = quick_labels(problem, labels);
      REQUIRE(quick != labels);
      CHECK(quick->size() == problem.n);
      const std::vector<double> own = counts(*labels);
      const std::vector<double> other = counts(*quick);
      for (uint64_t label = 0; label < m; ++label) {
        // Two draws: five standard deviations of their difference
        CHECK(std::abs(own[label] - other[label]) <= 5 * std::sqrt(own[label] + other[label] + 1));
      }
    }
  }
}

TEST_CASE("labels of an order, and those that are quick themselves, are the problem's own") {
  for (const char* const distribution : {"uniform", "sorted", "clustered:16", "degenerate"}) {
    const Problem problem = problem_of(distribution, 1000, 100);
    const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
    CHECK(quick_labels(problem, labels) == labels);
  }
}

}  // namespace presort::predict::quick_labels_test
