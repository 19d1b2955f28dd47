// Labels for the closed form: a few thousand labels from the middle of the input stand for all
// labels, and for those of a part. This is fast even where finding the real labels of a part would
// take long.
#pragma once

#include <memory>

#include "presort/core/labels/distribution.h"
#include "presort/core/labels/labels.h"

namespace presort::inline v0::predict {

// Makes an excerpt of labels. The labels of one of P parts are those of the whole folded into the
// part's range, so that neighbours stay neighbours. For zipf labels they are drawn instead, because
// each of the P most popular labels is in another part: the part has the popular label that the
// median input's part has, and one of every P ranks that follow.
std::shared_ptr<const LabelSource> make_excerpt_labels(std::shared_ptr<const LabelSource> labels,
                                                       const Distribution& distribution);

}  // namespace presort::predict
