#include "app/problem_options.h"

#include <doctest/doctest.h>

#include "core/error.h"

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
