// Functions shared by the tests of label sources.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "presort/core/labels/labels.h"

namespace presort::inline v0::test {

inline const std::vector<std::string>& all_kinds() {
  static const std::vector<std::string> kinds = {"uniform",
                                                 "zipf:1",
                                                 "zipf:0.5",
                                                 "zipf:1.25",
                                                 "zipf-contiguous:1",
                                                 "clustered:16",
                                                 "sequential",
                                                 "sorted",
                                                 "permutation",
                                                 "degenerate",
                                                 "rmat:0.57:0.19:0.19",
                                                 "words:1.1:2.7",
                                                 "cells:3",
                                                 "sessions:8:0.01",
                                                 "strays:0.1"};
  return kinds;
}

inline std::shared_ptr<const LabelSource> labels_of(const std::string& distribution, uint64_t n,
                                                    uint64_t m, uint64_t seed = 1) {
  return make_labels(parse_distribution("dist", distribution), n, m, seed);
}

inline std::vector<uint64_t> slice(const LabelSource& source, uint64_t first, uint64_t count) {
  std::vector<uint64_t> labels(count);
  source.generate(first, labels);
  return labels;
}

inline std::vector<uint64_t> all_of(const LabelSource& source) {
  return slice(source, 0, source.size());
}

inline std::vector<double> frequencies(const std::vector<uint64_t>& labels, uint64_t m) {
  std::vector<double> counts(m, 0);
  for (const uint64_t label : labels) {
    counts.at(label) += 1;
  }
  return counts;
}

// Chi-square of found against expected counts: Σ (found - expected)² / expected over bins merged
// until each expects at least 5, divided by its mean under the null hypothesis, the number of
// merged bins less one: near 1, and beyond 1 ± 4 √(2 / bins) only once in some ten thousand seeds.
struct ChiSquare {
  double per_degree;
  double tolerance;
  bool fits() const { return per_degree > 1 - tolerance && per_degree < 1 + tolerance; }
};

ChiSquare chi_square(const std::vector<double>& found, const std::vector<double>& expected);

}  // namespace presort::test
