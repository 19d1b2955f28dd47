#include "presort/app/validate/score/crossovers.h"

#include <doctest/doctest.h>

#include "tests/app/validate/validation_fixture.h"

namespace crossovers_test {

using namespace presort;
using namespace presort::app;

namespace {

// A problem with direct and sorted plans on both page sizes; sorted plans take 4 ns per input,
// predicted and measured.
ProblemPoints both_pages(uint64_t m, double large_predicted, double large_measured,
                         double small_predicted, double small_measured) {
  return make_problem(m, {make_point("sortBits=0,pageSize=2MiB", large_predicted, large_measured),
                          make_point("sortBits=8,pageSize=2MiB", 4, 4),
                          make_point("sortBits=0,pageSize=4KiB", small_predicted, small_measured),
                          make_point("sortBits=8,pageSize=4KiB", 4, 4)});
}

}  // namespace

TEST_CASE("each page size has a crossover of its own, predicted and measured") {
  const std::vector<ProblemPoints> all = {
      both_pages(1 << 16, 1, 1, 1, 6),
      both_pages(1 << 20, 5, 1, 1, 7),
      both_pages(1 << 24, 9, 9, 1, 8),
  };
  const std::vector<PageCrossover> found = crossovers_by_pages({&all[0], &all[1], &all[2]});
  REQUIRE(found.size() == 2);
  CHECK(found[0].pages == PageSize::k2MiB);
  CHECK(found[0].predicted == 1 << 20);
  CHECK(found[0].measured == 1 << 24);
  CHECK(*found[0].factor() == doctest::Approx(16));
  CHECK_FALSE(found[0].agrees());
  CHECK(found[1].pages == PageSize::k4KiB);
  CHECK_FALSE(found[1].predicted.has_value());
  CHECK(found[1].measured == 1 << 16);
  CHECK_FALSE(found[1].factor().has_value());
  CHECK_FALSE(found[1].agrees());
}

TEST_CASE("a page size without a pre-sort, or whose points were dropped, has none") {
  ProblemPoints item = both_pages(1 << 20, 5, 5, 5, 5);
  item.points[3].dropped = true;
  CHECK(crossovers_by_pages({&item}).size() == 1);
  item.points[0].in_grid = false;
  CHECK(crossovers_by_pages({&item}).empty());
  CHECK(crossovers_by_pages({}).empty());
}

TEST_CASE("crossovers agree up to a factor of two, and when neither exists") {
  const auto agrees = [](std::optional<uint64_t> predicted, std::optional<uint64_t> measured) {
    return Crossover{predicted, measured}.agrees();
  };
  CHECK(agrees(1024, 1024));
  CHECK(agrees(1024, 2048));
  CHECK(agrees(2048, 1024));
  CHECK_FALSE(agrees(1024, 2049));
  CHECK(agrees(std::nullopt, std::nullopt));
  CHECK_FALSE(agrees(std::nullopt, 1024));
  CHECK_FALSE(agrees(1024, std::nullopt));
}

TEST_CASE("a crossover says how many times off it was predicted") {
  CHECK(to_text({1 << 22, 1 << 20}) == "predicted m = 2^22, measured m = 2^20 (4 times off)");
  CHECK(to_text({1 << 20, 1 << 20}) == "predicted m = 2^20, measured m = 2^20");
  CHECK(to_text({std::nullopt, 1 << 20}) == "predicted none, measured m = 2^20");
  CHECK(to_text({std::nullopt, std::nullopt}) == "predicted none, measured none");
}

}  // namespace crossovers_test
