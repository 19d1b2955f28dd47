// Labels of a file as the closed form needs them: those that are there; of a part of them, a few
// thousand that follow one place.
#pragma once

#include <memory>

#include "presort/core/labels/labels.h"

namespace presort::inline v0::predict {

// The labels of `file`. Of a part of them, restricted() finds those that follow the middle.
std::shared_ptr<const LabelSource> make_excerpt_of_file(std::shared_ptr<const LabelSource> file);

// The labels in [low, high) among the 2^20 that follow input `from`, and come round again: up to
// 1024, after which they are repeated. Its size is as many as belong to the part by what was seen.
// Requires: low < high, from < file->size(), and the label there is in [low, high)
std::shared_ptr<const LabelSource> make_part_of_file(std::shared_ptr<const LabelSource> file,
                                                     uint64_t low, uint64_t high, uint64_t from);

}  // namespace presort::predict
