// Tests how several devices share rows and groups: by limits in which one cost decides alone.
#include "presort/gpu/plan/devices/shared_schemes.h"

#include <doctest/doctest.h>

#include <random>

#include "presort/gpu/plan/bundled_gpus.h"

namespace presort::inline v0::gpu::shared_schemes_test {
namespace {

constexpr DeviceLink kSlow = {.bandwidth = 1e6, .latency_ns = 0};

uint64_t power(std::mt19937_64& random, int least, int most) {
  return uint64_t{1} << std::uniform_int_distribution(least, most)(random);
}

}  // namespace

TEST_CASE("rows over a slow link: the scheme that moves fewer bytes is chosen, at their time") {
  const Gpu& gpu = bundled_gpus().front();
  std::mt19937_64 random(5);
  for (int i = 0; i < 200; ++i) {
    const SharedRows rows = {.n = power(random, 10, 22),
                             .m = power(random, 10, 22),
                             .row_bytes = power(random, 2, 10),
                             .sum_bytes = power(random, 2, 10),
                             .devices = 1 << std::uniform_int_distribution(1, 3)(random)};
    const double others = (rows.devices - 1.0) / rows.devices;
    const double of_tables = others * 1e3 * static_cast<double>(rows.m * rows.sum_bytes);
    const double of_inputs = others * 1e3 * static_cast<double>(rows.n * rows.row_bytes);
    CHECK(row_scheme_ns(gpu, kSlow, rows, DeviceScheme::tables) ==
          doctest::Approx(of_tables).epsilon(0.03));
    CHECK(row_scheme_ns(gpu, kSlow, rows, DeviceScheme::inputs) ==
          doctest::Approx(of_inputs).epsilon(0.03));
    if (of_tables > 1.1 * of_inputs || of_inputs > 1.1 * of_tables) {
      CHECK(choose_row_scheme(gpu, kSlow, rows) ==
            (of_tables < of_inputs ? DeviceScheme::tables : DeviceScheme::inputs));
    }
  }
}

TEST_CASE("one device alone sends no rows, so tables are at most as fast as rows fetched at once") {
  const Gpu& gpu = bundled_gpus().front();
  const SharedRows rows = {
      .n = 1 << 20, .m = 1 << 20, .row_bytes = 256, .sum_bytes = 256, .devices = 1};
  constexpr DeviceLink kNone = {.bandwidth = 1, .latency_ns = 0};
  const double most = 20.0 * (1 << 20) * 256 / gpu.copy_bandwidth * 1e9;
  CHECK(row_scheme_ns(gpu, kNone, rows, DeviceScheme::tables) < most);
  CHECK(row_scheme_ns(gpu, kNone, rows, DeviceScheme::inputs) < most);
}

TEST_CASE("groups: few are summed where their inputs are, as many as inputs by their owners") {
  const Gpu& gpu = bundled_gpus().front();
  constexpr DeviceLink kLink = {.bandwidth = 336e9, .latency_ns = 7080};
  for (const uint64_t n : {uint64_t{1} << 20, uint64_t{1} << 28}) {
    SharedGroups groups = {.n = n, .groups = 1000, .bytes = 8, .devices = 2};
    CHECK(choose_group_scheme(gpu, kLink, groups) == DeviceScheme::tables);
    groups.groups = static_cast<double>(n);
    CHECK(choose_group_scheme(gpu, kLink, groups) == DeviceScheme::inputs);
  }
}

}  // namespace presort::gpu::shared_schemes_test
