#include "presort/predict/phases/core_phases.h"

namespace presort::inline v0::predict {

template std::unique_ptr<PhaseSimulator> make_core_phases<uint64_t>(const Machine&,
                                                                    const SimulationOptions&,
                                                                    const Problem&, PageSize,
                                                                    size_t, const ArrayPlaces&);

}  // namespace presort::predict
