// class Context of the module: presort/arrays/calls.h on arrays of Python. Each call releases the
// interpreter's lock while a kernel runs. Arrays are C-contiguous and on the CPU; python/presort/
// has made their shapes and types fit, and names them in messages.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>

#include "context.h"
#include "module.h"
#include "presort/arrays/calls.h"
#include "presort/arrays/group.h"
#include "presort/arrays/rows.h"
#include "presort/core/error.h"

namespace presort::python {

namespace nb = nanobind;

namespace {

using ReadArray = nb::ndarray<nb::ro, nb::c_contig, nb::ndim<1>, nb::device::cpu>;
using WriteArray = nb::ndarray<nb::c_contig, nb::ndim<1>, nb::device::cpu>;

ScalarType type_of(const char* argument, nb::dlpack::dtype type) {
  using Code = nb::dlpack::dtype_code;
  const auto code = static_cast<Code>(type.code);
  const bool wide = type.bits == 64;
  if ((type.bits == 32 || wide) && type.lanes == 1) {
    switch (code) {
      case Code::UInt:
        return wide ? ScalarType::u64 : ScalarType::u32;
      case Code::Int:
        return wide ? ScalarType::i64 : ScalarType::i32;
      case Code::Float:
        return wide ? ScalarType::f64 : ScalarType::f32;
      default:
        break;
    }
  }
  throw InputError(std::string(argument) +
                   ": found elements of another type, accepted: int32, int64, uint32, uint64, "
                   "float32, float64");
}

template <class Array>
arrays::Input input(const char* argument, const Array& array) {
  return {array.data(), array.shape(0), type_of(argument, array.dtype())};
}

arrays::Output output(const char* argument, const WriteArray& array) {
  return {array.data(), array.shape(0), type_of(argument, array.dtype())};
}

void multireduce(Context& context, const ReadArray& labels, const ReadArray& values,
                 const WriteArray& buckets, arrays::Operator op, bool checked) {
  const arrays::Input from = input("labels", labels);
  const arrays::Input in = input("values", values);
  const arrays::Output to = output("out", buckets);
  context.run(checked, [&](const PlanSource& source, const CallOptions& options) {
    return arrays::multireduce(from, in, to, op, source, options);
  });
}

void scatter(Context& context, const ReadArray& labels, const ReadArray& values,
             const WriteArray& buckets, bool checked) {
  const arrays::Input from = input("labels", labels);
  const arrays::Input in = input("values", values);
  const arrays::Output to = output("out", buckets);
  context.run(checked, [&](const PlanSource& source, const CallOptions& options) {
    return arrays::scatter(from, in, to, source, options);
  });
}

void gather(Context& context, const ReadArray& labels, const ReadArray& table,
            const WriteArray& results, bool checked) {
  const arrays::Input from = input("labels", labels);
  const arrays::Input in = input("table", table);
  const arrays::Output to = output("out", results);
  context.run(checked, [&](const PlanSource& source, const CallOptions& options) {
    return arrays::gather(from, in, to, source, options);
  });
}

void histogram(Context& context, const ReadArray& labels, const WriteArray& counts, bool checked) {
  const arrays::Input from = input("labels", labels);
  const arrays::Output to = output("out", counts);
  context.run(checked, [&](const PlanSource& source, const CallOptions& options) {
    return arrays::histogram(from, to, source, options);
  });
}

void multiscan(Context& context, const ReadArray& labels, const ReadArray& values,
               const WriteArray& buckets, const WriteArray& results, bool inclusive, bool checked) {
  const arrays::Input from = input("labels", labels);
  const arrays::Input in = input("values", values);
  const arrays::Output through = output("start", buckets);
  const arrays::Output to = output("out", results);
  const Scan scan = inclusive ? Scan::inclusive : Scan::exclusive;
  context.run(checked, [&](const PlanSource& source, const CallOptions& options) {
    return arrays::multiscan(scan, from, in, through, to, source, options);
  });
}

void multitag(Context& context, const ReadArray& labels, const WriteArray& counts,
              const WriteArray& results, bool checked) {
  const arrays::Input from = input("labels", labels);
  const arrays::Output through = output("counts", counts);
  const arrays::Output to = output("out", results);
  context.run(checked, [&](const PlanSource& source, const CallOptions& options) {
    return arrays::multitag(from, through, to, source, options);
  });
}

// Rows are handed over as arrays of one dimension with all their elements; m counts rows.
void add_rows(Context& context, const ReadArray& labels, const ReadArray& values,
              const WriteArray& buckets, size_t m, size_t columns, bool checked) {
  const arrays::Input from = input("labels", labels);
  const arrays::Input in = input("values", values);
  const arrays::Output to = output("out", buckets);
  context.run_without_plan(checked, [&](const CallOptions& options) {
    arrays::add_rows(from, in, to, m, columns, options);
  });
}

void take_rows(Context& context, const ReadArray& labels, const ReadArray& table,
               const WriteArray& results, size_t m, size_t columns, bool checked) {
  const arrays::Input from = input("labels", labels);
  const arrays::Input in = input("table", table);
  const arrays::Output to = output("out", results);
  context.run_without_plan(checked, [&](const CallOptions& options) {
    arrays::take_rows(from, in, to, m, columns, options);
  });
}

// The groups as (keys, sums, counts), arrays that share the memory of one result. Keys and sums have the
// types of keys and values; counts are uint64.
nb::tuple group_sum(Context& context, const ReadArray& keys, const ReadArray& values) {
  const arrays::Input from = input("keys", keys);
  const arrays::Input in = input("values", values);
  auto groups = std::make_unique<arrays::Groups>();
  context.run_without_plan(
      false, [&](const CallOptions& options) { *groups = arrays::group_sum(from, in, options); });
  arrays::Groups* const result = groups.release();
  const nb::capsule owner(
      result, [](void* memory) noexcept { delete static_cast<arrays::Groups*>(memory); });
  const size_t count = result->count;
  using Array = nb::ndarray<nb::numpy>;
  const auto array = [&](const void* data, nb::dlpack::dtype type) {
    return Array(const_cast<void*>(data), {count}, owner, {},
                 type);  // NOLINT: the result is Python's
  };
  return nb::make_tuple(array(result->keys, keys.dtype()), array(result->sums, values.dtype()),
                        array(result->counts, nb::dtype<uint64_t>()));
}

void partial_sort(Context& context, const ReadArray& labels, const ReadArray& values, size_t m,
                  const WriteArray& sorted_labels, const WriteArray& sorted_values,
                  const WriteArray& part_starts, int sort_bits, bool checked) {
  const arrays::Input from = input("labels", labels);
  const arrays::Input in = input("values", values);
  const arrays::Output to_labels = output("sorted_labels", sorted_labels);
  const arrays::Output to_values = output("sorted_values", sorted_values);
  const arrays::Output starts = output("part_starts", part_starts);
  context.run(checked, [&](const PlanSource&, const CallOptions& options) {
    return arrays::partial_sort(from, in, m, to_labels, to_values, starts, sort_bits, options);
  });
}

}  // namespace

void bind_arrays(nb::module_& module) {
  using namespace nb::literals;
  nb::enum_<arrays::Operator>(module, "Operator")
      .value("sum", arrays::Operator::sum)
      .value("prod", arrays::Operator::product)
      .value("min", arrays::Operator::least)
      .value("max", arrays::Operator::greatest);
  // Results are written into the caller's own arrays without a copy.
  nb::class_<Context>(module, "Context")
      .def(nb::init<>())
      .def("choose_from", &Context::choose_from, "file"_a)
      .def("use_plan", &Context::use_plan, "plan"_a)
      .def("choose_by_rule", &Context::choose_by_rule)
      .def("set_threads", &Context::set_threads, "threads"_a)
      .def("release", &Context::release)
      .def("last_plan", &Context::last_plan)
      .def("multireduce", &multireduce, "labels"_a.noconvert(), "values"_a.noconvert(),
           "out"_a.noconvert(), "op"_a, "checked"_a)
      .def("scatter", &scatter, "labels"_a.noconvert(), "values"_a.noconvert(), "out"_a.noconvert(),
           "checked"_a)
      .def("gather", &gather, "labels"_a.noconvert(), "table"_a.noconvert(), "out"_a.noconvert(),
           "checked"_a)
      .def("histogram", &histogram, "labels"_a.noconvert(), "out"_a.noconvert(), "checked"_a)
      .def("multiscan", &multiscan, "labels"_a.noconvert(), "values"_a.noconvert(),
           "start"_a.noconvert(), "out"_a.noconvert(), "inclusive"_a, "checked"_a)
      .def("multitag", &multitag, "labels"_a.noconvert(), "counts"_a.noconvert(),
           "out"_a.noconvert(), "checked"_a)
      .def("add_rows", &add_rows, "labels"_a.noconvert(), "values"_a.noconvert(),
           "out"_a.noconvert(), "m"_a, "columns"_a, "checked"_a)
      .def("take_rows", &take_rows, "labels"_a.noconvert(), "table"_a.noconvert(),
           "out"_a.noconvert(), "m"_a, "columns"_a, "checked"_a)
      .def("group_sum", &group_sum, "keys"_a.noconvert(), "values"_a.noconvert())
      .def("partial_sort", &partial_sort, "labels"_a.noconvert(), "values"_a.noconvert(), "m"_a,
           "sorted_labels"_a.noconvert(), "sorted_values"_a.noconvert(),
           "part_starts"_a.noconvert(), "sort_bits"_a, "checked"_a);
}

}  // namespace presort::python
