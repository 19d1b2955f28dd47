// The simulator's core on drawn lines and pages.
#pragma once

#include "predict/closed_form/drawn_lines.h"
#include "predict/closed_form/drawn_pages.h"
#include "sim/pipeline/core.h"

namespace presort::sim {
extern template class BasicCore<predict::DrawnPages, predict::DrawnLines>;
}  // namespace presort::sim

namespace presort::predict {
using DrawnCore = sim::BasicCore<DrawnPages, DrawnLines>;
}  // namespace presort::predict
