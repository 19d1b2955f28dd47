// Labels of a file for the closed form: the labels themselves or, for a part, a few thousand of its
// labels that follow one place.
#pragma once

#include <memory>

#include "presort/core/labels/labels.h"

namespace presort::inline v0::predict {

// The labels of `file`. For a part, restricted() finds labels of it that follow the middle.
std::shared_ptr<const LabelSource> make_excerpt_of_file(std::shared_ptr<const LabelSource> file);

// A part of a file: the first 1024 labels in [low, high), or fewer, among the 2^20 labels from
// input `from` on (beyond the end they start again). They are repeated up to the part's size, which
// is estimated from their share.
// Requires: low < high, from < file->size(), and the label there is in [low, high)
std::shared_ptr<const LabelSource> make_part_of_file(std::shared_ptr<const LabelSource> file,
                                                     uint64_t low, uint64_t high, uint64_t from);

}  // namespace presort::predict
