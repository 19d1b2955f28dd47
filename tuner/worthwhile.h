// Which candidates are worth a prediction: those that may come near the best, by what was predicted
// of others before them.
//
// Loops come first, then pre-sorts of few passes, of each kind (plans that differ in the size of
// their write buffers alone) the middle one. Kinds of equally many passes are a row in the order of
// their bits: its ends come first, then what halves the gaps. Left out are
//   kinds     whose passes, at the least time that any pass took so far, and whose kernel on parts,
//             at about the time that it took with as many bits, take longer than the best
//   between   two kinds so far behind that those few bits between them cannot make up for it
//   others    of a kind whose first plan is too far behind for buffers to make up for it
// All by margins (worthwhile.cpp) so wide that what is left out is hardly ever the best.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/plan.h"
#include "core/prediction.h"

namespace presort::tuner {

// Predictions of the plans, in their order; nothing of those that are not worth one. The best is
// that of the first `eligible` plans; the others are predicted to be compared with.
// Requires: the plans are of one problem; 1 <= eligible <= as many as there are
std::vector<std::optional<Prediction>> predict_where_worthwhile(
    const std::vector<Plan>& plans, size_t eligible,
    const std::function<Prediction(const Plan&)>& predict);

}  // namespace presort::tuner
