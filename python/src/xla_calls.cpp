// Functions that XLA calls for presort.jax, on the CPU and on a GPU. Results that go on from an
// array stand where that array stands: XLA copies it first if it is still needed.
//   reduce  (out, labels, values) -> out    out[labels[j]] ⊙= values[j]; attribute operation
//   scatter (out, labels, values) -> out    out[labels[j]] = values[j], the last one winning
//   take    (table, indices) -> out         out[i] = table[indices[i]]
//   scan    (sums, labels, values) -> sums, out; attribute operation: 0 exclusive, 1 inclusive
// Arrays are those of presort/arrays/calls.h, or rows of two dimensions for reduce by sums and
// take. Attribute `checks`: 0 labels are not checked, 1 they are, 2 they are on the CPU.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "context.h"
#include "module.h"
#include "presort/arrays/calls.h"
#include "presort/arrays/rows.h"
#include "presort/core/error.h"
#include "xla_frame.h"

namespace presort::python {

namespace nb = nanobind;

namespace {

using xla::Array;
using xla::Type;

// The library's context, kept by the calls of arrays.py too; set before any handler is registered.
std::optional<Context> kept;

void check_same_length(const char* name, const Array& found, const Array& labels) {
  if (found.length != labels.length) {
    throw InputError(std::string(name) + ": found " + std::to_string(found.length) +
                     " elements, accepted: " + std::to_string(labels.length) + ", as labels has");
  }
}

void check_same_kind(const char* name, const Array& found, const Array& accepted) {
  if (found.type != accepted.type || found.has_rows != accepted.has_rows ||
      found.columns != accepted.columns) {
    throw InputError(std::string(name) + ": found another type or other columns than out has");
  }
}

void check_in_place(const Array& before, const Array& after) {
  if (before.data != after.data) {
    throw EnvironmentError("XLA gave a result another place than the array it goes on from");
  }
}

// A call's arrays on the CPU.
ScalarType scalar_type(Type type) {
  switch (type) {
    case Type::i32:
      return ScalarType::i32;
    case Type::i64:
      return ScalarType::i64;
    case Type::u32:
      return ScalarType::u32;
    case Type::u64:
      return ScalarType::u64;
    case Type::f32:
      return ScalarType::f32;
    case Type::f64:
      return ScalarType::f64;
    default:
      throw InputError(
          "values: found another type of elements, accepted on the CPU: int32, int64, "
          "uint32, uint64, float32, float64");
  }
}
arrays::Input input(const Array& array) {
  return {array.data, array.length * array.columns, scalar_type(array.type)};
}
arrays::Output output(const Array& array) {
  return {array.data, array.length * array.columns, scalar_type(array.type)};
}

struct Cpu {
  static constexpr int kChecksByDefault = 1;

  static void reduce(const xla::Frame&, const Array& out, const Array& labels, const Array& values,
                     int operation, bool checked) {
    if (out.has_rows) {
      return kept->run_unlocked_without_plan(checked, [&](const CallOptions& options) {
        arrays::add_rows(input(labels), input(values), output(out), out.length, out.columns,
                         options);
      });
    }
    kept->run_unlocked(checked, [&](const PlanSource& source, const CallOptions& options) {
      return arrays::multireduce(input(labels), input(values), output(out),
                                 static_cast<arrays::Operator>(operation), source, options);
    });
  }
  static void scatter(const xla::Frame&, const Array& out, const Array& labels, const Array& values,
                      bool checked) {
    kept->run_unlocked(checked, [&](const PlanSource& source, const CallOptions& options) {
      return arrays::scatter(input(labels), input(values), output(out), source, options);
    });
  }
  static void take(const xla::Frame&, const Array& table, const Array& indices, const Array& out,
                   bool checked) {
    if (out.has_rows) {
      return kept->run_unlocked_without_plan(checked, [&](const CallOptions& options) {
        arrays::take_rows(input(indices), input(table), output(out), table.length, out.columns,
                          options);
      });
    }
    kept->run_unlocked(checked, [&](const PlanSource& source, const CallOptions& options) {
      return arrays::gather(input(indices), input(table), output(out), source, options);
    });
  }
  static void scan(const xla::Frame&, const Array& sums, const Array& labels, const Array& values,
                   const Array& out, bool inclusive, bool checked) {
    const Scan kind = inclusive ? Scan::inclusive : Scan::exclusive;
    kept->run_unlocked(checked, [&](const PlanSource& source, const CallOptions& options) {
      return arrays::multiscan(kind, input(labels), input(values), output(sums), output(out),
                               source, options);
    });
  }
};

// Addresses of functions of libpresort_cuda.so by CudaFunction; set before a handler is registered.
std::array<uintptr_t, 7> cuda_functions{};
enum CudaFunction { kReduce, kAddRows, kScatter, kTake, kTakeRows, kScan, kErrorText };
constexpr std::array kCudaNames = {"reduce",    "add_rows", "scatter", "take",
                                   "take_rows", "scan",     "error"};

// A label without a bucket, as libpresort_cuda.so found it
struct WrongLabel : InputError {
  using InputError::InputError;
};

struct Cuda {
  static constexpr int kChecksByDefault = 0;
  static constexpr int kUnknownDevice = -1;
  static constexpr int kSum = 0;

  // Number of an element's type in python/src/cuda/elements.cuh
  static int element(Type type) {
    constexpr std::array kOrder = {Type::u32, Type::u64,  Type::f32, Type::f64,
                                   Type::f16, Type::bf16, Type::i32, Type::i64};
    for (size_t i = 0; i < kOrder.size(); ++i) {
      if (kOrder[i] == type) {
        return static_cast<int>(i);
      }
    }
    throw InputError("values: found another type of elements");
  }
  static int bytes(Type type) {
    constexpr std::array kBytes = {4, 8, 4, 8, 2, 2, 4, 8};  // in the order of element()
    return kBytes[static_cast<size_t>(element(type))];
  }
  static void* stream(const xla::Frame& frame) {
    xla::StreamQuestion question{.struct_size = sizeof question,
                                 .extensions = nullptr,
                                 .context = frame.context,
                                 .stream = nullptr};
    if (frame.api->stream(&question) != nullptr) {
      throw EnvironmentError("XLA names no stream");
    }
    return question.stream;
  }
  template <class... Types>
  static void call(CudaFunction function, Types... arguments) {
    const auto made = reinterpret_cast<int (*)(Types...)>(cuda_functions[function]);
    constexpr int kWrongLabel = 2;
    if (const int code = made(arguments...)) {
      const char* const text = reinterpret_cast<const char* (*)()>(cuda_functions[kErrorText])();
      if (code == kWrongLabel) {
        throw WrongLabel(text);
      }
      throw InputError(text);
    }
  }
  static const void* read(const Array& array) { return array.data; }

  static void reduce(const xla::Frame& frame, const Array& out, const Array& labels,
                     const Array& values, int operation, bool checked) {
    if (out.has_rows || bytes(out.type) == 2) {
      if (operation != kSum) {
        throw InputError("reduce: found another operator, accepted for rows and halves: sum");
      }
      return call(kAddRows, bytes(labels.type), read(labels), element(out.type), read(values),
                  labels.length, out.data, out.length, out.columns, stream(frame), int{checked},
                  kUnknownDevice);
    }
    call(kReduce, bytes(labels.type), read(labels), element(out.type), operation, read(values),
         labels.length, out.data, out.length, stream(frame), int{checked}, kUnknownDevice);
  }
  static void scatter(const xla::Frame& frame, const Array& out, const Array& labels,
                      const Array& values, bool checked) {
    call(kScatter, bytes(labels.type), read(labels), bytes(out.type), read(values), labels.length,
         out.data, out.length, stream(frame), int{checked}, kUnknownDevice);
  }
  static void take(const xla::Frame& frame, const Array& table, const Array& indices,
                   const Array& out, bool checked) {
    if (out.has_rows || bytes(out.type) == 2) {
      return call(kTakeRows, bytes(indices.type), read(indices), indices.length, bytes(out.type),
                  read(table), table.length, out.columns, out.data, stream(frame), int{checked},
                  kUnknownDevice);
    }
    call(kTake, bytes(indices.type), read(indices), indices.length, bytes(out.type), read(table),
         table.length, out.data, stream(frame), int{checked}, kUnknownDevice);
  }
  static void scan(const xla::Frame& frame, const Array& sums, const Array& labels,
                   const Array& values, const Array& out, bool inclusive, bool checked) {
    call(kScan, bytes(labels.type), read(labels), element(out.type), int{inclusive}, read(values),
         labels.length, sums.data, sums.length, out.data, stream(frame), int{checked},
         kUnknownDevice);
  }
};

// Runs a call, if the frame is one; errors become XLA's.
template <class Call>
xla::Error* guarded(const xla::Frame& frame, const Call& call) {
  if (xla::is_question(frame)) {
    return nullptr;
  }
  try {
    call();
    return nullptr;
  } catch (const LabelError& error) {
    return xla::error_of(frame, xla::Code::outOfRange, error.what());
  } catch (const WrongLabel& error) {
    return xla::error_of(frame, xla::Code::outOfRange, error.what());
  } catch (const EnvironmentError& error) {
    return xla::error_of(frame, xla::Code::internal, error.what());
  } catch (const std::exception& error) {
    return xla::error_of(frame, xla::Code::invalidArgument, error.what());
  }
}

template <class Device>
bool checks(const xla::Frame& frame) {
  constexpr int kByDefault = 2;
  const int found = xla::number_of(frame.attributes, "checks");
  return (found == kByDefault ? Device::kChecksByDefault : found) != 0;
}

template <class Device>
xla::Error* reduce(xla::Frame* frame) {
  return guarded(*frame, [&] {
    const Array out = xla::array_at(frame->arguments, 0);
    const Array labels = xla::array_at(frame->arguments, 1);
    const Array values = xla::array_at(frame->arguments, 2);
    check_in_place(out, xla::array_at(frame->results, 0));
    check_same_length("values", values, labels);
    check_same_kind("values", values, out);
    Device::reduce(*frame, out, labels, values, xla::number_of(frame->attributes, "operation"),
                   checks<Device>(*frame));
  });
}

template <class Device>
xla::Error* scatter(xla::Frame* frame) {
  return guarded(*frame, [&] {
    const Array out = xla::array_at(frame->arguments, 0);
    const Array labels = xla::array_at(frame->arguments, 1);
    const Array values = xla::array_at(frame->arguments, 2);
    check_in_place(out, xla::array_at(frame->results, 0));
    check_same_length("values", values, labels);
    check_same_kind("values", values, out);
    Device::scatter(*frame, out, labels, values, checks<Device>(*frame));
  });
}

template <class Device>
xla::Error* take(xla::Frame* frame) {
  return guarded(*frame, [&] {
    const Array table = xla::array_at(frame->arguments, 0);
    const Array indices = xla::array_at(frame->arguments, 1);
    const Array out = xla::array_at(frame->results, 0);
    check_same_length("out", out, indices);
    check_same_kind("table", table, out);
    Device::take(*frame, table, indices, out, checks<Device>(*frame));
  });
}

template <class Device>
xla::Error* scan(xla::Frame* frame) {
  return guarded(*frame, [&] {
    const Array sums = xla::array_at(frame->arguments, 0);
    const Array labels = xla::array_at(frame->arguments, 1);
    const Array values = xla::array_at(frame->arguments, 2);
    const Array out = xla::array_at(frame->results, 1);
    check_in_place(sums, xla::array_at(frame->results, 0));
    check_same_length("values", values, labels);
    check_same_length("out", out, labels);
    check_same_kind("values", values, out);
    check_same_kind("sums", sums, out);
    Device::scan(*frame, sums, labels, values, out,
                 xla::number_of(frame->attributes, "operation") != 0, checks<Device>(*frame));
  });
}

// The handlers of a device by name, as XLA wants them registered.
template <class Device>
nb::dict handlers() {
  nb::dict found;
  const auto add = [&](const char* name, xla::Error* (*handler)(xla::Frame*)) {
    found[name] = nb::capsule(reinterpret_cast<void*>(handler));
  };
  add("reduce", &reduce<Device>);
  add("scatter", &scatter<Device>);
  add("take", &take<Device>);
  add("scan", &scan<Device>);
  return found;
}

}  // namespace

void bind_xla(nb::module_& module) {
  using namespace nb::literals;
  nb::list names;
  for (const char* name : kCudaNames) {
    names.append(name);
  }
  module.attr("xla_cuda_functions") = nb::tuple(names);
  module.def(
      "xla_cpu_handlers",
      [](const Context& context) {
        kept = context;
        return handlers<Cpu>();
      },
      "context"_a);
  module.def(
      "xla_cuda_handlers",
      [](const std::vector<uintptr_t>& addresses) {
        if (addresses.size() != cuda_functions.size()) {
          throw nb::value_error("addresses: found another number of them than of functions");
        }
        std::copy(addresses.begin(), addresses.end(), cuda_functions.begin());
        return handlers<Cuda>();
      },
      "addresses"_a);
}

}  // namespace presort::python
