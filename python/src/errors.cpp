#include "presort/core/error.h"

#include "module.h"

namespace presort::python {

namespace nb = nanobind;

void bind_errors(nb::module_& module) {
  // The last one that is registered is asked first, so classes come after those they derive from.
  nb::exception<EnvironmentError>(module, "EnvironmentError", PyExc_RuntimeError);
  nb::exception<InputError>(module, "InputError", PyExc_ValueError);
  nb::exception<LabelError>(module, "LabelError", PyExc_IndexError);
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Stopped&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
}

}  // namespace presort::python
