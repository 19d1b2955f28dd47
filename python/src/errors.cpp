#include "presort/core/error.h"

#include "module.h"

namespace presort::python {

namespace nb = nanobind;

void bind_errors(nb::module_& module) {
  nb::exception<EnvironmentError>(module, "EnvironmentError", PyExc_RuntimeError);
  nb::exception<InputError>(module, "InputError", PyExc_ValueError);
  nb::exception<LabelError>(module, "LabelError", PyExc_IndexError);
}

}  // namespace presort::python
