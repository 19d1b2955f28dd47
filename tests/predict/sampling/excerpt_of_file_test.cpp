#include "presort/predict/sampling/excerpt_of_file.h"

#include <doctest/doctest.h>

#include <vector>

namespace presort::inline v0::predict::excerpt_of_file_test {
namespace {

TEST_CASE("the labels of a part are those of the file from the place on, and then from its start") {
  const std::vector<uint64_t> all = {4, 1, 7, 5, 0, 6, 4, 2};
  const auto file = make_stored_labels(all, all.size(), 8);
  const auto part = make_part_of_file(file, 4, 8, 3);
  CHECK(part->size() == 5);
  CHECK(part->buckets() == 8);
  std::vector<uint64_t> drawn(7);
  part->generate(0, drawn);
  CHECK(drawn == std::vector<uint64_t>{5, 6, 4, 4, 7, 5, 6});
  part->generate(4, std::span(drawn).first(2));
  CHECK(drawn[0] == 7);
  CHECK(drawn[1] == 5);
}

TEST_CASE("an excerpt has the labels of the file, and parts from its middle on") {
  const std::vector<uint64_t> all = {4, 1, 7, 5, 0, 6, 4, 2};
  const auto excerpt = make_excerpt_of_file(make_stored_labels(all, all.size(), 8));
  std::vector<uint64_t> drawn(8);
  excerpt->generate(0, drawn);
  CHECK(drawn == all);
  const auto part = excerpt->restricted(0, 2);
  CHECK(part->size() == 2);
  part->generate(0, std::span(drawn).first(2));
  CHECK(drawn[0] == 0);
  CHECK(drawn[1] == 1);
}

TEST_CASE("the size of a part of a long file follows from what was seen of it") {
  const uint64_t n = uint64_t{1} << 22;
  const auto file = make_labels({}, n, 1 << 10, 1);
  uint64_t label = 0;
  file->generate(n / 2, std::span(&label, 1));
  const uint64_t low = label >> 6 << 6;
  const auto part = make_part_of_file(file, low, low + 64, n / 2);
  CHECK(static_cast<double>(part->size()) ==
        doctest::Approx(static_cast<double>(n) / 16).epsilon(0.15));
}

}  // namespace
}  // namespace presort::predict::excerpt_of_file_test
