// Labels as the closed form needs them: a few thousand from the middle of the input stand for all,
// and for those of a part of it, folded into its range. That costs nothing, however long it would
// take to find the labels of the part.
#pragma once

#include <memory>

#include "core/labels.h"

namespace presort::predict {

// Of a folded range the popular labels are mixtures of those of all parts; neighbours stay
// neighbours.
std::shared_ptr<const LabelSource> make_excerpt_labels(const LabelSource& labels);

}  // namespace presort::predict
