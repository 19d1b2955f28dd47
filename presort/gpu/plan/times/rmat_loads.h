// Loads and hits of the L2 by labels of an R-MAT graph, whose bits are independent and 0 with one
// probability (core/labels/kinds/rmat.cpp), in closed form; m rounded up to a power of two.
// No CUDA types.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "presort/core/problem.h"
#include "presort/gpu/plan/times/place_loads.h"

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

// Number of pieces of a table, by how many ones their `bits` address bits have, that lie at the
// place of the first one: each of `place_bits` bits of a place is the parity of address bits of its
// own, which are dealt out in turn.
// Requires: 0 <= bits <= 64, place_bits >= 1
using PiecesByOnes = std::array<double, 65>;
inline PiecesByOnes pieces_of_first_place(int bits, int place_bits) {
  PiecesByOnes count = {1};
  for (int place_bit = 0; place_bit < place_bits; ++place_bit) {
    PiecesByOnes more = {};
    double choices = 1;  // ways to choose `ones` of the bits of this parity
    const int of_parity = bits / place_bits + (place_bit < bits % place_bits ? 1 : 0);
    for (int ones = 0; ones <= of_parity; ++ones) {
      for (int before = 0; ones % 2 == 0 && before + ones <= bits; ++before) {
        more[static_cast<size_t>(before + ones)] += choices * count[static_cast<size_t>(before)];
      }
      choices *= static_cast<double>(of_parity - ones) / (ones + 1);
    }
    count = more;
  }
  return count;
}

// Turns for each input at the place of the L2 that has the most frequent label. Pieces of 256 bytes
// lie at one place (interleave of gpu_hardware_steps), and places are parities of address bits:
// bits of a label are 0 more often than not, so that parities are even more often than not. Lanes
// at different words of a sector take a turn together (turns_of_lanes).
//   words_of_sector: buckets of a sector
//   updates(share): updates for each input of a label that has this share of the inputs
// Requires: is_rmat(problem); places >= 1
template <class Updates>
double rmat_busiest_place(const Problem& problem, double places, double words_of_sector,
                          const Updates& updates) {
  constexpr double kSectorsOfPiece = 8;
  constexpr double kRow = 32;  // lanes of a warp
  const int of_word = rmat_bits_within(problem, words_of_sector);
  const int of_piece = rmat_bits_within(problem, words_of_sector * kSectorsOfPiece);
  const int above = label_bits(problem.m) - of_piece;
  const RmatLevels words(problem, of_word);
  const RmatLevels sectors(problem, of_piece - of_word);
  const auto turns_of_piece = [&](double share_of_piece) {
    double turns = 0;
    sectors.for_each([&](double sectors_alike, double share_of_sector) {
      double lanes = 0;
      words.for_each([&](double words_alike, double share) {
        lanes += kRow * words_alike * updates(share_of_piece * share_of_sector * share);
      });
      turns += sectors_alike * turns_of_lanes(lanes, words_of_sector) / kRow;
    });
    return turns;
  };
  const int place_bits = static_cast<int>(std::log2(std::max(places, 2.0)));
  const PiecesByOnes pieces = pieces_of_first_place(above, place_bits);
  double turns = 0;
  size_t ones = 0;
  RmatLevels(problem, above).for_each([&](double, double share) {
    turns += pieces[ones] > 0 ? pieces[ones] * turns_of_piece(share) : 0;
    ++ones;
  });
  return turns;
}

}  // namespace presort::gpu
