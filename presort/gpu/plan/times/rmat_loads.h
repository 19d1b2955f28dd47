// Loads and hits of the L2 by labels of an R-MAT graph, whose bits are independent and 0 with one
// probability (core/labels/kinds/rmat.cpp), in closed form; m rounded up to a power of two.
// No CUDA types.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "presort/core/base/random.h"
#include "presort/core/problem.h"

namespace presort::inline v0::gpu {

inline bool is_rmat(const Problem& problem) {
  return problem.distribution.kind == DistributionKind::rmat;
}

// Labels of independent bits by how many of these are 1. Labels that share their upper `bits` bits
// count as one.
class RmatLevels {
 public:
  // Requires: is_rmat(problem); 0 <= bits <= 64
  RmatLevels(const Problem& problem, int bits)
      : bits_(bits), zero_(problem.distribution.parameter + problem.distribution.more[1]) {}

  // Calls call(number of labels, share of the inputs of each) for labels of 0, 1, … bits ones.
  template <class Call>
  void for_each(const Call& call) const {
    double labels = 1;
    double share = std::pow(zero_, bits_);
    for (int ones = 0; ones <= bits_; ++ones) {
      call(labels, share);
      labels *= static_cast<double>(bits_ - ones) / (ones + 1);
      share *= (1 - zero_) / zero_;
    }
  }

  // Calls call(share of the inputs) for the first `count` labels in the order of their number of
  // ones, of which no more than all are called.
  template <class Call>
  void for_first(uint64_t count, const Call& call) const {
    uint64_t called = 0;
    for_each([&](double labels, double share) {
      for (double label = 0; label + 0.5 < labels && called < count; ++label, ++called) {
        call(share);
      }
    });
  }

  double zero() const { return zero_; }

 private:
  int bits_;
  double zero_;
};

// Bits of a label that say which of `in_one` buckets side by side it is.
inline int rmat_bits_within(const Problem& problem, double in_one) {
  const int within = static_cast<int>(std::lround(std::log2(std::max(in_one, 1.0))));
  return std::min(within, label_bits(problem.m));
}

// Share of random accesses to buckets of `entry_bytes` bytes that an LRU cache of `lines` lines of
// 128 bytes hits, each with four sectors that are read by themselves. A line stays for T accesses
// after its last one, so long that as many lines as the cache has are met in T (Che, Tung & Wang
// 2002, doi:10.1109/JSAC.2002.801752). A sector hits if the line was kept since the sector's last
// access: an access of the line hits with probability p, and is one of the sector with probability
// f.
// Requires: is_rmat(problem); lines >= 1
inline double rmat_hits(const Problem& problem, double entry_bytes, double lines) {
  constexpr double kLine = 128;
  constexpr double kSector = 32;
  constexpr int kRounds = 10;
  const int bits = label_bits(problem.m);
  const int within_line = rmat_bits_within(problem, kLine / entry_bytes);
  const int of_sector = within_line - rmat_bits_within(problem, kSector / entry_bytes);
  const RmatLevels of_lines(problem, bits - within_line);
  const RmatLevels of_sectors(problem, of_sector);
  const auto met = [&](double accesses) {
    double sum = 0;
    of_lines.for_each(
        [&](double labels, double share) { sum += labels * -std::expm1(-share * accesses); });
    return sum;
  };
  const auto n = static_cast<double>(problem.n);
  // Each access meets one line at most, and no line stays longer than the accesses there are.
  double low = std::log(std::min(lines, n));
  double high = std::log(n);
  for (int round = 0; round < kRounds; ++round) {
    const double middle = (low + high) / 2;
    (met(std::exp(middle)) < lines ? low : high) = middle;
  }
  const double accesses = std::exp((low + high) / 2);
  double hits = 0;
  of_lines.for_each([&](double labels, double share) {
    const double p = -std::expm1(-share * accesses);
    of_sectors.for_each([&](double sectors, double f) {
      hits += labels * share * sectors * f * (f * p / (1 - p * (1 - f)));
    });
  });
  return std::min(1.0, hits);
}

// Turns for each input at the busiest of `places` places of the L2, over which a hash deals out
// sectors: the mean of several deals. Lanes at different words of a sector take a turn together, so
// a sector counts as its most frequent bucket; buckets behind the first kRmatRanks of these are
// taken to lie evenly.
//   words_of_sector: buckets of a sector
//   updates(share): updates for each input of a label that has this share of the inputs
// Requires: is_rmat(problem); places >= 1
inline constexpr uint64_t kRmatRanks = 128;
template <class Updates>
double rmat_busiest_place(const Problem& problem, double places, double words_of_sector,
                          const Updates& updates) {
  constexpr uint64_t kDeals = 4;
  constexpr size_t kMostPlaces = 128;
  const int within = rmat_bits_within(problem, words_of_sector);
  const RmatLevels sectors(problem, label_bits(problem.m) - within);
  const double of_first_word = std::pow(sectors.zero(), within);
  std::array<double, kRmatRanks> of_rank{};
  uint64_t ranks = 0;
  double others = 1;
  sectors.for_first(kRmatRanks, [&](double share) {
    of_rank[ranks++] = updates(share * of_first_word);
    others -= share;
  });
  const auto dealt = static_cast<uint64_t>(std::clamp(places, 1.0, double{kMostPlaces}));
  double busiest = 0;
  for (uint64_t deal = 0; deal < kDeals; ++deal) {
    std::array<double, kMostPlaces> load{};
    for (uint64_t rank = 0; rank < ranks; ++rank) {
      load[bounded(random_u64(~deal, rank), dealt)] += of_rank[rank];
    }
    busiest += *std::max_element(load.begin(), load.begin() + static_cast<ptrdiff_t>(dealt));
  }
  return busiest / kDeals + std::max(0.0, others) / static_cast<double>(dealt);
}

}  // namespace presort::gpu
