#include "predict/closed_form/drawn_core.h"

#include "sim/pipeline/core_steps.h"

namespace presort::sim {
template class BasicCore<predict::DrawnPages, predict::DrawnLines>;
}  // namespace presort::sim
