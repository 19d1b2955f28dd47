#include "presort/app/whatif/crossover_map.h"

#include <doctest/doctest.h>

#include "presort/app/plot/gnuplot.h"

namespace crossover_map_test {

using namespace presort::app;

namespace {

CrossoverMap example() {
  return {.title = "multireduce n=2^24 uniform u32+u32 on a_machine",
          .swept = "cpu.caches.L2.size",
          .buckets = {1 << 20, 3 << 20, 1 << 24},
          .columns = {{"1MiB", {0.5, 1.1, 12.34}, uint64_t{3} << 20},
                      {"2MiB", {0.5, 0, 1.02}, std::nullopt}}};
}

}  // namespace

TEST_CASE("a row for each value, with its crossover and the ratio for each m") {
  CHECK(crossover_table(example()) ==
        "cpu.caches.L2.size  crossover  2^20  3145728  2^24\n"
        "1MiB                  3145728  0.50     1.10  12.3\n"
        "2MiB                     none  0.50        -  1.02\n");
}

TEST_CASE("the picture has every ratio, tic and label, markup or not") {
  if (!gnuplot_available()) {
    MESSAGE("skipped: gnuplot is not installed");
    return;
  }
  const std::string svg = draw_crossover_map(example());
  for (const char* text : {"cpu.caches.L2.size", "1MiB", "2MiB", "3145728", "12.3", "1.02",
                           "a_machine", "3 x faster", "3 x slower"}) {
    CHECK_MESSAGE(svg.find(text) != std::string::npos, text);
  }
  CrossoverMap one = example();  // a map of one machine without a finished problem
  one.columns = {{"odd_name^2 'quoted'", {0, 0, 0}, std::nullopt}};
  CHECK(draw_crossover_map(one).find("odd_name^2") != std::string::npos);
}

}  // namespace crossover_map_test
