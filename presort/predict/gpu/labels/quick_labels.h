// Labels of another draw than a problem's own, which take a third of the time to make: for parts of
// a simulation that need the distribution alone.
#pragma once

#include <memory>

#include "presort/core/labels/labels.h"
#include "presort/core/problem.h"

namespace presort::inline v0::predict {

// A draw of as many labels of the same distribution, each as popular as among the problem's own: zipf
// labels, whose frequencies differ by up to 1.05 % times the exponent (core/labels/zipf_bins.h), and
// words. For other kinds the problem's own labels.
// Requires: labels are those of the problem
std::shared_ptr<const LabelSource> quick_labels(const Problem& problem,
                                                const std::shared_ptr<const LabelSource>& labels);

}  // namespace presort::predict
