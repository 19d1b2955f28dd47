// The survival S(t) of units (lines, pages): the share of touches that come more than t inputs
// after the last touch of the same unit. It is estimated from a sample in which some next touches
// were not seen.
//
// A life table counts, in bins by number of inputs, after how many inputs a touch was followed by
// the next one, and after how many inputs the sequence ended before a next one came. Times of the
// second sort are known to be longer, but not by how much (censored). Bins are whole numbers up to
// 7, then four in an octave.
// Source: Kaplan & Meier, "Nonparametric estimation from incomplete observations", JASA 53, 1958,
//         here in the form of a life table: censored times count for half of their bin
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace presort::inline v0::predict {

class LifeTable {
 public:
  void add_touched(uint64_t inputs) { ++touched_[bin(inputs)]; }
  void add_untouched(uint64_t inputs) { ++untouched_[bin(inputs)]; }

  static constexpr size_t kBins = 192;  // number of bins in a life table: times up to 2^49 inputs
  // The bin for a number of inputs. Bin b holds [first(b), first(b + 1)); first(1) = 1.
  static size_t bin(uint64_t inputs);
  static uint64_t first(size_t bin);

  uint64_t touched(size_t bin) const { return touched_[bin]; }
  uint64_t untouched(size_t bin) const { return untouched_[bin]; }

 private:
  std::array<uint32_t, kBins> touched_{};
  std::array<uint32_t, kBins> untouched_{};
};

class Survival {
 public:
  // Computes the survival for `units` units, each of which was touched before the table begins.
  // Times beyond the longest one seen are set such that the mean time is `units` inputs: where all
  // units are touched again and again, each input ends the time of one unit.
  Survival(const LifeTable& table, double units);

  // The share of touches that come more than `inputs` inputs after the last touch of their unit.
  double longer(double inputs) const;
  // Integral of the survival S(t) from 0 to `inputs`: the number of units touched in `inputs`
  // inputs (Denning & Schwartz 1972).
  double units_in(double inputs) const;
  // Mean probability that a unit is still held, over the times t until its next touch. The
  // probability is 1 for t <= above, exp(-(t - above) / window) for larger t, and 0 beyond
  // `horizon`.
  double kept(double above, double window, double horizon) const;

 private:
  // A point at which the piecewise linear S(t) bends.
  struct Knot {
    double inputs;
    double longer;
    double units;
  };
  size_t piece_of(double inputs) const;

  std::vector<Knot> knots_;
};

}  // namespace presort::predict
