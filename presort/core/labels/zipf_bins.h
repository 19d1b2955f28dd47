// Zipf ranks drawn in a fifth of the time of ZipfRanks (zipf.h), for samples of a distribution that
// need not be one particular sequence: a simulation's warm-up.
//   The first kSingle ranks are drawn one by one, the others by bins of neighbouring ranks, as an
//   alias table says. Ranks of a bin count as equally frequent: the last is 1.05 % further from 0
//   than the first at most, so its frequency is less by 1.05 % times the exponent at most.
#pragma once

#include <cstdint>
#include <vector>

#include "presort/core/labels/alias_table.h"

namespace presort::inline v0 {

class ZipfBins {
 public:
  // Ranks below m with P(rank r) ∝ (r + 1 + Q)^-S, where Q is `shift`.
  // Requires: 0 < exponent, 0 < m, 0 <= shift
  ZipfBins(double exponent, uint64_t m, double shift = 0);

  // The rank that a uniform random word gives. Requires: no other draw uses the word
  uint64_t operator()(uint64_t random) const;

  // Bins are [begins()[i], begins()[i + 1]).
  const std::vector<uint64_t>& begins() const { return begins_; }

 private:
  std::vector<uint64_t> begins_;
  AliasTable table_;
};

}  // namespace presort
