// Labels as the closed form needs them: a few thousand from the middle of the input stand for all,
// and for those of a part of it. That costs nothing, however long it would take to find the labels
// of the part.
#pragma once

#include <memory>

#include "presort/core/labels/distribution.h"
#include "presort/core/labels/labels.h"

namespace presort::inline v0::predict {

// Labels of a part, one of P, are those of the whole, folded into its range: neighbours stay
// neighbours. Of zipf labels they are drawn, because each of the P most popular ones is in a part
// of its own: the part has the one of them that the part of the median input has, and of every P
// ranks that follow one.
std::shared_ptr<const LabelSource> make_excerpt_labels(std::shared_ptr<const LabelSource> labels,
                                                       const Distribution& distribution);

}  // namespace presort::predict
