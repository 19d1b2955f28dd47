// Which distribution of labels (core/labels/distribution.h) a sample comes nearest to, in this
// order:
//   degenerate      three quarters of the labels and more are the same one
//   sequential      neighbours and the whole are in order, and every label is where it is due
//   sorted          neighbours and the whole are in order, upwards or downwards
//   clustered:K     half of the neighbours and more share a window, over what chance gives;
//                   K from how many do
//   permutation     fewer labels occur twice than independent ones would
//   zipf:S          more labels occur twice than independent ones would; S is that of the zipf labels
//                   which, but for the most frequent label, are as often equal as these. One frequent label among even ones (a missing key)
//                   so counts for what it is
//   zipf-contiguous:S   the same, and the frequent labels share windows
//   uniform         none of that, or too few labels to tell
// What it cannot tell: zipf:0.5 of more than 2^19 buckets, and a permutation of that many, are
// taken for uniform, as are n = 0 and 1; fewer buckets in use than m for a skew; sorted labels of
// fewer than ten buckets for uniform. Never a file. About 5 µs; allocates nothing, throws nothing.
#pragma once

#include "presort/core/choice/label_traits.h"
#include "presort/core/labels/distribution.h"

namespace presort::inline v0 {

Distribution nearest_distribution(const LabelTraits& traits);

}  // namespace presort
