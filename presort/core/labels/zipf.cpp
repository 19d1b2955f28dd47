#include "presort/core/labels/zipf.h"

#include <algorithm>
#include <cmath>

namespace presort::inline v0 {
namespace {

// Bound on |S - 1| below which log1p and expm1 are used, as 1 - S is divided out; elsewhere log and
// exp keep 14 digits and are faster.
constexpr double kNearOne = 0.01;

// Integral ∫ t^-S dt from 1 to y, with q = 1 - S
double power_integral(double q, double y) {
  if (std::abs(q) > kNearOne) {
    return (std::exp(q * std::log(y)) - 1) / q;
  }
  return q == 0 ? std::log(y) : std::expm1(q * std::log(y)) / q;
}

// Rounds to the nearest integer. Baseline x86-64 has no instruction for floor; calling it took a
// third of a draw's time.
double nearest(double x) {
  return x < 0x1p62 ? static_cast<double>(static_cast<int64_t>(x + 0.5)) : x;
}

}  // namespace

ZipfRanks::ZipfRanks(double exponent, uint64_t low, uint64_t high, double shift)
    : low_(low),
      high_(high),
      exponent_(exponent),
      shift_(shift),
      q_(1 - exponent),
      reciprocal_q_(1 / q_),
      first_(static_cast<double>(low) + 1 + shift),
      last_(static_cast<double>(high) + shift),
      top_(integral(last_ + 0.5)),
      bottom_(integral(first_ + 0.5) - 1),
      close_(first_ + 1 - inverse_integral(integral(first_ + 1.5) - weight(first_ + 1))) {}

double ZipfRanks::weight(double k) const {
  return std::exp(-exponent_ * std::log(k / first_));
}

double ZipfRanks::integral(double x) const {
  return first_ * power_integral(q_, x / first_);
}

double ZipfRanks::inverse_integral(double u) const {
  const double scaled = u / first_;
  if (std::abs(q_) > kNearOne) {
    return first_ * std::exp(std::log(1 + q_ * scaled) * reciprocal_q_);
  }
  return first_ * (q_ == 0 ? std::exp(scaled) : std::exp(std::log1p(q_ * scaled) / q_));
}

uint64_t ZipfRanks::operator()(uint64_t seed, uint64_t counter) const {
  for (uint64_t attempt_seed = seed;; attempt_seed = mix64(attempt_seed)) {
    const double u = top_ + unit_double(random_u64(attempt_seed, counter)) * (bottom_ - top_);
    const double x = inverse_integral(u);
    const double k = std::clamp(nearest(x - shift_) + shift_, first_, last_);
    if (k - x <= close_ || u >= integral(k + 0.5) - weight(k)) {
      // The rank is kept within the range: doubles above 2^53 round.
      const double number = nearest(k - shift_);
      return std::clamp(number >= 0x1p64 ? high_ : static_cast<uint64_t>(number) - 1, low_,
                        high_ - 1);
    }
  }
}

double zipf_mass(double exponent, uint64_t low, uint64_t high, uint64_t direct_terms,
                 double shift) {
  const uint64_t tail = std::min(high, std::max(low, direct_terms));
  double sum = 0;
  for (uint64_t r = low; r < tail; ++r) {
    sum += std::pow(static_cast<double>(r + 1) + shift, -exponent);
  }
  if (tail >= high) {
    return sum;
  }
  // The tail of the sum by the Euler-Maclaurin formula: the integral, half of both ends, and the
  // first two corrections.
  const double a = static_cast<double>(tail) + 1 + shift;
  const double b = static_cast<double>(high) + shift;
  const double fa = std::pow(a, -exponent);
  const double fb = std::pow(b, -exponent);
  const double third = exponent * (exponent + 1) * (exponent + 2) / 720;
  return sum + fa * a * power_integral(1 - exponent, b / a) + (fa + fb) / 2 +
         exponent / 12 * (fa / a - fb / b) - third * (fa / (a * a * a) - fb / (b * b * b));
}

}  // namespace presort
