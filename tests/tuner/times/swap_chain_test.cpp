// Blocks with tables, and swaps of one word, counted by hand for 132 multiprocessors
// (gpu/plan/times/table_blocks.h, swap_chain.h).
#include "presort/gpu/plan/times/swap_chain.h"

#include <doctest/doctest.h>

namespace presort::inline v0::gpu::swap_chain_test {
namespace {

constexpr DeviceLimits kDevice{.multiprocessors = 132,
                               .shared_bytes_of_block = 227 << 10,
                               .shared_bytes_of_multiprocessor = 228 << 10,
                               .threads_of_multiprocessor = 2048};

TableKernel floats(uint64_t n, uint64_t m, int sets = 1, uint64_t entry_bytes = 4) {
  return {
      .n = n, .m = m, .label_bytes = 4, .entry_bytes = entry_bytes, .sets = sets, .swaps = true};
}

double swaps(uint64_t n, uint64_t m, const char* distribution, int sets = 1) {
  Problem problem;
  problem.n = n;
  problem.m = m;
  problem.types.value = ScalarType::f32;
  problem.distribution = parse_distribution("dist", distribution);
  const TableKernel kernel = floats(n, m, sets);
  return swaps_of_busiest_word(problem, LabelFacts(problem), kernel, table_blocks(kDevice, kernel));
}

}  // namespace

TEST_CASE("a slice has whole tiles of 512 threads with 4 inputs each, the last what is left") {
  for (const uint64_t n : {1, 2, 2047}) {
    CHECK(table_blocks(kDevice, floats(n, 21)).slices == 1);
    CHECK(table_blocks(kDevice, floats(n, 21)).inputs == n);
  }
  CHECK(table_blocks(kDevice, floats(2048, 21)).slices == 2);
  CHECK(table_blocks(kDevice, floats(2048, 21)).inputs == 2048);
  CHECK(table_blocks(kDevice, floats(2049, 21)).slices == 2);
  CHECK(table_blocks(kDevice, floats(56533, 21)).slices == 28);
  CHECK(table_blocks(kDevice, floats(56533, 21)).inputs == 2048);
  CHECK(table_blocks(kDevice, floats(65 * 8192 - 1, 21)).threads == 512);
}

TEST_CASE("half of the multiprocessors have a block of 1024 threads with 8 inputs each, or more") {
  CHECK(table_blocks(kDevice, floats(65 * 8192, 21)).threads == 1024);
  CHECK(table_blocks(kDevice, floats(65 * 8192, 21)).slices == 66);
  // 264 blocks are resident: 263 tiles leave one for the rest, of 265 one slice has two.
  CHECK(table_blocks(kDevice, floats(263 * 8192, 21)).slices == 264);
  CHECK(table_blocks(kDevice, floats(263 * 8192, 21)).inputs == 8192);
  CHECK(table_blocks(kDevice, floats(265 * 8192, 21)).inputs == 2 * 8192);
}

TEST_CASE("one block of a multiprocessor has 16 inputs a thread, but for values of 8 bytes") {
  CHECK(table_blocks(kDevice, floats(1 << 28, 40000)).slices == 132);
  CHECK(table_blocks(kDevice, floats(65 * 16384, 40000)).slices == 66);
  CHECK(table_blocks(kDevice, floats(65 * 16384 - 1, 40000)).slices == 132);
  CHECK(table_blocks(kDevice, floats(65 * 8192, 10000, 1, 8)).slices == 66);
  // Fewer inputs: blocks of as many threads with 4 inputs each
  CHECK(table_blocks(kDevice, floats(4095, 40000)).slices == 1);
  CHECK(table_blocks(kDevice, floats(4096, 40000)).slices == 2);
}

TEST_CASE("a table of doubles has up to 16 copies of a bucket; words of hot labels come first") {
  CHECK(table_blocks(kDevice, floats(1 << 20, 16, 1, 8)).sets == 16);
  CHECK(table_blocks(kDevice, floats(1 << 20, 16, 32, 8)).sets == 32);
  CHECK(table_blocks(kDevice, floats(1 << 20, 16, 1, 4)).sets == 1);
  // 28,197 buckets in two copies fit a block, but not beside words of hot labels.
  CHECK(table_blocks(kDevice, floats(1 << 20, 28197, 2)).sets == 1);
}

TEST_CASE("swaps of the busiest word are those of its label in a slice, by turns over the copies") {
  CHECK(swaps(8192 * 7, 16, "uniform") == doctest::Approx(2048 / 16));
  CHECK(swaps(8192 * 7, 16, "uniform", 4) == doctest::Approx(2048 / 16 / 4));
  CHECK(swaps(8192 * 7, 33, "zipf:2") == doctest::Approx(2048.0 / 128));  // hot labels apart
  CHECK(swaps(500, 33, "uniform") == doctest::Approx(500.0 / 33));  // too few inputs for a look
  CHECK(swaps(8192 * 7, 16, "degenerate") == doctest::Approx(2048.0 / 128));
  const double once = swap_step_ns(15, 2e9, 4);
  CHECK(once == doctest::Approx(17));
  CHECK(swap_step_ns(15, 2e9, 8) == doctest::Approx(19));
}

TEST_CASE("warps of one label update once for all their pairs") {
  CHECK(swaps_of_pair(1) == doctest::Approx(1.0 / 64));
  CHECK(swaps_of_pair(0.5) == doctest::Approx(0.5));
}

TEST_CASE("behind a pre-sort swaps of a part's busiest bucket follow each other, slice by slice") {
  Problem problem;
  problem.n = 256 * 99;
  problem.m = 1024;
  problem.distribution = parse_distribution("dist", "uniform");
  const PartVisits visits = PartVisits::of_tables(kDevice, problem, 64, 64, 1);
  // 100 slices of 253 pairs, all at a time; parts of 16 buckets
  CHECK(swaps_in_parts_ns(problem, visits, 1.0 / 64, 16, 1.0 / 16, 10) ==
        doctest::Approx(256.0 * 99 / 100 / 16 * 10));
  CHECK(swaps_in_parts_ns(problem, visits, 1.0 / 64, 1, 1, 10) == 0);
  problem.distribution = parse_distribution("dist", "sorted");
  CHECK(swaps_in_parts_ns(problem, visits, 1.0 / 64, 16, 1.0 / 16, 10) == 0);
}

}  // namespace presort::gpu::swap_chain_test
