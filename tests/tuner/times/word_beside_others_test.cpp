// Atomics to one word beside others (Ceilings::atomics), and turns of the lanes of moved particles.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/gpu/plan/ceilings.h"
#include "tests/tuner/round_gpu.h"

namespace presort::inline v0::gpu::word_beside_others_test {
namespace {

Gpu round_gpu() {
  return *tuner::test::machine().gpu;
}

// Time, ns an input, of atomics of which a share `at_word` goes to one word.
double ns(const Gpu& gpu, double table_bytes, double at_word, const char* types = "u32+u32") {
  const Problem problem = tuner::test::problem(Operation::multireduce, 1 << 20, "uniform", types);
  UpdatesOfInput updates;
  updates.crowded = 0;
  updates.at_word = at_word;
  return Ceilings(gpu, problem).atomics(table_bytes, table_bytes, 1, updates).ns;
}

}  // namespace

TEST_CASE("a word that others beside it hold up takes the time of the three lines") {
  constexpr double kSmall = 1 << 20;
  constexpr double kLarge = 1e12;  // bytes of a table that no L2 holds
  Gpu gpu = round_gpu();
  CHECK(ns(gpu, kSmall, 0) == doctest::Approx(0.01));
  CHECK(ns(gpu, kLarge, 0) == doctest::Approx(0.05));
  for (const double share : {0.001, 0.01, 0.2}) {
    for (const double beside : {0.0, 0.2e9}) {
      CAPTURE(share);
      CAPTURE(beside);
      gpu.address_beside_misses = beside;
      // 100 places: each has a hundredth of all others; a word alone takes 1 ns.
      const double miss_share = 0.01 / (share + 0.01);
      const double wait = 1 + ((beside > 0 ? 5 : 1) - 1) * miss_share / (miss_share + 0.03);
      const double held_up = 0.05 + share * wait * (1 - std::exp(-share / 0.0025));
      CHECK(ns(gpu, kLarge, share) == doctest::Approx(std::max(share, held_up)).epsilon(1e-4));
    }
  }
}

TEST_CASE("floats at one word have a rate of their own, where it was measured") {
  constexpr double kSmall = 1 << 20;
  Gpu gpu = round_gpu();
  CHECK(ns(gpu, kSmall, 0.5, "u32+f32") == ns(gpu, kSmall, 0.5));
  gpu.floats_of_address = 0.25e9;
  CHECK(ns(gpu, kSmall, 0.5, "u32+f32") == doctest::Approx(0.5 / 0.25));
  CHECK(ns(gpu, kSmall, 0.5, "u32+f64") == doctest::Approx(0.5 / 0.25));
  CHECK(ns(gpu, kSmall, 0.5) < 0.6);
}

TEST_CASE("lanes of moved particles take turns as counted, sector by sector") {
  for (const uint64_t m : {uint64_t{1} << 12, uint64_t{1} << 18}) {
    for (const uint64_t particles : {2, 16, 200}) {
      for (const uint64_t bytes : {4, 8}) {
        CAPTURE(m);
        CAPTURE(particles);
        CAPTURE(bytes);
        Problem problem = tuner::test::problem(Operation::multireduce, m, "cells:1");
        problem.n = m * particles;
        constexpr uint64_t kRows = 512;
        std::vector<uint64_t> labels(kRows * 32);
        make_labels(problem.distribution, problem.n, m, 1)->generate(problem.n / 3, labels);
        uint64_t turns = 0;
        for (uint64_t row = 0; row < kRows; ++row) {
          // In each sector as many turns as its fullest word has lanes.
          std::map<uint64_t, std::map<uint64_t, uint64_t>> sectors;
          for (uint64_t lane = 0; lane < 32; ++lane) {
            const uint64_t label = labels[row * 32 + lane];
            ++sectors[label * bytes / 32][label];
          }
          for (const auto& [sector, words] : sectors) {
            turns += std::ranges::max_element(words, {}, [](const auto& word) {
                       return word.second;
                     })->second;
          }
        }
        const double counted = static_cast<double>(turns) / (32 * kRows);
        const double found = LabelFacts(problem).turns_share(static_cast<double>(bytes));
        CHECK(found > 0.75 * counted);
        CHECK(found < 1.5 * counted);
      }
    }
  }
}

}  // namespace presort::gpu::word_beside_others_test
