// class TensorCalls of the module: presort.cuda's calls on tensors whose class has DLPack's
// exchange API, as PyTorch's have from 2.10 on. One call from Python checks the tensors, asks for
// the current stream and runs a function of libpresort_cuda.so (python/src/cuda/entry.cu), without
// the interpreter's lock. Only calls without anything unusual are made; python/presort/cuda.py
// makes the others, and says what is wrong.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "exchange.h"
#include "module.h"

namespace presort::python {

namespace nb = nanobind;

namespace {

// Functions of libpresort_cuda.so
using ReduceCall = int (*)(int, const void*, int, int, const void*, uint64_t, void*, uint64_t,
                           void*, int, int);
using AddRowsCall = int (*)(int, const void*, int, const void*, uint64_t, void*, uint64_t, uint64_t,
                            void*, int, int);
using TakeCall = int (*)(int, const void*, uint64_t, int, const void*, uint64_t, void*, void*, int,
                         int);
using TakeRowsCall = int (*)(int, const void*, uint64_t, int, const void*, uint64_t, uint64_t,
                             void*, void*, int, int);
using CountCall = int (*)(int, const void*, uint64_t, int, void*, uint64_t, void*, int, int);
using ScatterCall = int (*)(int, const void*, int, const void*, uint64_t, void*, uint64_t, void*,
                            int, int);
using ScanCall = int (*)(int, const void*, int, int, const void*, uint64_t, void*, uint64_t, void*,
                         void*, int, int);

// Their names after "presort_cuda_", in the order in which their addresses are handed over
constexpr std::array kFunctions = {"reduce", "add_rows", "take", "take_rows",
                                   "count",  "scatter",  "scan"};

// Numbers of types and operators in python/src/cuda/elements.cuh
enum Element : int { kU32, kU64, kF32, kF64, kF16, kBf16, kI32, kI64 };
enum Operator : int { kSum, kProduct, kLeast, kGreatest, kSumInOrder };

constexpr int kOtherwise = -1;  // nothing was done

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

std::optional<Element> element_of(const ExchangeDtype& dtype) {
  if (dtype.lanes != 1) {
    return std::nullopt;
  }
  const bool wide = dtype.bits == 64;
  const bool has_word = wide || dtype.bits == 32;
  switch (static_cast<DtypeCode>(dtype.code)) {
    case DtypeCode::integer:
      return has_word ? std::optional(wide ? kI64 : kI32) : std::nullopt;
    case DtypeCode::unsignedInteger:
      return has_word ? std::optional(wide ? kU64 : kU32) : std::nullopt;
    case DtypeCode::real:
      return has_word           ? std::optional(wide ? kF64 : kF32)
             : dtype.bits == 16 ? std::optional(kF16)
                                : std::nullopt;
    case DtypeCode::bfloat:
      return dtype.bits == 16 ? std::optional(kBf16) : std::nullopt;
  }
  return std::nullopt;
}

// True if the elements of a tensor follow one another without gaps. The stride of an axis that has
// one row or one column does not matter.
bool is_in_one_piece(const ExchangeTensor& tensor) {
  const std::span shape(tensor.shape, static_cast<size_t>(tensor.dimensions));
  if (tensor.strides == nullptr || std::ranges::find(shape, 0) != shape.end()) {
    return true;
  }
  int64_t expected = 1;
  for (int at = tensor.dimensions - 1; at >= 0; --at) {
    if (tensor.shape[at] > 1 && tensor.strides[at] != expected) {
      return false;
    }
    expected *= tensor.shape[at];
  }
  return true;
}

class TensorCalls {
 public:
  // type: class of the tensors, which has the capsule as its attribute. addresses: those of
  // kFunctions. Errors: a Python error for a capsule of another name; nb::value_error for another
  // version or number of addresses
  TensorCalls(nb::handle type, nb::handle capsule, const std::vector<uintptr_t>& addresses)
      : type_(type.ptr()), requires_grad_(PyUnicode_InternFromString("requires_grad")) {
    if (addresses.size() != kFunctions.size()) {
      throw nb::value_error("addresses: found another number of them than of functions");
    }
    reduce_ = reinterpret_cast<ReduceCall>(addresses[0]);
    add_rows_ = reinterpret_cast<AddRowsCall>(addresses[1]);
    take_ = reinterpret_cast<TakeCall>(addresses[2]);
    take_rows_ = reinterpret_cast<TakeRowsCall>(addresses[3]);
    count_ = reinterpret_cast<CountCall>(addresses[4]);
    scatter_ = reinterpret_cast<ScatterCall>(addresses[5]);
    scan_ = reinterpret_cast<ScanCall>(addresses[6]);
    void* found = PyCapsule_GetPointer(capsule.ptr(), kExchangeCapsule);
    if (found == nullptr) {
      throw nb::python_error();
    }
    api_ = static_cast<const ExchangeApi*>(found);
    if (api_->major != kExchangeVersion || api_->describe == nullptr) {
      throw nb::value_error("__dlpack_c_exchange_api__: found another version, accepted: 1");
    }
  }

  // out[labels[j]] = operation(out[labels[j]], values[j]) by operator `operation` (elements.cuh);
  // sums in the order of the inputs if `deterministic`. Returns what the library returns, or
  // kOtherwise
  int reduce(nb::handle out, nb::handle labels, nb::handle values, int operation, nb::handle checks,
             nb::handle deterministic) const {
    const bool checked = is_true(checks);
    const bool in_order = is_true(deterministic);
    Tensor to;
    Tensor by;
    Tensor from;
    if (!describe(out, to) || !describe(labels, by) || !describe(values, from) || !has_labels(by) ||
        by.device != to.device || from.device != to.device || from.element != to.element ||
        from.length != by.length || from.has_rows != to.has_rows || from.columns != to.columns) {
      return kOtherwise;
    }
    const bool sums_rows = to.has_rows || to.bytes == 2;  // sums of halves: rows of one column
    const bool is_real = to.element == kF32 || to.element == kF64;
    if ((sums_rows && operation != kSum) || (in_order && operation == kProduct && is_real)) {
      return kOtherwise;
    }
    void* stream = nullptr;
    if (!current_stream(to.device, stream)) {
      return kOtherwise;
    }
    if (in_order && operation == kSum) {
      operation = kSumInOrder;
    }
    const nb::gil_scoped_release released;
    return sums_rows ? add_rows_(by.bytes, by.data, to.element, from.data, by.length, to.data,
                                 to.length, to.columns, stream, checked, to.device)
                     : reduce_(by.bytes, by.data, to.element, operation, from.data, by.length,
                               to.data, to.length, stream, checked, to.device);
  }

  // counts[labels[j]] += 1. Returns as reduce
  int count(nb::handle out, nb::handle labels, nb::handle checks) const {
    const bool checked = is_true(checks);
    Tensor to;
    Tensor by;
    if (!describe(out, to) || !describe(labels, by) || !has_labels(to) || !has_labels(by) ||
        by.device != to.device) {
      return kOtherwise;
    }
    void* stream = nullptr;
    if (!current_stream(to.device, stream)) {
      return kOtherwise;
    }
    const nb::gil_scoped_release released;
    return count_(by.bytes, by.data, by.length, to.bytes, to.data, to.length, stream, checked,
                  to.device);
  }

  // out[labels[j]] = values[j]. Returns as reduce
  int scatter(nb::handle out, nb::handle labels, nb::handle values, nb::handle checks) const {
    const bool checked = is_true(checks);
    Tensor to;
    Tensor by;
    Tensor from;
    if (!describe(out, to) || !describe(labels, by) || !describe(values, from) || !has_labels(by) ||
        !has_words(to) || from.has_rows || from.element != to.element || by.device != to.device ||
        from.device != to.device || from.length != by.length) {
      return kOtherwise;
    }
    void* stream = nullptr;
    if (!current_stream(to.device, stream)) {
      return kOtherwise;
    }
    const nb::gil_scoped_release released;
    return scatter_(by.bytes, by.data, to.bytes, from.data, by.length, to.data, to.length, stream,
                    checked, to.device);
  }

  // out[i] = sums[labels[i]] + the values of its label up to i, and sums the whole sums. Returns as
  // reduce
  int scan(nb::handle out, nb::handle labels, nb::handle values, nb::handle sums,
           nb::handle inclusive, nb::handle checks) const {
    const bool is_inclusive = is_true(inclusive);
    const bool checked = is_true(checks);
    Tensor to;
    Tensor by;
    Tensor from;
    Tensor totals;
    if (!describe(out, to) || !describe(labels, by) || !describe(values, from) ||
        !describe(sums, totals) || !has_labels(by) || !has_words(to) || from.has_rows ||
        totals.has_rows || from.element != to.element || totals.element != to.element ||
        by.device != to.device || from.device != to.device || totals.device != to.device ||
        from.length != by.length || to.length != by.length) {
      return kOtherwise;
    }
    void* stream = nullptr;
    if (!current_stream(to.device, stream)) {
      return kOtherwise;
    }
    const nb::gil_scoped_release released;
    return scan_(by.bytes, by.data, to.element, is_inclusive, from.data, by.length, totals.data,
                 totals.length, to.data, stream, checked, to.device);
  }

  // out[i] = table[indices[i]]. Returns as reduce
  int take(nb::handle table, nb::handle indices, nb::handle out, nb::handle checks) const {
    const bool checked = is_true(checks);
    Tensor from;
    Tensor by;
    Tensor to;
    if (!describe(table, from) || !describe(indices, by) || !describe(out, to) || !has_labels(by) ||
        by.device != to.device || from.device != to.device || from.element != to.element ||
        to.length != by.length || from.has_rows != to.has_rows || from.columns != to.columns) {
      return kOtherwise;
    }
    void* stream = nullptr;
    if (!current_stream(to.device, stream)) {
      return kOtherwise;
    }
    const nb::gil_scoped_release released;
    return to.has_rows || to.bytes == 2
               ? take_rows_(by.bytes, by.data, by.length, to.bytes, from.data, from.length,
                            to.columns, to.data, stream, checked, to.device)
               : take_(by.bytes, by.data, by.length, to.bytes, from.data, from.length, to.data,
                       stream, checked, to.device);
  }

 private:
  // The truth of any object of Python. Errors: those of the object
  static bool is_true(nb::handle object) {
    const int found = PyObject_IsTrue(object.ptr());
    if (found < 0) {
      throw nb::python_error();
    }
    return found != 0;
  }

  static bool has_labels(const Tensor& tensor) {
    return !tensor.has_rows && (tensor.element == kI64 || tensor.element == kI32 ||
                                tensor.element == kU64 || tensor.element == kU32);
  }

  // True for one dimension of numbers of 4 or 8 bytes
  static bool has_words(const Tensor& tensor) { return !tensor.has_rows && tensor.bytes >= 4; }

  // Describes an object that is a usable tensor; false for any other one.
  bool describe(nb::handle object, Tensor& out) const {
    if (reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())) != type_) {
      return false;
    }
    ExchangeTensor found{};
    if (api_->describe(object.ptr(), &found) != 0) {
      PyErr_Clear();
      return false;
    }
    const std::optional<Element> element = element_of(found.dtype);
    if (found.device.type != kCudaDevice || !element || found.dimensions < 1 ||
        found.dimensions > 2 || !is_in_one_piece(found) || requires_gradient(object)) {
      return false;
    }
    out = {.data = static_cast<char*>(found.data) + found.byte_offset,
           .length = static_cast<uint64_t>(found.shape[0]),
           .columns = found.dimensions == 2 ? static_cast<uint64_t>(found.shape[1]) : 1,
           .has_rows = found.dimensions == 2,
           .element = *element,
           .bytes = found.dtype.bits / 8,
           .device = found.device.number};
    return true;
  }

  // True also where the tensor does not say.
  bool requires_gradient(nb::handle tensor) const {
    PyObject* found = PyObject_GetAttr(tensor.ptr(), requires_grad_);
    if (found == nullptr) {
      PyErr_Clear();
      return true;
    }
    const bool is_false = found == Py_False;
    Py_DECREF(found);
    return !is_false;
  }

  bool current_stream(int32_t device, void*& out) const {
    if (api_->current_stream(kCudaDevice, device, &out) != 0) {
      PyErr_Clear();
      return false;
    }
    if (out == nullptr) {
      out = reinterpret_cast<void*>(uintptr_t{1});  // the legacy default stream by its other name
    }
    return true;
  }

  PyObject* type_;           // compared only; the caller keeps it
  PyObject* requires_grad_;  // the attribute's name, kept to the end
  const ExchangeApi* api_ = nullptr;
  ReduceCall reduce_ = nullptr;
  AddRowsCall add_rows_ = nullptr;
  TakeCall take_ = nullptr;
  TakeRowsCall take_rows_ = nullptr;
  CountCall count_ = nullptr;
  ScatterCall scatter_ = nullptr;
  ScanCall scan_ = nullptr;
};

}  // namespace

void bind_tensors(nb::module_& module) {
  using namespace nb::literals;
  nb::list names;
  for (const char* name : kFunctions) {
    names.append(name);
  }
  auto calls = nb::class_<TensorCalls>(module, "TensorCalls");
  calls.attr("functions") = nb::tuple(names);
  calls
      .def(nb::init<nb::handle, nb::handle, const std::vector<uintptr_t>&>(), "type"_a, "capsule"_a,
           "addresses"_a)
      // None is no tensor, as any other object: the caller names the argument
      .def("reduce", &TensorCalls::reduce, "out"_a.none(), "labels"_a.none(), "values"_a.none(),
           "operation"_a, "checked"_a.none(), "deterministic"_a.none())
      .def("count", &TensorCalls::count, "out"_a.none(), "labels"_a.none(), "checked"_a.none())
      .def("scatter", &TensorCalls::scatter, "out"_a.none(), "labels"_a.none(), "values"_a.none(),
           "checked"_a.none())
      .def("scan", &TensorCalls::scan, "out"_a.none(), "labels"_a.none(), "values"_a.none(),
           "sums"_a.none(), "inclusive"_a.none(), "checked"_a.none())
      .def("take", &TensorCalls::take, "table"_a.none(), "indices"_a.none(), "out"_a.none(),
           "checked"_a.none());
}

}  // namespace presort::python
