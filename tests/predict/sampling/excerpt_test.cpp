#include "presort/predict/sampling/excerpt.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "presort/predict/sampling/excerpt_labels.h"

namespace presort::inline v0::predict::excerpt_test {
namespace {

TEST_CASE("the last piece begins where the fetches of streams enter a page") {
  Excerpt excerpt;
  excerpt.restart(512, {64, 128, 256});
  const auto bounds = excerpt.bounds(1 << 20);
  CHECK(bounds[1] - bounds[0] == 64);
  CHECK(bounds[2] - bounds[1] == 128);
  CHECK(bounds[3] - bounds[2] == 256);
  CHECK((bounds[2] + 512) % 1024 == 0);
}

TEST_CASE("there are as many pieces as were asked for") {
  Excerpt excerpt;
  excerpt.restart(512, {64, 32, 192, 384, 256});
  const auto bounds = excerpt.bounds(1 << 20);
  REQUIRE(bounds.size() == 6);
  CHECK(bounds[2] - bounds[1] == 32);
  CHECK(bounds[5] - bounds[4] == 256);
  CHECK((bounds[4] + 512) % 1024 == 0);
}

TEST_CASE("few inputs are all in the pieces, in order") {
  Excerpt excerpt;
  excerpt.restart(0, {64, 32, 128, 256});
  for (uint64_t n = 0; n < 1500; ++n) {
    const auto bounds = excerpt.bounds(n);
    for (size_t i = 0; i + 1 < bounds.size(); ++i) {
      REQUIRE(bounds[i] <= bounds[i + 1]);
    }
    REQUIRE(bounds.back() <= n);
    REQUIRE((n == 0 || bounds.back() > bounds.front()));
  }
}

TEST_CASE("labels of a part are folded into its range, as many as belong there") {
  const auto labels = make_labels({}, 1 << 20, 1 << 16, 1);
  const auto excerpt = make_excerpt_labels(labels, {});
  CHECK(excerpt->size() == labels->size());
  const auto part = excerpt->restricted(1 << 12, 2 << 12);
  CHECK(part->size() == (1 << 16));
  std::vector<uint64_t> drawn(1000);
  part->generate(12345, drawn);
  for (const uint64_t label : drawn) {
    CHECK(label >= (1 << 12));
    CHECK(label < (2 << 12));
  }
}

// Compares the labels of a real part of a scattered zipf sequence, sampled, with the excerpt that
// stands for the part.
TEST_CASE("parts of zipf labels have one of the most popular ones, and their share of the others") {
  const uint64_t m = uint64_t{1} << 16;
  const uint64_t parts = 64;
  const uint64_t n = uint64_t{1} << 20;
  const Distribution distribution = parse_distribution("", "zipf:1.25");
  const auto labels = make_labels(distribution, n, m, 1);
  const auto excerpt = make_excerpt_labels(labels, distribution);
  std::vector<uint64_t> all(n);
  labels->generate(0, all);
  std::vector<std::vector<uint64_t>> of_part(parts);
  for (const uint64_t label : all) {
    of_part[label / (m / parts)].push_back(label);
  }
  // The share of the first 1000 labels that repeat an earlier label.
  const auto repeated = [](const std::vector<uint64_t>& some) {
    std::vector<uint64_t> sorted(
        some.begin(), some.begin() + std::min<ptrdiff_t>(1000, some.end() - some.begin()));
    std::sort(sorted.begin(), sorted.end());
    const auto different = std::unique(sorted.begin(), sorted.end()) - sorted.begin();
    return 1 - static_cast<double>(different) / static_cast<double>(sorted.size());
  };
  double mean = 0;  // mean over all inputs: large parts weigh more
  for (const auto& part : of_part) {
    mean += repeated(part) * static_cast<double>(part.size()) / static_cast<double>(n);
  }
  std::vector<uint64_t> drawn(1000);
  const auto part = excerpt->restricted(m / parts, 2 * m / parts);
  part->generate(777, drawn);
  CHECK(std::all_of(drawn.begin(), drawn.end(),
                    [&](uint64_t label) { return label >= m / parts && label < 2 * m / parts; }));
  CHECK(repeated(drawn) == doctest::Approx(mean).epsilon(0.05));
  const auto folded = make_excerpt_labels(labels, {})->restricted(m / parts, 2 * m / parts);
  folded->generate(777, drawn);
  CHECK(std::abs(repeated(drawn) - mean) > 0.05);
}

// Compares excerpts with real parts: in an excerpt, runs of equal labels are as long as in the
// median input's part, or longer.
TEST_CASE("a part of zipf labels has the first label of the part of the median input") {
  const uint64_t m = uint64_t{1} << 16;
  const uint64_t n = uint64_t{1} << 20;
  for (const char* text : {"zipf:0.9", "zipf:1.25", "zipf:1.5"}) {
    for (const uint64_t parts : {16, 256}) {
      const Distribution distribution = parse_distribution("", text);
      const auto labels = make_labels(distribution, n, m, 1);
      std::vector<uint64_t> all(n);
      labels->generate(0, all);
      std::vector<double> counts(m, 0);
      for (const uint64_t label : all) {
        ++counts[label];
      }
      // For each part: share of its most frequent label, and its number of inputs.
      std::vector<std::pair<double, double>> share_and_size;
      for (uint64_t first = 0; first < m; first += m / parts) {
        const auto begin = counts.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = begin + static_cast<std::ptrdiff_t>(m / parts);
        const double size = std::accumulate(begin, end, 0.0);
        share_and_size.emplace_back(*std::max_element(begin, end) / size, size);
      }
      std::sort(share_and_size.rbegin(), share_and_size.rend());
      double inputs = 0;
      double share = 0;
      for (auto part = share_and_size.begin(); inputs < static_cast<double>(n) / 2; ++part) {
        inputs += part->second;
        share = part->first;
      }
      std::vector<uint64_t> drawn(20000);
      make_excerpt_labels(labels, distribution)->restricted(0, m / parts)->generate(0, drawn);
      std::map<uint64_t, double> of_drawn;
      double most = 0;
      for (const uint64_t label : drawn) {
        most = std::max(most, ++of_drawn[label]);
      }
      CAPTURE(text);
      CAPTURE(parts);
      CHECK(most / 20000 == doctest::Approx(share).epsilon(0.1));
    }
  }
}

TEST_CASE("whole labels are those of the source") {
  const auto labels = make_labels({}, 5000, 1 << 16, 1);
  const auto excerpt = make_excerpt_labels(labels, {});
  std::vector<uint64_t> drawn(1);
  std::vector<uint64_t> all(5000);
  labels->generate(0, all);
  for (uint64_t i = 0; i < 5000; i += 7) {
    excerpt->generate(i, drawn);
    CHECK(std::find(all.begin(), all.end(), drawn[0]) != all.end());
  }
}

}  // namespace
}  // namespace presort::predict::excerpt_test
