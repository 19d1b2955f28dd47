// The units (lines, pages) that a phase touches in each region of memory, as populations of units
// of any size.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "presort/core/labels/distribution.h"
#include "presort/predict/closed_form/hit_ratios/empirical_labels.h"
#include "presort/predict/closed_form/hit_ratios/popularity.h"
#include "presort/predict/closed_form/hit_ratios/reuse.h"
#include "presort/predict/trace/layout.h"

namespace presort::inline v0::predict {

struct Footprint {
  Region region = Region::buckets;
  bool written = false;
  // The population of units of `unit_bytes` bytes each: lines, pages, or the memory that a cache
  // line of a page table maps.
  std::function<Population(double unit_bytes)> units;
  bool past_caches = false;  // true: streaming stores touch pages of the region, but no lines
  bool scattered = false;    // true: popular units stand at random places among the others
};

// The labels of a phase: their distribution, the number of buckets, and the number of labels. For
// one of `parts` parts of a partition, the distribution is that of the whole: each popular bucket
// is in one part, and a part has its share of the other buckets.
struct LabelShape {
  Distribution distribution;
  double buckets = 1;
  double inputs = 1;
  double parts = 1;
  // The measured distribution of a file's labels; null: `distribution` holds
  std::shared_ptr<const EmpiricalLabels> measured = nullptr;
  // Popularities of buckets computed so far for the distribution
  std::shared_ptr<KnownPopularities> known = nullptr;
  // Inputs between two uses of an array that the labels go through in order; kNever: none is left of it
  double since = kNever;
};

// Footprint of buckets of `bucket_bytes` bytes each, one of which is updated per input.
Footprint buckets_footprint(const LabelShape& labels, double bucket_bytes, bool written);

// Footprint of an array that is read or written from one end to the other, `bytes_per_input` bytes
// per input, and that was last used `since` inputs before (kNever: nothing is left of it).
Footprint stream_footprint(Region region, double bytes_per_input, bool written,
                           double since = kNever);

// Footprint of an array of counters or positions with an element of `element_bytes` bytes for each
// digit; an input touches the element of its digit.
Footprint digits_footprint(Region region, const LabelShape& labels, double digits,
                           double element_bytes);

// Footprint of the write buffers of a partition: `elements` elements of `element_bytes` bytes for
// each digit.
Footprint buffers_footprint(Region region, const LabelShape& labels, double digits, double elements,
                            double element_bytes);

// Footprint of the output streams of a partition pass, one for each digit. An input advances the
// stream of its digit by one element; through write buffers, every `elements` inputs of a digit
// advance it by `elements` elements.
Footprint outputs_footprint(Region region, const LabelShape& labels, double digits, double elements,
                            double element_bytes, bool written);

}  // namespace presort::predict
