#include "presort/sim/pipeline/core.h"

#include "presort/sim/pipeline/core_steps.h"

namespace presort::inline v0::sim {

template class BasicCore<Translation, CacheStack>;

}  // namespace presort::sim
