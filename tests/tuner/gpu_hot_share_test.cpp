// Share of inputs with a hot label (gpu/plan/times/hot_share.h) against looks of blocks, one by one.
#include "presort/gpu/plan/times/hot_share.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/labels/labels.h"

namespace presort::inline v0::gpu::gpu_hot_share_test {
namespace {

// Oracle: the share of 2^16 inputs whose label the block of their 256 inputs finds hot: four inputs or more
// have it, two of them in one of eight warps. Blocks have places for all labels.
double looked_share(const Problem& problem) {
  const auto source = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  std::vector<uint64_t> labels(uint64_t{1} << 16);
  source->generate(0, labels);
  uint64_t hot = 0;
  for (size_t first = 0; first < labels.size(); first += 256) {
    std::vector<std::array<int, 8>> counts(problem.m);
    for (size_t i = 0; i < 256; ++i) {
      ++counts[labels[first + i]][i / 32];
    }
    for (const std::array<int, 8>& of_warps : counts) {
      int all = 0;
      bool is_met = false;
      for (const int count : of_warps) {
        all += count;
        is_met |= count > 1;
      }
      hot += all >= 4 && is_met ? 1 : 0;
    }
  }
  // A label of the share p that is hot in a block is so for all inputs of the block: p of them on average.
  const double blocks = static_cast<double>(labels.size()) / 256;
  return static_cast<double>(hot) / blocks / static_cast<double>(problem.m);
}

Problem problem_of(uint64_t m, const char* labels) {
  Problem problem;
  problem.n = uint64_t{1} << 24;
  problem.m = m;
  problem.distribution = parse_distribution("dist", labels);
  return problem;
}

TEST_CASE("uniform labels: as many are hot as blocks find") {
  for (const uint64_t m : {2, 5, 16, 40, 64, 100, 200}) {
    const Problem problem = problem_of(m, "uniform");
    CHECK(hot_probability(1 / static_cast<double>(m)) ==
          doctest::Approx(looked_share(problem)).epsilon(0.05));
  }
}

TEST_CASE("hot labels have places, and inputs of many buckets none") {
  CHECK(hot_inputs_share(problem_of(16, "uniform"), 64) > 0.99);
  CHECK(hot_inputs_share(problem_of(40, "uniform"), 32) < 0.85);  // 32 places for 40 labels
  CHECK(hot_inputs_share(problem_of(1 << 20, "uniform"), 64) < 1e-6);
  CHECK(hot_inputs_share(problem_of(16, "sorted"), 64) == 0);
}

TEST_CASE("zipf labels: more inputs are hot where labels differ more") {
  double before = 0;
  for (const char* labels : {"zipf:0.5", "zipf:0.75", "zipf:1", "zipf:1.25", "zipf:1.5"}) {
    const double share = hot_inputs_share(problem_of(1 << 16, labels), 64);
    CHECK(share > before);
    CHECK(share < 1);
    before = share;
  }
}

}  // namespace
}  // namespace presort::gpu::gpu_hot_share_test
