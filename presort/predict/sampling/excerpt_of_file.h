// Labels of a file for the closed form: the labels themselves or, for a part, a few thousand of its
// labels that follow one place.
#pragma once

#include <memory>

#include "presort/core/labels/labels.h"

namespace presort::inline v0::predict {

// Makes labels for the closed form from those of `file`. For a part, restricted() finds labels of
// the part behind the middle of the file.
std::shared_ptr<const LabelSource> make_excerpt_of_file(std::shared_ptr<const LabelSource> file);

// Makes the labels of one part: the first 1024 labels in [low, high), or fewer, among the 2^20
// labels from input `from` on (after the file's end they go on from its start). They are repeated
// up to the part's size, which is estimated from their share of the 2^20.
// Requires: low < high, from < file->size(), and label number `from` is in [low, high)
std::shared_ptr<const LabelSource> make_part_of_file(std::shared_ptr<const LabelSource> file,
                                                     uint64_t low, uint64_t high, uint64_t from);

}  // namespace presort::predict
