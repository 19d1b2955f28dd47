// Tells the labels of an R-MAT graph's edges (core/labels/kinds/rmat.cpp) from other skewed labels.
//   All bits of such a label are 0 with one probability, and independently: most labels have few
//   ones, neighbours are as frequent as each other's bits say, and a cache keeps far more of the
//   inputs than of zipf labels that are as often equal. Of zipf labels in any order about half of
//   each bit is 0.
//   Frequent labels that stand together have other shares in high bits than in low ones. One
//   frequent label among even ones (a missing key) may be what many bits are skewed by: so the
//   number of equal pairs has to be what independent bits give.
// Limits: fewer than kFewestRmatBits bits of a label tell too little. Where m is less than a fifth
//         above a power of two and labels of m and more are wrapped around, a quarter of all labels
//         have other bits, and no graph is seen
#pragma once

#include <optional>

#include "presort/core/choice/label_sample.h"
#include "presort/core/choice/label_traits.h"
#include "presort/core/labels/distribution.h"

namespace presort::inline v0 {

inline constexpr int kFewestRmatBits = 8;

// The R-MAT graph whose labels a sample of independent labels comes nearest to, with B = C; nothing
// if the labels are no such graph's. Takes 5 µs; allocates nothing.
// Requires: traits are those of the sample
std::optional<Distribution> rmat_of(const LabelSample& sample, const LabelTraits& traits);

}  // namespace presort
