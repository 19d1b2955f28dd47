// Zipf-distributed ranks: P(rank r) ∝ (r + 1 + Q)^-S, with Q = 0 but for words (Mandelbrot 1953).
#pragma once

#include <cstdint>

#include "presort/core/base/random.h"

namespace presort::inline v0 {

// Draws ranks from [low, high) in constant time by rejection-inversion.
// Source: Hörmann & Derflinger, "Rejection-inversion to generate variates from monotone discrete
//         distributions", ACM TOMACS 6(3), 1996; with x in units of the smallest rank, so that
//         ranges far down the tail keep their precision.
class ZipfRanks {
 public:
  // Draws ranks in [low, high); `shift` is Q. Requires: 0 < exponent, low < high, 0 <= shift
  ZipfRanks(double exponent, uint64_t low, uint64_t high, double shift = 0);

  // Draws a rank: random number `counter` of the stream `seed` decides.
  uint64_t operator()(uint64_t seed, uint64_t counter) const;

 private:
  // Weight of rank k, (k / first)^-S: its frequency up to a common factor
  double weight(double k) const;
  double integral(double x) const;  // integral of the weight, from `first` to x
  double inverse_integral(double u) const;

  uint64_t low_;
  uint64_t high_;
  double exponent_;
  double shift_;  // Q
  double q_;      // the number 1 - S, S being the exponent
  double reciprocal_q_;
  double first_;  // low + 1 + Q: the number of the first rank, as ranks are counted from 1 + Q here
  double last_;
  double top_;     // integral of the weight up to half a rank beyond the last one
  double bottom_;  // lower end of the integral's range, such that rank `first` gets its weight
  double close_;   // a drawn x gives rank k without a further test if k - x is at most this
};

// Σ (r + 1 + Q)^-S over ranks r in [low, high), Q being `shift`. The first `terms` terms are summed one by one, and the
// tail by a formula: about 12 digits with 64 terms, 3 with 4.
double zipf_mass(double exponent, uint64_t low, uint64_t high, uint64_t direct_terms = 64,
                 double shift = 0);

}  // namespace presort
