#include "presort/predict/closed_form/drawn_core.h"

#include "presort/sim/pipeline/core_steps.h"

namespace presort::inline v0::sim {
template class BasicCore<predict::DrawnPages, predict::DrawnLines>;
}  // namespace presort::sim
