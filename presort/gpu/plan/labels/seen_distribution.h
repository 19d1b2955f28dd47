// The distribution by which a GPU's plans are chosen, from a sample of the labels: the nearest one
// (core/choice/label_class.h), and that of an R-MAT graph where the bits of the labels show it
// (core/choice/label_bits.h), which the choice of a CPU's plan has no use for.
#pragma once

#include "presort/core/choice/label_bits.h"
#include "presort/core/choice/label_class.h"
#include "presort/core/choice/label_sample.h"
#include "presort/core/choice/label_traits.h"

namespace presort::inline v0::gpu {

// Takes 12 µs, of skewed labels up to 20.
inline Distribution seen_distribution(const LabelSample& sample) {
  const LabelTraits traits = traits_of(sample);
  const Distribution nearest = nearest_distribution(traits);
  const bool is_skewed =
      nearest.kind == DistributionKind::zipf || nearest.kind == DistributionKind::zipfContiguous;
  return is_skewed ? rmat_of(sample, traits).value_or(nearest) : nearest;
}

}  // namespace presort::gpu
