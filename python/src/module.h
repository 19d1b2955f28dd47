// The parts of the module presort._presort, from which python/presort/ makes the functions that
// users call.
#pragma once

#include <nanobind/nanobind.h>

namespace presort::python {

// Exceptions of Python for those of presort: InputError a ValueError, LabelError an IndexError,
// EnvironmentError a RuntimeError, each with the sentence of what().
void bind_errors(nanobind::module_& module);

// Binds class Context: the operations on arrays, and the state kept from call to call.
void bind_arrays(nanobind::module_& module);

// Binds class TensorCalls: calls of presort.cuda on tensors, made without detours.
void bind_tensors(nanobind::module_& module);

// Binds the functions that XLA calls for presort.jax.
void bind_xla(nanobind::module_& module);

// Binds class Machine, predict() and choose(): the simulator, the closed form and the tuner.
void bind_simulator(nanobind::module_& module);

}  // namespace presort::python
