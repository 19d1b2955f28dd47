// Sends zipf ranks to labels by a permutation, and tells the popularity of the labels in a range.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "presort/core/labels/permutation.h"
#include "presort/core/labels/zipf.h"

namespace presort::inline v0 {

// The permutation of ranks and the weights of labels. Immutable; all members are thread-safe.
class ZipfScatter {
 public:
  // Scatters ranks below m over labels below m; `shift` is Q of P(rank r) ∝ (r + 1 + Q)^-S.
  // Requires: 0 < exponent, m > 0, 0 <= shift
  ZipfScatter(double exponent, uint64_t m, double shift = 0);

  double exponent() const { return exponent_; }
  double shift() const { return shift_; }

  // Weight of a rank or label, (rank + 1 + Q)^-S: its frequency, up to a common factor.
  double weight_of_rank(uint64_t rank) const;
  double weight(uint64_t label) const { return weight_of_rank(label_of_rank_.inverse(label)); }

  // The sum of the weights of all labels.
  double mass() const { return mass_; }

  // Draws a label: the rank that random number `counter` of the stream `seed` gives decides.
  uint64_t draw(uint64_t seed, uint64_t counter) const { return label_of(rank(seed, counter)); }
  uint64_t rank(uint64_t seed, uint64_t counter) const { return ranks_(seed, counter); }
  uint64_t label_of(uint64_t rank) const { return label_of_rank_(rank); }

  // How many of the most popular ranks are kept one by one.
  uint64_t popular_ranks() const { return popular_ranks_; }

  struct Popular {
    uint64_t label;
    uint64_t rank;
  };
  // The popular labels in [low, high), in ascending order.
  std::span<const Popular> popular_in(uint64_t low, uint64_t high) const;

  // Sums of the weights of the labels in [low, high): of the popular labels, and of the others,
  // which are taken to be scattered evenly.
  struct Masses {
    double popular;
    double others;
    double sum() const { return popular + others; }
  };
  Masses masses(uint64_t low, uint64_t high) const;

 private:
  double exponent_;
  double shift_;
  uint64_t m_;
  double mass_;
  uint64_t popular_ranks_;
  ZipfRanks ranks_;
  Permutation label_of_rank_;
  mutable std::once_flag listed_;
  // Popular ranks, sorted by label; filled when first asked for
  mutable std::vector<Popular> popular_;
};

}  // namespace presort
