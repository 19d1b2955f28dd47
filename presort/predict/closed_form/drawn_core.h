// The simulator's core on caches and TLBs in which each hit or miss is drawn at random
// (drawn_lines.h, drawn_pages.h).
#pragma once

#include "presort/predict/closed_form/drawn_lines.h"
#include "presort/predict/closed_form/drawn_pages.h"
#include "presort/sim/pipeline/core.h"

namespace presort::inline v0::sim {
extern template class BasicCore<predict::DrawnPages, predict::DrawnLines>;
}  // namespace presort::sim

namespace presort::inline v0::predict {
using DrawnCore = sim::BasicCore<DrawnPages, DrawnLines>;
}  // namespace presort::predict
