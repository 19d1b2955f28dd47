// class TensorCalls of the module: presort.cuda's calls on tensors of libraries that tell quickly what
// a tensor is (tensor_libraries.h). One call from Python checks the tensors, asks for the current stream
// and runs a function of libpresort_cuda.so (python/src/cuda/entry.cu), without the interpreter's lock.
// Only calls without anything unusual are made; python/presort/cuda.py makes the others, and says what is
// wrong.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "module.h"
#include "tensor_libraries.h"

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
using TagCall = int (*)(int, const void*, uint64_t, int, void*, uint64_t, void*, void*, int, int);
using SortCall = int (*)(int, const void*, int, const void*, uint64_t, uint64_t, int, void*, void*,
                         void*, void*, int, int);
using ScanCall = int (*)(int, const void*, int, int, const void*, uint64_t, void*, uint64_t, void*,
                         void*, int, int);
using GroupCall = int (*)(int, const void*, int, const void*, uint64_t, void*, void*, void*,
                          uint64_t, void*, void*, void*, int);

// Their names after "presort_cuda_", in the order in which their addresses are handed over
constexpr std::array kFunctions = {"reduce",  "add_rows", "take", "take_rows", "count",
                                   "scatter", "scan",     "tag",  "sort",      "group_sum"};

// Numbers of operators in python/src/cuda/elements.cuh
enum Operator : int { kSum, kProduct, kLeast, kGreatest, kSumInOrder };

constexpr int kOtherwise = -1;  // nothing was done

class TensorCalls {
 public:
  // addresses: those of kFunctions. Errors: nb::value_error for another number of addresses
  explicit TensorCalls(const std::vector<uintptr_t>& addresses) {
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
    tag_ = reinterpret_cast<TagCall>(addresses[7]);
    sort_ = reinterpret_cast<SortCall>(addresses[8]);
    group_sum_ = reinterpret_cast<GroupCall>(addresses[9]);
  }

  TensorCalls(const TensorCalls&) = delete;
  TensorCalls& operator=(const TensorCalls&) = delete;

  // Libraries whose tensors are taken from then on (tensor_libraries.h). Those of one call are of one
  // library
  void add_exchange(nb::handle type, nb::handle capsule) {
    libraries_.push_back(library_by_exchange(type, capsule));
  }
  void add_cupy(nb::handle type, const std::vector<std::pair<nb::object, int>>& elements,
                nb::object streams) {
    libraries_.push_back(library_of_cupy(type, elements, std::move(streams)));
  }

  // out[labels[j]] = operation(out[labels[j]], values[j]) by operator `operation` (elements.cuh);
  // sums in the order of the inputs if `deterministic`. Returns what the library returns, or
  // kOtherwise
  int reduce(nb::handle out, nb::handle labels, nb::handle values, int operation, nb::handle checks,
             nb::handle deterministic) const {
    const bool checked = is_true(checks);
    const bool in_order = is_true(deterministic);
    const TensorLibrary* const library = library_of(out);
    Tensor to;
    Tensor by;
    Tensor from;
    if (!describe(library, out, to) || !describe(library, labels, by) ||
        !describe(library, values, from) || !has_labels(by) || by.device != to.device ||
        from.device != to.device || from.element != to.element || from.length != by.length ||
        from.has_rows != to.has_rows || from.columns != to.columns) {
      return kOtherwise;
    }
    const bool sums_rows = to.has_rows || to.bytes == 2;  // sums of halves: rows of one column
    const bool is_real = to.element == kF32 || to.element == kF64;
    if ((sums_rows && operation != kSum) || (in_order && operation == kProduct && is_real)) {
      return kOtherwise;
    }
    void* stream = nullptr;
    if (!library->current_stream(to.device, stream)) {
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
    const TensorLibrary* const library = library_of(out);
    Tensor to;
    Tensor by;
    if (!describe(library, out, to) || !describe(library, labels, by) || !has_labels(to) ||
        !has_labels(by) || by.device != to.device) {
      return kOtherwise;
    }
    void* stream = nullptr;
    if (!library->current_stream(to.device, stream)) {
      return kOtherwise;
    }
    const nb::gil_scoped_release released;
    return count_(by.bytes, by.data, by.length, to.bytes, to.data, to.length, stream, checked,
                  to.device);
  }

  // out[labels[j]] = values[j]. Returns as reduce
  int scatter(nb::handle out, nb::handle labels, nb::handle values, nb::handle checks) const {
    const bool checked = is_true(checks);
    const TensorLibrary* const library = library_of(out);
    Tensor to;
    Tensor by;
    Tensor from;
    if (!describe(library, out, to) || !describe(library, labels, by) ||
        !describe(library, values, from) || !has_labels(by) || !has_words(to) || from.has_rows ||
        from.element != to.element || by.device != to.device || from.device != to.device ||
        from.length != by.length) {
      return kOtherwise;
    }
    void* stream = nullptr;
    if (!library->current_stream(to.device, stream)) {
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
    const TensorLibrary* const library = library_of(out);
    Tensor to;
    Tensor by;
    Tensor from;
    Tensor totals;
    if (!describe(library, out, to) || !describe(library, labels, by) ||
        !describe(library, values, from) || !describe(library, sums, totals) || !has_labels(by) ||
        !has_words(to) || from.has_rows || totals.has_rows || from.element != to.element ||
        totals.element != to.element || by.device != to.device || from.device != to.device ||
        totals.device != to.device || from.length != by.length || to.length != by.length) {
      return kOtherwise;
    }
    void* stream = nullptr;
    if (!library->current_stream(to.device, stream)) {
      return kOtherwise;
    }
    const nb::gil_scoped_release released;
    return scan_(by.bytes, by.data, to.element, is_inclusive, from.data, by.length, totals.data,
                 totals.length, to.data, stream, checked, to.device);
  }

  // out[i] = counts[labels[i]] + the number of earlier inputs with its label, and counts the whole counts.
  // Returns as reduce
  int tag(nb::handle out, nb::handle labels, nb::handle counts, nb::handle checks) const {
    const bool checked = is_true(checks);
    const TensorLibrary* const library = library_of(out);
    Tensor to;
    Tensor by;
    Tensor totals;
    if (!describe(library, out, to) || !describe(library, labels, by) ||
        !describe(library, counts, totals) || !has_labels(to) || !has_labels(by) ||
        totals.has_rows || totals.element != to.element || by.device != to.device ||
        totals.device != to.device || to.length != by.length) {
      return kOtherwise;
    }
    void* stream = nullptr;
    if (!library->current_stream(to.device, stream)) {
      return kOtherwise;
    }
    const nb::gil_scoped_release released;
    return tag_(by.bytes, by.data, by.length, to.bytes, totals.data, totals.length, to.data, stream,
                checked, to.device);
  }

  // Labels below m and values, by the labels' top `bits` bits, into sorted_labels and sorted_values;
  // begins of the parts into starts, 8 bytes each. Returns as reduce. Requires: 1 <= bits < 64
  int sort(nb::handle labels, nb::handle values, uint64_t m, int bits, nb::handle sorted_labels,
           nb::handle sorted_values, nb::handle starts, nb::handle checks) const {
    const bool checked = is_true(checks);
    const TensorLibrary* const library = library_of(sorted_labels);
    Tensor by;
    Tensor from;
    Tensor to;
    Tensor to_values;
    Tensor begins;
    if (!describe(library, labels, by) || !describe(library, values, from) ||
        !describe(library, sorted_labels, to) || !describe(library, sorted_values, to_values) ||
        !describe(library, starts, begins) || !has_labels(by) || !has_words(from) ||
        !has_labels(begins) || begins.bytes != 8 || to.has_rows || to_values.has_rows ||
        to.element != by.element || to_values.element != from.element || from.length != by.length ||
        to.length != by.length || to_values.length != by.length ||
        begins.length != (uint64_t{1} << bits) + 1) {
      return kOtherwise;
    }
    for (const Tensor& one : {from, to, to_values, begins}) {
      if (one.device != by.device) {
        return kOtherwise;
      }
    }
    void* stream = nullptr;
    if (!library->current_stream(by.device, stream)) {
      return kOtherwise;
    }
    const nb::gil_scoped_release released;
    return sort_(by.bytes, by.data, from.bytes, from.data, by.length, m, bits, to.data,
                 to_values.data, begins.data, stream, checked, by.device);
  }

  // Sums of values by key into out_sums of out_keys, and into out_counts, which may be None, the inputs
  // of each. Returns as reduce, and the number of groups; with a tensor `count`, which may be None, 0
  // instead, as the number goes there.
  std::pair<int, uint64_t> group_sum(nb::handle keys, nb::handle values, nb::handle out_keys,
                                     nb::handle out_sums, nb::handle out_counts,
                                     nb::handle count) const {
    constexpr std::pair<int, uint64_t> kNothing = {kOtherwise, 0};
    const TensorLibrary* const library = library_of(out_keys);
    Tensor by;
    Tensor from;
    Tensor to;
    Tensor sums;
    Tensor counts;
    Tensor number;
    if (!describe(library, keys, by) || !describe(library, values, from) ||
        !describe(library, out_keys, to) || !describe(library, out_sums, sums) || !has_labels(by) ||
        !has_words(from) || to.has_rows || sums.has_rows || to.element != by.element ||
        sums.element != from.element || from.length != by.length || sums.length != to.length ||
        from.device != by.device || to.device != by.device || sums.device != by.device) {
      return kNothing;
    }
    if (!out_counts.is_none() &&
        (!describe(library, out_counts, counts) || !has_labels(counts) || counts.bytes != 4 ||
         counts.length != to.length || counts.device != by.device)) {
      return kNothing;
    }
    if (!count.is_none() &&
        (!describe(library, count, number) || !has_labels(number) || number.bytes != 8 ||
         number.length != 1 || number.device != by.device)) {
      return kNothing;
    }
    void* stream = nullptr;
    if (!library->current_stream(by.device, stream)) {
      return kNothing;
    }
    uint64_t found = 0;
    const nb::gil_scoped_release released;
    const int code =
        group_sum_(by.bytes, by.data, from.element, from.data, by.length, to.data, sums.data,
                   counts.data, to.length, number.data, &found, stream, by.device);
    return {code, found};
  }

  // out[i] = table[indices[i]]. Returns as reduce
  int take(nb::handle table, nb::handle indices, nb::handle out, nb::handle checks) const {
    const bool checked = is_true(checks);
    const TensorLibrary* const library = library_of(out);
    Tensor from;
    Tensor by;
    Tensor to;
    if (!describe(library, table, from) || !describe(library, indices, by) ||
        !describe(library, out, to) || !has_labels(by) || by.device != to.device ||
        from.device != to.device || from.element != to.element || to.length != by.length ||
        from.has_rows != to.has_rows || from.columns != to.columns) {
      return kOtherwise;
    }
    void* stream = nullptr;
    if (!library->current_stream(to.device, stream)) {
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

  // The library of a tensor; null if it is of none.
  const TensorLibrary* library_of(nb::handle object) const {
    for (const auto& library : libraries_) {
      if (library->has(object)) {
        return library.get();
      }
    }
    return nullptr;
  }

  // Describes an object that is a usable tensor of a library; false for any other one.
  static bool describe(const TensorLibrary* library, nb::handle object, Tensor& out) {
    return library != nullptr && library->has(object) && library->describe(object, out);
  }

  std::vector<std::unique_ptr<TensorLibrary>> libraries_;
  ReduceCall reduce_ = nullptr;
  AddRowsCall add_rows_ = nullptr;
  TakeCall take_ = nullptr;
  TakeRowsCall take_rows_ = nullptr;
  CountCall count_ = nullptr;
  ScatterCall scatter_ = nullptr;
  ScanCall scan_ = nullptr;
  TagCall tag_ = nullptr;
  SortCall sort_ = nullptr;
  GroupCall group_sum_ = nullptr;
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
  calls.def(nb::init<const std::vector<uintptr_t>&>(), "addresses"_a)
      .def("add_exchange", &TensorCalls::add_exchange, "type"_a, "capsule"_a)
      .def("add_cupy", &TensorCalls::add_cupy, "type"_a, "elements"_a, "streams"_a)
      // None is no tensor, as any other object: the caller names the argument
      .def("reduce", &TensorCalls::reduce, "out"_a.none(), "labels"_a.none(), "values"_a.none(),
           "operation"_a, "checked"_a.none(), "deterministic"_a.none())
      .def("count", &TensorCalls::count, "out"_a.none(), "labels"_a.none(), "checked"_a.none())
      .def("scatter", &TensorCalls::scatter, "out"_a.none(), "labels"_a.none(), "values"_a.none(),
           "checked"_a.none())
      .def("scan", &TensorCalls::scan, "out"_a.none(), "labels"_a.none(), "values"_a.none(),
           "sums"_a.none(), "inclusive"_a.none(), "checked"_a.none())
      .def("tag", &TensorCalls::tag, "out"_a.none(), "labels"_a.none(), "counts"_a.none(),
           "checked"_a.none())
      .def("sort", &TensorCalls::sort, "labels"_a.none(), "values"_a.none(), "m"_a, "bits"_a,
           "sorted_labels"_a.none(), "sorted_values"_a.none(), "starts"_a.none(),
           "checked"_a.none())
      .def("group_sum", &TensorCalls::group_sum, "keys"_a.none(), "values"_a.none(),
           "out_keys"_a.none(), "out_sums"_a.none(), "out_counts"_a.none(), "count"_a.none())
      .def("take", &TensorCalls::take, "table"_a.none(), "indices"_a.none(), "out"_a.none(),
           "checked"_a.none());
}

}  // namespace presort::python
