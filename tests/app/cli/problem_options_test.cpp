#include "presort/app/cli/problem_options.h"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "presort/core/error.h"

namespace problem_options_test {

using namespace presort;
using namespace presort::app;

using Counts = std::vector<uint64_t>;

TEST_CASE("a range of bucket counts goes by factor 4 and keeps both ends") {
  CHECK(parse_bucket_counts({"2^10..2^14"}) == Counts{1024, 4096, 16384});
  CHECK(parse_bucket_counts({"1..10"}) == Counts{1, 4, 10});
  CHECK(parse_bucket_counts({"5..5"}) == Counts{5});
}

TEST_CASE("lists and ranges mix") {
  CHECK(parse_bucket_counts({"100", "1e3", "4..16"}) == Counts{100, 1000, 4, 16});
}

TEST_CASE("a range that ends before it starts, or starts at 0, is refused") {
  CHECK_THROWS_AS(parse_bucket_counts({"16..4"}), InputError);
  CHECK_THROWS_AS(parse_bucket_counts({"0..4"}), InputError);
  CHECK_THROWS_AS(parse_bucket_counts({"4..x"}), InputError);
}

TEST_CASE("labels of a file are read once for problems of any size, and equal sizes share them") {
  const std::string path = "problem_options_test.txt";
  std::ofstream(path) << "3\n0\n6\n";
  const LabelFile file(path);
  CHECK(file.n() == 3);
  CHECK(file.m() == 7);
  std::ofstream(path) << "1\n";  // a file that is changed after reading is not read again
  Problem problem;
  problem.distribution = parse_distribution("", "file:" + path);
  problem.n = 5;
  problem.m = 9;
  const auto labels = file.labels_of(problem);
  CHECK(labels->size() == 5);
  CHECK(labels->buckets() == 9);
  std::array<uint64_t, 5> found{};
  labels->generate(0, found);
  CHECK(found == std::array<uint64_t, 5>{3, 0, 6, 3, 0});
  CHECK(file.labels_of(problem) == labels);
  problem.m = 10;
  CHECK(file.labels_of(problem) != labels);
  std::filesystem::remove(path);
}

TEST_CASE("labels beyond a problem's buckets are refused with the place where they stand") {
  const std::string path = "problem_options_bad.txt";
  std::ofstream(path) << "3\n0\n6\n";
  const LabelFile file(path);
  Problem problem;
  problem.n = 3;
  problem.m = 6;
  CHECK_THROWS_WITH_AS(file.labels_of(problem),
                       "problem_options_bad.txt:3: label 6 at index 2 is not below the number of "
                       "buckets, 6",
                       InputError);
  std::filesystem::remove(path);
}

}  // namespace problem_options_test
