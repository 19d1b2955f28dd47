#include "tensor_libraries.h"

#include <algorithm>
#include <optional>
#include <span>

#include "exchange.h"

namespace presort::python {

namespace nb = nanobind;

namespace {

constexpr int kMostDimensions = 2;

constexpr int bytes_of(int element) {
  switch (element) {
    case kU64:
    case kI64:
    case kF64:
      return 8;
    case kF16:
    case kBf16:
      return 2;
    default:
      return 4;
  }
}

// A reference to an object that a call made; null after an error, which is cleared.
nb::object made(PyObject* object) {
  if (object == nullptr) {
    PyErr_Clear();
  }
  return nb::steal(object);
}

// Name of an attribute, made once.
class Attribute {
 public:
  explicit Attribute(const char* name) : name_(nb::steal(PyUnicode_InternFromString(name))) {}
  // Null if the object has no such attribute, or looking fails.
  nb::object of(nb::handle object) const {
    return made(PyObject_GetAttr(object.ptr(), name_.ptr()));
  }

 private:
  nb::object name_;
};

// A number of Python; no value for null and for what is no number of this size.
std::optional<uint64_t> number(nb::handle object) {
  if (!object.is_valid()) {
    return std::nullopt;
  }
  const uint64_t found = PyLong_AsUnsignedLongLong(object.ptr());
  if (found == ~uint64_t{0} && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return std::nullopt;
  }
  return found;
}

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

class ByExchange final : public TensorLibrary {
 public:
  ByExchange(nb::handle type, const ExchangeApi& api) : TensorLibrary(type), api_(api) {}

  bool describe(nb::handle object, Tensor& out) const override {
    ExchangeTensor found{};
    if (api_.describe(object.ptr(), &found) != 0) {
      PyErr_Clear();
      return false;
    }
    const std::optional<Element> element = element_of(found.dtype);
    if (found.device.type != kCudaDevice || !element || found.dimensions < 1 ||
        found.dimensions > kMostDimensions || !is_in_one_piece(found) ||
        requires_gradient(object)) {
      return false;
    }
    out = {.data = static_cast<char*>(found.data) + found.byte_offset,
           .length = static_cast<uint64_t>(found.shape[0]),
           .columns = found.dimensions == 2 ? static_cast<uint64_t>(found.shape[1]) : 1,
           .has_rows = found.dimensions == 2,
           .element = *element,
           .bytes = bytes_of(*element),
           .device = found.device.number};
    return true;
  }

 private:
  // True also where the tensor does not say.
  bool requires_gradient(nb::handle tensor) const {
    return requires_grad_.of(tensor).ptr() != Py_False;
  }

  bool find_stream(int32_t device, void*& out) const override {
    if (api_.current_stream(kCudaDevice, device, &out) != 0) {
      PyErr_Clear();
      return false;
    }
    return true;
  }

  Attribute requires_grad_{"requires_grad"};
  const ExchangeApi& api_;
};

class OfCupy final : public TensorLibrary {
 public:
  OfCupy(nb::handle type, const std::vector<std::pair<nb::object, int>>& elements,
         nb::object streams)
      : TensorLibrary(type), elements_(elements), streams_(std::move(streams)) {}

  bool describe(nb::handle object, Tensor& out) const override {
    const std::optional<int> element = element_of(dtype_.of(object));
    const std::optional<uint64_t> dimensions = number(dimensions_.of(object));
    if (!element || !dimensions || *dimensions < 1 || *dimensions > kMostDimensions ||
        contiguous_.of(object).ptr() != Py_True) {
      return false;
    }
    const nb::object data = data_.of(object);
    if (!data.is_valid()) {
      return false;
    }
    const std::optional<uint64_t> address = number(address_.of(data));
    const std::optional<uint64_t> device = number(device_.of(data));
    if (!address || !device || *device > INT32_MAX) {
      return false;
    }
    out = {.data = reinterpret_cast<char*>(static_cast<uintptr_t>(*address)),
           .has_rows = *dimensions == 2,
           .element = *element,
           .bytes = bytes_of(*element),
           .device = static_cast<int32_t>(*device)};
    return out.has_rows ? put_shape(object, out) : put_size(object, out);
  }

 private:
  std::optional<int> element_of(const nb::object& dtype) const {
    for (const auto& [known, element] : elements_) {
      if (known.is(dtype)) {
        return element;
      }
    }
    return std::nullopt;
  }

  // The length of one dimension. `size` is read ten times as fast as `shape`.
  bool put_size(nb::handle object, Tensor& out) const {
    const std::optional<uint64_t> size = number(size_.of(object));
    out.length = size.value_or(0);
    return size.has_value();
  }

  bool put_shape(nb::handle object, Tensor& out) const {
    const nb::object shape = shape_.of(object);
    if (!shape.is_valid() || !PyTuple_Check(shape.ptr()) || PyTuple_Size(shape.ptr()) != 2) {
      return false;
    }
    const std::optional<uint64_t> rows = number(PyTuple_GetItem(shape.ptr(), 0));
    const std::optional<uint64_t> columns = number(PyTuple_GetItem(shape.ptr(), 1));
    out.length = rows.value_or(0);
    out.columns = columns.value_or(0);
    return rows && columns;
  }

  bool find_stream(int32_t device, void*& out) const override {
    const nb::object number_of_device = made(PyLong_FromLong(device));
    if (!number_of_device.is_valid()) {
      return false;
    }
    const nb::object stream =
        made(PyObject_CallFunctionObjArgs(streams_.ptr(), number_of_device.ptr(), nullptr));
    if (!stream.is_valid()) {
      return false;
    }
    const std::optional<uint64_t> address = number(stream_.of(stream));
    out = reinterpret_cast<void*>(static_cast<uintptr_t>(address.value_or(0)));
    return address.has_value();
  }

  std::vector<std::pair<nb::object, int>> elements_;
  nb::object streams_;
  Attribute dtype_{"dtype"};
  Attribute dimensions_{"ndim"};
  Attribute contiguous_{"_c_contiguous"};
  Attribute data_{"data"};
  Attribute address_{"ptr"};
  Attribute device_{"device_id"};
  Attribute size_{"size"};
  Attribute shape_{"shape"};
  Attribute stream_{"ptr"};
};

}  // namespace

bool TensorLibrary::current_stream(int32_t device, void*& out) const {
  if (!find_stream(device, out)) {
    return false;
  }
  if (out == nullptr) {
    out = reinterpret_cast<void*>(uintptr_t{1});  // the legacy default stream by its other name
  }
  return true;
}

std::unique_ptr<TensorLibrary> library_by_exchange(nb::handle type, nb::handle capsule) {
  void* found = PyCapsule_GetPointer(capsule.ptr(), kExchangeCapsule);
  if (found == nullptr) {
    throw nb::python_error();
  }
  const auto* api = static_cast<const ExchangeApi*>(found);
  if (api->major != kExchangeVersion || api->describe == nullptr) {
    throw nb::value_error("__dlpack_c_exchange_api__: found another version, accepted: 1");
  }
  return std::make_unique<ByExchange>(type, *api);
}

std::unique_ptr<TensorLibrary> library_of_cupy(
    nb::handle type, const std::vector<std::pair<nb::object, int>>& elements, nb::object streams) {
  return std::make_unique<OfCupy>(type, elements, std::move(streams));
}

}  // namespace presort::python
