// How unevenly skewed labels load the places of the L2 that update words one after the other, in
// closed form. No CUDA types.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "presort/core/base/random.h"
#include "presort/core/labels/zipf.h"
#include "presort/core/problem.h"

namespace presort::inline v0::gpu {

inline constexpr uint64_t kRanksApart = 128;  // most frequent labels that are told apart

inline bool is_skewed(const Problem& problem) {
  return problem.distribution.kind == DistributionKind::zipf ||
         problem.distribution.kind == DistributionKind::zipfContiguous;
}

// Where the words of a table lie: in sectors, each at one of `places` places of the L2.
struct WordPlaces {
  double places = 1;
  double sectors = 1;          // sectors of the table
  double words_of_sector = 8;  // words that a sector has
};

// Turns that a place takes for `lanes` lanes of a warp in a sector of so many words: lanes at words
// of their own take one together, as many follow each other as meet at the fullest word. Lanes that
// lie at random: about lanes / lanes^0.45 for 8 words and lanes / lanes^0.3 for 4 (balls in bins: 32
// lanes have 7 at the fullest of 8 words, 11 of 4).
inline double turns_of_lanes(double lanes, double words_of_sector) {
  const double merging = words_of_sector >= 8 ? 0.45 : words_of_sector >= 4 ? 0.3 : 0.15;
  return lanes <= 1 ? lanes : std::pow(lanes, 1 - merging);
}

// Turns for each input at the busiest place, over which a hash deals out the sectors of labels: the
// mean of several deals. Labels behind the first kRanksApart are taken to lie evenly.
//   updates(share): updates for each input of a label that has this share of the inputs
// Requires: labels are uniform, or is_skewed(problem)
template <class Updates>
double busiest_place(const Problem& problem, const WordPlaces& at, const Updates& updates) {
  constexpr uint64_t kDeals = 4;
  constexpr size_t kMostPlaces = 128;
  constexpr size_t kMostSectors = 8;  // of more sectors each frequent label has one by itself
  constexpr double kRow = 32;         // lanes of a warp
  constexpr uint64_t kTerms = 16;     // summed one by one: six digits
  const bool is_even = !is_skewed(problem);
  const double exponent = is_even ? 0 : problem.distribution.parameter;
  const auto m = static_cast<double>(problem.m);
  const uint64_t ranks = std::min(problem.m, kRanksApart);
  const double all = is_even ? m : zipf_mass(exponent, 0, problem.m, kTerms);
  const double others = ranks == problem.m ? 0
                        : is_even          ? 1 - static_cast<double>(ranks) / m
                                           : zipf_mass(exponent, ranks, problem.m, kTerms) / all;
  std::array<double, kRanksApart> of_rank;
  for (uint64_t rank = 0; rank < ranks; ++rank) {
    of_rank[rank] =
        rank > 0 && is_even
            ? of_rank[0]
            : updates((is_even ? 1 : std::pow(static_cast<double>(rank + 1), -exponent)) / all);
  }
  const auto places = static_cast<uint64_t>(std::clamp(at.places, 1.0, double{kMostPlaces}));
  const bool shares = at.sectors <= kMostSectors;
  const auto sectors =
      std::max<uint64_t>(1, shares ? static_cast<uint64_t>(std::ceil(at.sectors)) : ranks);
  const double in_order = std::max(1.0, static_cast<double>(problem.m) / at.sectors);
  double busiest = 0;
  for (uint64_t deal = 0; deal < kDeals; ++deal) {
    std::array<double, kRanksApart> of_sector{};
    for (uint64_t rank = 0; rank < ranks; ++rank) {
      const bool is_scattered = problem.distribution.kind == DistributionKind::zipf;
      const auto side_by_side =
          std::min(sectors - 1, static_cast<uint64_t>(static_cast<double>(rank) / in_order));
      const uint64_t sector = !shares        ? rank
                              : is_scattered ? bounded(random_u64(deal, rank), sectors)
                                             : side_by_side;
      of_sector[sector] += of_rank[rank];
    }
    std::array<double, kMostPlaces> load{};
    for (uint64_t sector = 0; sector < sectors; ++sector) {
      const double lanes = kRow * (of_sector[sector] + (shares ? others / at.sectors : 0));
      const double turns = shares ? turns_of_lanes(lanes, at.words_of_sector) : lanes;
      // Pieces of neighbouring sectors lie at one place each.
      const uint64_t place =
          shares ? sector * places / sectors : bounded(random_u64(~deal, sector), places);
      load[place] += turns / kRow;
    }
    busiest += *std::max_element(load.begin(), load.begin() + static_cast<ptrdiff_t>(places));
  }
  return busiest / kDeals + (shares ? 0 : others / static_cast<double>(places));
}

// Share of random accesses to buckets of skewed labels that an LRU cache of `lines` lines hits, if
// each frequent label has a line of its own: a label hits if the misses between two of its accesses
// leave its line in the cache.
// Requires: is_skewed(problem); lines >= 1
inline double skewed_hits(const Problem& problem, double lines) {
  constexpr int kRounds = 6;
  constexpr uint64_t kTerms = 16;
  const double exponent = problem.distribution.parameter;
  const double all = zipf_mass(exponent, 0, problem.m, kTerms);
  double misses = 1;
  for (int round = 0; round < kRounds; ++round) {
    // Labels of a share of misses / lines and more hit.
    const double last = std::pow(all * std::max(misses, 1e-6) / lines, -1 / exponent);
    const double most = static_cast<double>(problem.m);
    const auto ranks = static_cast<uint64_t>(std::clamp(last, 0.0, most));
    misses = ranks == 0 ? 1 : 1 - zipf_mass(exponent, 0, ranks, kTerms) / all;
  }
  return 1 - misses;
}

}  // namespace presort::gpu
