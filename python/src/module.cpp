#include "module.h"

NB_MODULE(_presort, module) {
  presort::python::bind_errors(module);
  presort::python::bind_arrays(module);
  presort::python::bind_tensors(module);
  presort::python::bind_xla(module);
  presort::python::bind_simulator(module);
}
