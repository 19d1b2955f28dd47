#include "predict/excerpt.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "predict/excerpt_labels.h"

namespace presort::predict {
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

TEST_CASE("few inputs are all in the pieces, in order") {
  Excerpt excerpt;
  excerpt.restart(0, {64, 128, 256});
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
  const auto excerpt = make_excerpt_labels(*labels);
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

TEST_CASE("whole labels are those of the source") {
  const auto labels = make_labels({}, 5000, 1 << 16, 1);
  const auto excerpt = make_excerpt_labels(*labels);
  std::vector<uint64_t> drawn(1);
  std::vector<uint64_t> all(5000);
  labels->generate(0, all);
  for (uint64_t i = 0; i < 5000; i += 7) {
    excerpt->generate(i, drawn);
    CHECK(std::find(all.begin(), all.end(), drawn[0]) != all.end());
  }
}

}  // namespace
}  // namespace presort::predict
