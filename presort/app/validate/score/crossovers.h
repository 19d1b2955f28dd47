// The smallest m for which a pre-sort pays, predicted and measured, over plans of all page sizes
// and over those of one. Huge pages make random updates cheaper and leave sorted ones as they are,
// so each page size has a crossover of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "presort/app/validate/points.h"

namespace presort::inline v0::app {

struct Crossover {
  // Smallest m from which on a pre-sort is faster, by predicted times and by measured ones; no
  // value: a pre-sort is not faster at the largest m.
  std::optional<uint64_t> predicted;
  std::optional<uint64_t> measured;
  // The larger of predicted and measured crossover over the smaller; 1 when they agree, no value
  // unless both exist.
  std::optional<double> factor() const;
  // True when both crossovers exist and are no more than a factor of two apart, or when neither
  // exists.
  bool agrees() const;
};

// Text on a crossover: "predicted m = 2^22, measured m = 2^20 (4 times off)", "predicted none,
// measured m = 2^20".
std::string to_text(const Crossover& crossover);

struct PageCrossover : Crossover {
  PageSize pages = PageSize::k2MiB;
};

// The crossovers of problems that differ in m alone, over the kept plans of the grid, for all page
// sizes and for each. A page size is left out if no problem has plans with and without a pre-sort
// in it.
std::vector<PageCrossover> crossovers_by_pages(const std::vector<const ProblemPoints*>& items);

}  // namespace presort::app
