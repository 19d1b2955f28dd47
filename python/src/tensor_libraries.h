// Libraries whose tensors class TensorCalls takes (tensors.cpp): what each tells of a tensor, and its
// current stream, in tens to hundreds of nanoseconds. Whatever a library does not tell as usual is left
// to presort.cuda's own way.
// Threads: the caller has the interpreter's lock
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace presort::python {

// Numbers of types in python/src/cuda/elements.cuh
enum Element : int { kU32, kU64, kF32, kF64, kF16, kBf16, kI32, kI64 };

// A tensor of one or two dimensions, in one piece, in a GPU's memory
struct Tensor {
  char* data = nullptr;
  uint64_t length = 0;
  uint64_t columns = 1;
  bool has_rows = false;
  int element = 0;
  int bytes = 0;  // of an element
  int32_t device = 0;
};

class TensorLibrary {
 public:
  // type: class of the tensors, compared only; the caller keeps it
  explicit TensorLibrary(nanobind::handle type) : type_(type.ptr()) {}
  TensorLibrary(const TensorLibrary&) = delete;
  TensorLibrary& operator=(const TensorLibrary&) = delete;
  virtual ~TensorLibrary() = default;

  // True for an object of the class itself; its subclasses may mean something else by their attributes.
  bool has(nanobind::handle object) const {
    return reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())) == type_;
  }

  // Describes a usable tensor; false for any other one, without an error of Python's.
  // Requires: has(object)
  virtual bool describe(nanobind::handle object, Tensor& out) const = 0;

  // The current stream of a device, never 0: the legacy default stream is 1. False without an error if it
  // cannot be had.
  bool current_stream(int32_t device, void*& out) const;

 protected:
  virtual bool find_stream(int32_t device, void*& out) const = 0;

 private:
  PyObject* type_;
};

// A library whose class has DLPack's exchange API (exchange.h), as PyTorch's has from 2.10 on.
// Errors: a Python error for a capsule of another name; nb::value_error for another version
std::unique_ptr<TensorLibrary> library_by_exchange(nanobind::handle type, nanobind::handle capsule);

// CuPy, whose arrays are asked by their attributes dtype, ndim, size, shape, data.ptr, data.device_id and
// _c_contiguous. elements: dtypes, which are compared as objects, and the Element of each; other dtypes are
// unusual. streams(device): an object whose attribute ptr is the device's current stream
std::unique_ptr<TensorLibrary> library_of_cupy(
    nanobind::handle type, const std::vector<std::pair<nanobind::object, int>>& elements,
    nanobind::object streams);

}  // namespace presort::python
