#include "sim/pipeline/core.h"

#include "sim/pipeline/core_steps.h"

namespace presort::sim {

template class BasicCore<Translation, CacheStack>;

}  // namespace presort::sim
