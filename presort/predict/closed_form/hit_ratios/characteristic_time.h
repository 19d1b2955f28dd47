// The characteristic times of the levels of a cache hierarchy, or of a TLB: they tell which touches
// each level serves. A unit is what a level keeps or evicts as a whole: a line or a page.
//
// A recency level (LRU and its approximations) holds the units touched in the last T inputs. T is
// the time in which as many units are touched as the level has room for, those of streams included.
// A level with random replacement evicts each of its units at the rate 1/T. A recency victim level
// holds, together with the level above, as many units as both have room for; a random victim level
// keeps units that the level above has evicted.
// Source: Che, Tung & Wang 2002; Fricker, Robert & Roberts, "A versatile and accurate approximation
//         for LRU cache performance", ITC 24, 2012; random: Gelenbe, "A unified approach to the
//         evaluation of a class of replacement algorithms", IEEE TC 22(6), 1973, and Little's law
// Not modelled: sets (a full set evicts a unit early), and that a level above hides touches, so
// that the level below sees another order.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "presort/core/machine/replacement.h"
#include "presort/predict/closed_form/hit_ratios/reuse.h"

namespace presort::inline v0::predict {

struct Room {
  double units = 0;
  Replacement policy = Replacement::lru;
  bool victims = false;  // true: a victim level, filled with what the level above evicts
};

class CharacteristicTimes {
 public:
  // Computes the characteristic times for a phase of `inputs` inputs. A level with room for all
  // units that the phase touches evicts none.
  // Requires: rooms nearest to the core first; the first one is no victim level
  CharacteristicTimes(const std::vector<Room>& rooms, std::span<const Population> populations,
                      double inputs = kNever);

  // Number of touches of `population` per input that miss levels 0 … `level`, if the caches were
  // empty `horizon` inputs ago (kNever: long ago).
  double misses(size_t level, const Population& population, double horizon) const;

  size_t levels() const { return levels_.size(); }
  // Number of inputs for which a unit that is not touched again stays in levels 0 … `level`.
  double window(size_t level) const { return levels_[level].window; }

 private:
  enum class Kind { recency, random, randomVictims };
  struct Level {
    Kind kind;
    double window;  // the level's characteristic time T, inputs
    double above;   // characteristic time of the level above, inputs; used where it matters
  };

  static double missed(const Level& level, double rate, double arrivals, double horizon);
  static double missed(const Level& level, const Measured& measured, double horizon);
  static double sum_missed(const Level& level, const Population& population, double horizon);

  std::vector<Level> levels_;
};

}  // namespace presort::predict
