// How often a fully associative LRU cache of any size would miss on a trace, for all sizes in one
// pass. A use of a line is a load, a store or a prefetch, one for each line that it touches;
// streaming stores go past the caches, branches touch nothing. Lines are of the program's own
// addresses.
// Source: stack distances (lru_stack.h); sampling of lines: Waldspurger, Park, Garthwaite, Ahmad,
//         "Efficient MRC construction with SHARDS", FAST 2015, fixed rate, with its correction for
//         the number of uses that were sampled
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "presort/sim/reuse/lru_stack.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::sim {

class MissRatioCurve {
 public:
  // Follows all lines or, with a rate below 1, a part of that size, chosen by a hash: then cold(),
  // lines() and misses() are estimates.
  // Requires: line_bytes a power of two; 0 < rate <= 1
  explicit MissRatioCurve(uint64_t line_bytes, double rate = 1);

  void add(std::span<const Access> records);

  uint64_t uses() const { return uses_; }
  // Number of accesses that touched more than one line
  uint64_t straddling() const { return straddling_; }
  uint64_t streaming_stores() const { return streaming_stores_; }
  // Number of different lines that were used
  uint64_t lines() const { return scaled(stack_.lines()); }
  // Number of uses that were the first use of their line
  uint64_t cold() const { return scaled(cold_); }

  // The smallest cache, in lines, for which misses() is meaningful: one that holds 32 sampled lines.
  // Measured by direct and pre-sorted multireduces, n = 2^24, m = 2^8 … 2^24, uniform and zipf labels,
  // rate 1/16: from there on at most 0.026 off the exact miss ratio, below it up to 0.65.
  uint64_t smallest() const;

  // For each cache size, in lines, the uses that miss; cold uses always do.
  // Requires: sizes ascending, the first not 0
  std::vector<uint64_t> misses(std::span<const uint64_t> sizes) const;

 private:
  void use(uint64_t line);
  void count_batch();
  bool sampled(uint64_t line) const;
  uint64_t scaled(uint64_t count) const;

  int line_shift_;
  double rate_;
  uint64_t threshold_;  // lines whose hash is below this are sampled
  LruStack stack_;
  uint64_t latest_ = ~uint64_t{0};  // line that was used last
  uint64_t uses_ = 0;
  uint64_t straddling_ = 0;
  uint64_t streaming_stores_ = 0;
  uint64_t cold_ = 0;                // sampled uses that were the first use of their line
  std::vector<uint64_t> batch_;      // stack distances not yet counted in distances_
  std::vector<uint64_t> distances_;  // distances_[d]: number of sampled uses at stack distance d
};

// Cache sizes in lines for a curve, four an octave (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, …),
// as long as they are below `lines`, then `lines`, of which no cache needs more; none for 0.
std::vector<uint64_t> curve_sizes(uint64_t lines);

}  // namespace presort::sim
