// Every kind of labels that the project makes, drawn and recognised.
#include "presort/core/choice/label_class.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "presort/core/labels/labels.h"

namespace label_class_test {

using namespace presort;

namespace {

std::vector<uint64_t> labels_of(const std::string& kind, uint64_t n, uint64_t m, uint64_t seed) {
  std::vector<uint64_t> labels(n);
  make_labels(parse_distribution("labels", kind), n, m, seed)->generate(0, labels);
  return labels;
}

Distribution class_of(const std::vector<uint64_t>& labels, uint64_t m) {
  return nearest_distribution(traits_of(draw_sample(std::span<const uint64_t>(labels), m)));
}

Distribution class_of(const LabelSource& source) {
  const auto read = [&](uint64_t start, std::span<uint64_t> out) { source.generate(start, out); };
  return nearest_distribution(traits_of(draw_sample(source.size(), source.buckets(), read)));
}

constexpr uint64_t kInputs[] = {1 << 14, (1 << 20) + 12345, 1 << 26, uint64_t{1} << 33};
constexpr uint64_t kBuckets[] = {16, 1000, 1 << 14, (1 << 17) + 3, 1 << 20, 1 << 24};

// Calls check(found, n, m) for all sizes and some seeds; `found` is the class of labels that was
// recognised.
template <class Check>
void for_all_sizes(const std::string& kind, Check check) {
  for (const uint64_t n : kInputs) {
    for (const uint64_t m : kBuckets) {
      for (const uint64_t seed : {1, 2, 3}) {
        const Distribution found =
            class_of(*make_labels(parse_distribution("labels", kind), n, m, seed));
        CAPTURE(kind);
        CAPTURE(n);
        CAPTURE(m);
        CAPTURE(seed);
        CAPTURE(to_string(found));
        check(found, n, m);
      }
    }
  }
}

}  // namespace

TEST_CASE("uniform labels are recognised") {
  for_all_sizes("uniform", [](const Distribution& found, uint64_t, uint64_t) {
    CHECK(to_string(found) == "uniform");
  });
}

TEST_CASE("degenerate labels are recognised") {
  for_all_sizes("degenerate", [](const Distribution& found, uint64_t, uint64_t) {
    CHECK(to_string(found) == "degenerate");
  });
}

TEST_CASE("sequential labels are recognised") {
  for_all_sizes("sequential", [](const Distribution& found, uint64_t, uint64_t) {
    CHECK(to_string(found) == "sequential");
  });
}

TEST_CASE("sorted labels are recognised, unless they are where sequential ones would be") {
  for_all_sizes("sorted", [](const Distribution& found, uint64_t n, uint64_t m) {
    // The median of n uniform labels below m has a standard deviation of m / √n / 2.
    if (static_cast<double>(m) / std::sqrt(n) > 8) {
      CHECK(to_string(found) == "sorted");
    } else {
      CHECK((found.kind == DistributionKind::sorted || found.kind == DistributionKind::sequential));
    }
  });
}

TEST_CASE("descending labels are sorted") {
  std::vector<uint64_t> labels = labels_of("sorted", 1 << 20, 1 << 18, 1);
  std::ranges::reverse(labels);
  CHECK(to_string(class_of(labels, 1 << 18)) == "sorted");
}

TEST_CASE("the exponent of zipf labels is found, where it can be told from uniform ones") {
  for (const double exponent : {0.5, 0.75, 1.0, 1.25, 1.5}) {
    const std::string kind = to_string(Distribution{DistributionKind::zipf, exponent, ""});
    for_all_sizes(kind, [&](const Distribution& found, uint64_t, uint64_t m) {
      if (exponent == 0.5 && m >= 1 << 19) {
        CHECK((to_string(found) == "uniform" || found.kind == DistributionKind::zipf));
      } else {
        CHECK(found.kind == DistributionKind::zipf);
        CHECK(std::abs(found.parameter - exponent) < 0.15);
      }
    });
  }
}

TEST_CASE("frequent labels that stand together are recognised") {
  for (const char* kind : {"zipf-contiguous:1", "zipf-contiguous:1.25"}) {
    for_all_sizes(kind, [&](const Distribution& found, uint64_t, uint64_t m) {
      if (m >= 1 << 14) {
        CHECK(found.kind == DistributionKind::zipfContiguous);
      }
      CHECK(std::abs(found.parameter - parse_distribution("", kind).parameter) < 0.15);
    });
  }
}

TEST_CASE("the length of clustered labels' runs is found, of more than a few windows") {
  for (const double length : {3.0, 4.0, 16.0, 64.0, 256.0}) {
    const std::string kind = to_string(Distribution{DistributionKind::clustered, length, ""});
    for_all_sizes(kind, [&](const Distribution& found, uint64_t n, uint64_t m) {
      if (m > 64 && static_cast<double>(n) > 1000 * length) {
        CHECK(found.kind == DistributionKind::clustered);
        // Expected number of runs of equal labels that end within the sample.
        const double ends = static_cast<double>(kSampledLabels - kSampledRuns) / length;
        CHECK(std::abs(length / found.parameter - 1) < 0.2 + 3 / std::sqrt(ends));
      }
    });
  }
}

TEST_CASE("a permutation is recognised by what does not repeat, if that is seldom by chance") {
  for_all_sizes("permutation", [](const Distribution& found, uint64_t n, uint64_t m) {
    const double expected = kSampledLabels / 2. * kSampledLabels / static_cast<double>(m);
    CHECK(to_string(found) == (n <= m && expected > 9 ? "permutation" : "uniform"));
  });
  CHECK(to_string(class_of(labels_of("permutation", 1 << 17, 1 << 17, 1), 1 << 17)) ==
        "permutation");
}

TEST_CASE("particles that have moved are recognised, and how far, unless the grid is small") {
  for (const double moves : {1.0, 2.0, 3.0, 5.0}) {
    for_all_sizes("cells:" + std::to_string(static_cast<int>(moves)),
                  [&](const Distribution& found, uint64_t, uint64_t m) {
                    // Mean number of planes that a particle has moved, of as many planes as the grid has
                    const double off = moves * (moves + 1) / (2 * moves + 1) / std::cbrt(m);
                    if (off < 0.05) {
                      CHECK(found.kind == DistributionKind::cells);
                      CHECK(std::abs(found.parameter - moves) <= std::max(1.0, moves / 4));
                    } else if (off > 0.08) {
                      CHECK(found.kind != DistributionKind::cells);
                    }
                  });
  }
}

TEST_CASE("one missing key among even ones is not a skew, until it is nearly all") {
  std::vector<uint64_t> labels = labels_of("uniform", 1 << 20, 1 << 22, 1);
  for (size_t i = 0; i < labels.size(); i += 2) {
    labels[i] = 0;
  }
  CHECK(to_string(class_of(labels, 1 << 22)) == "uniform");
  for (size_t i = 0; i < labels.size(); ++i) {
    labels[i] = i % 8 == 0 ? labels[i] : 0;
  }
  CHECK(to_string(class_of(labels, 1 << 22)) == "degenerate");
}

TEST_CASE("sorted batches jump like random labels, but for those of few buckets") {
  std::vector<uint64_t> labels = labels_of("uniform", 1 << 20, 1 << 22, 1);
  for (size_t first = 0; first < labels.size(); first += 1024) {
    std::sort(labels.begin() + static_cast<long>(first),
              labels.begin() + static_cast<long>(first + 1024));
  }
  CHECK(to_string(class_of(labels, 1 << 22)) == "uniform");
  CHECK(class_of(labels, 1 << 14).kind != DistributionKind::sorted);
}

TEST_CASE("labels by turns are long runs of neighbours") {
  std::vector<uint64_t> labels(1 << 20);
  for (size_t i = 0; i < labels.size(); ++i) {
    labels[i] = i % 5000;
  }
  const Distribution found = class_of(labels, 5000);
  CHECK(found.kind == DistributionKind::clustered);
  CHECK(found.parameter == doctest::Approx(64).epsilon(0.3));
}

TEST_CASE("a few labels are of some kind, none and one uniform") {
  for (const uint64_t m : {1, 2, 3, 100, 1 << 20}) {
    CHECK(to_string(class_of({}, m)) == "uniform");
    CHECK(to_string(class_of({0}, m)) == "uniform");
    for (const char* kind : {"uniform", "zipf:1", "clustered:16", "sequential", "sorted",
                             "permutation", "degenerate"}) {
      for (uint64_t n = 2; n < 70; ++n) {
        const Distribution found = class_of(labels_of(kind, n, m, n), m);
        CHECK_NOTHROW(check_distribution("found", found));
      }
    }
  }
  CHECK(to_string(class_of({7, 7}, 100)) == "degenerate");
  CHECK(to_string(class_of({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 10)) == "sequential");
}

TEST_CASE("labels that are not below m, and no buckets at all, are looked at like others") {
  std::vector<uint64_t> labels = labels_of("uniform", 5000, 1 << 20, 1);
  for (const uint64_t m : {0, 1, 2, 100}) {
    CHECK_NOTHROW(check_distribution("found", class_of(labels, m)));
  }
  std::ranges::fill(labels, ~uint64_t{0});
  CHECK(to_string(class_of(labels, 1)) == "degenerate");
}

TEST_CASE("a sample is one run of neighbours from each part, and a short sequence whole") {
  for (const size_t n :
       {size_t{0}, size_t{1}, size_t{15}, size_t{16}, size_t{17}, kSampledLabels - 1,
        kSampledLabels, kSampledLabels + 1, kSampledLabels + kSampledRuns, size_t{100000}}) {
    std::vector<uint32_t> labels(n);
    for (size_t i = 0; i < n; ++i) {
      labels[i] = static_cast<uint32_t>(i);
    }
    const LabelSample sample = draw_sample(std::span<const uint32_t>(labels), n);
    CHECK(sample.count == std::min(n, kSampledLabels));
    const std::set<uint64_t> distinct(sample.drawn().begin(), sample.drawn().end());
    CHECK(distinct.size() == sample.count);
    for (size_t i = 0; i < sample.count; ++i) {
      CHECK(sample.labels[i] == sample.starts[i / kRunLength] + i % kRunLength);
    }
    if (n > kSampledLabels) {
      for (size_t run = 0; run < kSampledRuns; ++run) {
        CHECK(sample.starts[run] / (n / kSampledRuns) == run);
        CHECK(sample.starts[run] + kRunLength <= (run + 1) * (n / kSampledRuns));
      }
    }
  }
}

}  // namespace label_class_test
