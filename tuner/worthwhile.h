// Which candidates are worth a prediction: those that may come near the best, by what was predicted
// of others before them.
//
// Loops come first, then pre-sorts of few passes. Kinds of pre-sorts (plans that differ in the size
// of their write buffers alone) of equally many passes are a row in the order of their bits: the
// middle one comes first, with larger buffers as long as these make it faster, otherwise smaller
// ones, then those an even number of bits away, then the others, with the buffers that were best.
// More bits make passes slower and parts faster; what plans take falls up to a number of bits, and
// rises from there on. So what a kind takes has a bound by what its neighbours take:
//   between two  passes and parts take as long as those of the two, nearer to the faster
//   beyond them  passes and parts change by so much with each bit at most (worthwhile.cpp)
// Left out are kinds whose bound is beyond the best, between two at once, and beyond them as soon
// as their passes are known; kinds behind two of which the outer one is slower; buffers of other
// sizes where the kind is too far behind for these to make up for it; pre-sorts into chunks that
// would not be the best without the histogram of their like; loops that would have to be twice
// as fast as without fetching their inputs ahead; and loops in ranges that would have to gain more
// on those in one pass than any does, or of more ranges than such as are not near the best. What is
// left out is hardly ever better than the best by more than 2 %, but by chance.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/plan.h"
#include "core/prediction.h"

namespace presort::tuner {

// Whether nothing more need be known of a plan of which these phases have been predicted.
using GiveUp = std::function<bool(const Prediction& so_far)>;

// Predicts a plan phase by phase; nothing if it is given up.
using PredictUnless = std::function<std::optional<Prediction>(const Plan&, const GiveUp&)>;

// Predictions of the plans, in their order; nothing of those that are not worth one. The best is
// that of the first `eligible` plans; the others are predicted to be compared with.
// Requires: the plans are of one problem; 1 <= eligible <= as many as there are
std::vector<std::optional<Prediction>> predict_where_worthwhile(const std::vector<Plan>& plans,
                                                                size_t eligible,
                                                                const PredictUnless& predict);

}  // namespace presort::tuner
