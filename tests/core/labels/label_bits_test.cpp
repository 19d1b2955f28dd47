// Labels of R-MAT graphs told from all other kinds by their bits.
#include "presort/core/choice/label_bits.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/labels/labels.h"
#include "presort/core/problem.h"

namespace label_bits_test {

using namespace presort;

namespace {

constexpr uint64_t kBuckets[] = {256,     1000,    1 << 14, (1 << 17) + 3, 1 << 20,
                                 1117587, 9000001, 1 << 27, 171957859};

std::optional<Distribution> found_in(const LabelSource& source) {
  const LabelSample sample =
      draw_sample(source.size(), source.buckets(),
                  [&](uint64_t start, std::span<uint64_t> out) { source.generate(start, out); });
  return rmat_of(sample, traits_of(sample));
}

std::optional<Distribution> found_in(const std::vector<uint64_t>& labels, uint64_t m) {
  const LabelSample sample = draw_sample(std::span<const uint64_t>(labels), m);
  return rmat_of(sample, traits_of(sample));
}

}  // namespace

TEST_CASE("labels of R-MAT graphs are found, and how often a bit is 0") {
  for (const char* kind : {"rmat:0.57:0.19:0.19", "rmat:0.6:0.1:0.1", "rmat:0.5:0.15:0.3"}) {
    const Distribution graph = parse_distribution("labels", kind);
    const double zero = graph.parameter + graph.more[1];
    for (const uint64_t m : kBuckets) {
      for (const uint64_t seed : {1, 2, 3, 4, 5}) {
        CAPTURE(kind);
        CAPTURE(m);
        const auto found = found_in(*make_labels(graph, uint64_t{1} << 25, m, seed));
        REQUIRE(found);
        CHECK(found->kind == DistributionKind::rmat);
        // Where m is no power of two, labels beyond it are drawn again, which have more ones.
        CHECK(std::abs(found->parameter + found->more[1] - zero) < 0.035);
        CHECK_NOTHROW(check_distribution("found", *found));
      }
    }
  }
}

TEST_CASE("labels beyond m may be wrapped around instead of drawn again") {
  const Distribution graph = parse_distribution("labels", "rmat:0.57:0.19:0.19");
  for (const uint64_t m : {uint64_t{1000}, uint64_t{3} << 22, uint64_t{171957859}}) {
    const uint64_t whole = uint64_t{1} << label_bits(m);
    std::vector<uint64_t> labels(1 << 20);
    make_labels(graph, labels.size(), whole, 1)->generate(0, labels);
    for (uint64_t& label : labels) {
      label %= m;
    }
    CAPTURE(m);
    CHECK(found_in(labels, m));
  }
}

TEST_CASE("other labels are not taken for an R-MAT graph's") {
  for (const char* kind :
       {"uniform", "zipf:0.5", "zipf:0.75", "zipf:1", "zipf:1.25", "zipf:2", "zipf-contiguous:0.75",
        "zipf-contiguous:1", "zipf-contiguous:1.25", "words:1.1:2.7", "permutation", "degenerate",
        "sequential", "sorted", "clustered:16", "rmat:0.25:0.25:0.25"}) {
    for (const uint64_t m : kBuckets) {
      for (const uint64_t seed : {1, 2, 3, 4, 5}) {
        CAPTURE(kind);
        CAPTURE(m);
        CHECK_FALSE(
            found_in(*make_labels(parse_distribution("labels", kind), uint64_t{1} << 25, m, seed)));
      }
    }
  }
}

TEST_CASE("a frequent label 0 among even ones has skewed bits but is no graph") {
  for (const uint64_t m : {uint64_t{1} << 14, uint64_t{1} << 27}) {
    std::vector<uint64_t> labels(1 << 20);
    for (size_t i = 0; i < labels.size(); ++i) {
      labels[i] = random_u64(3, i) % 2 == 0 ? 0 : random_u64(4, i) % m;
    }
    CHECK_FALSE(found_in(labels, m));
  }
}

TEST_CASE("too few labels or bits tell nothing") {
  const Distribution graph = parse_distribution("labels", "rmat:0.57:0.19:0.19");
  for (const uint64_t n : {uint64_t{1}, uint64_t{100}, uint64_t{kSampledLabels - 1}}) {
    CHECK_FALSE(found_in(*make_labels(graph, n, 1 << 20, 1)));
  }
  CHECK(found_in(*make_labels(graph, kSampledLabels, 1 << 20, 1)));
  CHECK_FALSE(found_in(*make_labels(graph, 1 << 20, uint64_t{1} << (kFewestRmatBits - 1), 1)));
  CHECK(found_in(*make_labels(graph, 1 << 20, uint64_t{1} << kFewestRmatBits, 1)));
  CHECK_FALSE(found_in(std::vector<uint64_t>{}, 1 << 20));
  CHECK_FALSE(found_in(std::vector<uint64_t>(5000, 7), 0));
}

}  // namespace label_bits_test
