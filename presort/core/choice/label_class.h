// Finds the distribution of labels (core/labels/distribution.h) that a sample comes nearest to; the
// first of these that holds:
//   degenerate         three quarters or more of the labels are the same one
//   sequential         neighbours and the whole are in order, and every label is where it is due
//   sorted             neighbours and the whole are in order, upwards or downwards
//   clustered:K        half or more of the neighbours share a window, beyond what chance gives; K
//                      follows from how many do
//   cells:K            the labels of a time lie near those that are due, as particles in cells do that
//                      have moved since they were sorted; K follows from how far they are off
//   permutation        fewer labels occur twice than independent ones would
//   zipf:S             more labels occur twice than independent ones would. S is that of the zipf
//                      labels which, without their most frequent label, are as often equal as these
//                      without theirs: one frequent label among even ones (a missing key) is no skew
//   zipf-contiguous:S  as zipf:S, and the frequent labels share windows
//   uniform            none of the above, or too few labels to tell
// Limits: zipf:0.5 of more than 2^19 buckets, and a permutation of that many, are taken for
// uniform, as are n = 0 and 1; fewer buckets in use than m are taken for a skew; sorted labels of
// fewer than ten buckets for uniform. Never a file. About 5 µs; allocates nothing, throws nothing.
#pragma once

#include "presort/core/choice/label_traits.h"
#include "presort/core/labels/distribution.h"

namespace presort::inline v0 {

Distribution nearest_distribution(const LabelTraits& traits);

}  // namespace presort
