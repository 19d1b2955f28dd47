// The parts of the module presort._presort; python/presort/ makes of them what users call.
#pragma once

#include <nanobind/nanobind.h>

namespace presort::python {

// Exceptions of Python for those of presort: InputError a ValueError, LabelError an IndexError,
// EnvironmentError a RuntimeError, each with the sentence of what().
void bind_errors(nanobind::module_& module);

// class Context: the operations on arrays, and what they keep from call to call.
void bind_arrays(nanobind::module_& module);

// class Machine; predict(), choose(): the simulator, the closed form and the tuner.
void bind_simulator(nanobind::module_& module);

}  // namespace presort::python
