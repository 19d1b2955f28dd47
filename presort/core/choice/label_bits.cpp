#include "presort/core/choice/label_bits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "presort/core/problem.h"

namespace presort::inline v0 {
namespace {

constexpr double kSigmasOfBits = 3;

// Least probability of a 0 that counts as skewed: halfway between even bits and those of the usual
// graph, 0.76, in the logarithm of equal pairs.
constexpr double kLeastZero = 0.64;

// Greatest one: beyond it nearly all labels are the same.
constexpr double kMostZero = 0.95;

// Highest bits of a label, which only have to be skewed: where m is no power of two, labels of m
// and more are drawn again or wrapped around. By that the shares of these bits move by up to 0.15,
// those of others by a few hundredths.
constexpr int kHighBits = 4;
constexpr double kWrapped = 0.03;

// Number of labels of a sample that have a 0, by bit.
using Zeros = std::array<uint32_t, 64>;

Zeros count_zeros(const LabelSample& sample, int bits) {
  Zeros ones{};
  for (const uint64_t label : sample.drawn()) {
    for (int bit = 0; bit < bits; ++bit) {
      ones[static_cast<size_t>(bit)] += label >> bit & 1;
    }
  }
  for (uint32_t& of_bit : ones) {
    of_bit = static_cast<uint32_t>(sample.count) - of_bit;
  }
  return ones;
}

}  // namespace

std::optional<Distribution> rmat_of(const LabelSample& sample, const LabelTraits& traits) {
  const int bits = label_bits(sample.m);
  if (bits < kFewestRmatBits || sample.count < kSampledLabels) {
    return std::nullopt;
  }
  const Zeros zeros = count_zeros(sample, bits);
  const auto count = static_cast<double>(sample.count);
  const int low_bits = bits - kHighBits;
  const auto share = [&](int bit) { return zeros[static_cast<size_t>(bit)] / count; };
  double sum = 0;
  for (int bit = 0; bit < low_bits; ++bit) {
    sum += share(bit);
  }
  const double zero = sum / low_bits;
  if (zero < kLeastZero || zero > kMostZero) {
    return std::nullopt;
  }
  const double most_off = kWrapped + kSigmasOfBits * std::sqrt(zero * (1 - zero) / count);
  for (int bit = 0; bit < bits; ++bit) {
    const bool fits =
        bit < low_bits ? std::abs(share(bit) - zero) <= most_off : share(bit) >= kLeastZero;
    if (!fits) {
      return std::nullopt;
    }
  }
  // Pairs of labels that are equal where bits are independent
  const double expected =
      count * (count - 1) / 2 * std::pow(zero * zero + (1 - zero) * (1 - zero), bits);
  const auto equal = static_cast<double>(traits.equal_pairs);
  constexpr double kTimes = 2;
  const double few = kSigmasOfBits * std::sqrt(expected) + kSigmasOfBits;
  if (equal > kTimes * expected + few || kTimes * equal + few < expected) {
    return std::nullopt;
  }
  // Hundredths, so that samples of one graph give one distribution
  const auto hundredths = [](double of_all) { return std::round(of_all * 100) / 100; };
  constexpr double kOnesInB = 0.19 / 0.24;  // as the usual graph: A 0.57, B and C 0.19, D 0.05
  const double b = hundredths((1 - zero) * kOnesInB);
  return Distribution{DistributionKind::rmat, hundredths(hundredths(zero) - b), "", {b, b}};
}

}  // namespace presort
