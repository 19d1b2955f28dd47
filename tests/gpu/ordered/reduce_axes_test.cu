// Tests reductions over axes of tensors: random shapes and strides in every layout against plain
// loops, large ones that are cut into pieces, sums of floats that are the same in every call,
// refused calls.
#include "presort/gpu/reduce_axes.cuh"

#include <doctest/doctest.h>

#include "tests/core/axes_cases.h"
#include "tests/gpu/ordered/ordered_values.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;
using presort::test::Append;
using presort::test::AxesCase;
using presort::test::Digits;
using presort::test::room_of;

namespace {

struct MultiplyAdd {
  __host__ __device__ uint64_t operator()(uint32_t a, uint32_t b) const {
    return uint64_t{a} * b + 1;
  }
};
struct LastDigit {
  __host__ __device__ Digits operator()(uint32_t a, uint32_t b) const { return {(a + b) % 10, 10}; }
};
struct Blend {
  __host__ __device__ float operator()(uint32_t a, uint32_t b) const {
    return 0.1f * static_cast<float>(a) + static_cast<float>(b);
  }
};
struct Same {
  template <class T>
  __host__ __device__ T operator()(T value) const {
    return value;
  }
};

// Layouts of a reduction to test: the one that presort chooses, and others by turns.
std::vector<AxesLayout> layouts_for(const MergedAxes& axes, const AxesLayout& chosen,
                                    std::mt19937_64& random) {
  std::vector<AxesLayout> layouts = {chosen};
  const auto kept = static_cast<int>(axes.kept.size());
  for (int i = 0; i < 4; ++i) {
    AxesLayout layout;
    layout.lane_axis = kept == 0 ? -1 : static_cast<int>(random() % kept);
    layout.reducing_lanes = 1 << random() % 6;
    layout.block_axis = kept == 0 ? -1 : static_cast<int>(random() % kept);
    if (random() % 2 == 0) {
      layout.block_axis = -1;
    }
    layouts.push_back(layout);
  }
  return layouts;
}

template <class Value, class M, class Map>
void check_case(const AxesCase& of, const M& monoid, const Map& map, std::mt19937_64& random) {
  const auto made = [&](const std::vector<int64_t>& strides) {
    std::vector<uint32_t> values(room_of(of.shape, strides).size);
    for (uint32_t& value : values) {
      value = static_cast<uint32_t>(random() % 10);
    }
    return values;
  };
  const auto a = made(of.a);
  const auto b = made(of.b);
  const DeviceArray<uint32_t> device_a(a);
  const DeviceArray<uint32_t> device_b(b);
  const auto room = room_of(of.shape, of.results);
  const std::vector<Value> before(room.size, Value{});
  const auto expected = presort::test::plain_reduce_axes(of, monoid, map, a, b, before);
  const uint32_t* at_a = device_a.span().data() + room_of(of.shape, of.a).origin;
  const uint32_t* at_b = device_b.span().data() + room_of(of.shape, of.b).origin;
  const DeviceArray<Value> results(before);
  Value* at = results.span().data() + room.origin;
  AxesPlan plan =
      plan_axes<M>(of.shape, Strided<Value>{at, of.results}, Strided<const uint32_t>{at_a, of.a},
                   Strided<const uint32_t>{at_b, of.b});
  for (const AxesLayout& layout : layouts_for(plan.axes, plan.layout, random)) {
    plan.layout = layout;
    plan.geometry = geometry_of(plan.axes, layout, M::is_commutative);
    PRESORT_CUDA(cudaMemcpy(results.span().data(), before.data(), before.size() * sizeof(Value),
                            cudaMemcpyHostToDevice));
    const DeviceArray<std::byte> scratch(poison(axes_scratch_bytes<Value>(plan)));
    reduce_axes(nullptr, plan, at, monoid, map, scratch.span(), at_a, at_b);
    CAPTURE(to_string(layout));
    CAPTURE(plan.geometry.pieces);
    CHECK(results.host() == expected);
  }
}

// Reduces an array [outer, inner] of ones and twos over either axis, so long that the reduction is
// cut into pieces.
template <class M>
void check_matrix(uint64_t rows, uint64_t columns, int reduced, const M& monoid) {
  std::vector<uint64_t> values(rows * columns);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = i % 7 + 1;
  }
  const AxesShape shape{{rows, columns}, {reduced}};
  const bool keeps_rows = reduced == 1;
  std::vector<uint64_t> expected(keeps_rows ? rows : columns, monoid.identity());
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) {
      uint64_t& to = expected[keeps_rows ? row : column];
      to = monoid(to, values[row * columns + column]);
    }
  }
  const DeviceArray<uint64_t> from(values);
  const DeviceArray<uint64_t> results(std::vector<uint64_t>(expected.size(), 99));
  const Strided<uint64_t> to{results.span().data(),
                             keeps_rows ? std::vector<int64_t>{1, 0} : std::vector<int64_t>{0, 1}};
  const AxesPlan plan = plan_axes<M>(
      shape, to, Strided<const uint64_t>{from.span().data(), {static_cast<int64_t>(columns), 1}});
  const DeviceArray<std::byte> scratch(poison(axes_scratch_bytes<uint64_t>(plan)));
  reduce_axes(nullptr, plan, to.data, monoid, Same{}, scratch.span(),
              static_cast<const uint64_t*>(from.span().data()));
  CAPTURE(rows);
  CAPTURE(columns);
  CAPTURE(reduced);
  CAPTURE(to_string(plan.layout));
  CAPTURE(plan.geometry.pieces);
  CHECK(results.host() == expected);
}

}  // namespace

TEST_CASE("reductions over axes give what plain loops give, whatever strides and layout") {
  std::mt19937_64 random(71);
  for (int i = 0; i < 200; ++i) {
    const AxesCase of = presort::test::random_axes_case(random);
    CAPTURE(i);
    check_case<uint64_t>(of, Sum<uint64_t>{}, MultiplyAdd{}, random);
    check_case<Digits>(of, Append{}, LastDigit{}, random);
  }
}

TEST_CASE("long reductions of few results are cut into pieces") {
  for (const uint64_t rows : {1, 3, 70, 3001}) {
    for (const uint64_t columns : {1, 5, 333, 4097}) {
      for (const int reduced : {0, 1}) {
        check_matrix(rows, columns, reduced, Sum<uint64_t>{});
        check_matrix(rows, columns, reduced, gpu::test::LaterOf<uint64_t>{});
      }
    }
  }
  check_matrix(3, 3000001, 1, Sum<uint64_t>{});
  check_matrix(3000001, 3, 0, Sum<uint64_t>{});
  check_matrix(3, 3000001, 1, gpu::test::LaterOf<uint64_t>{});
  check_matrix(3000001, 3, 0, gpu::test::LaterOf<uint64_t>{});
}

TEST_CASE("sums of floats over axes have the same bits in every call") {
  std::mt19937_64 random(72);
  for (int i = 0; i < 20; ++i) {
    const AxesCase of = presort::test::random_axes_case(random);
    std::vector<uint32_t> values(room_of(of.shape, of.a).size + room_of(of.shape, of.b).size);
    for (uint32_t& value : values) {
      value = static_cast<uint32_t>(random() % 1000003);
    }
    const DeviceArray<uint32_t> from(values);
    const uint32_t* at_a = from.span().data() + room_of(of.shape, of.a).origin;
    const uint32_t* at_b = from.span().data() + room_of(of.shape, of.b).origin;
    const auto room = room_of(of.shape, of.results);
    std::vector<float> first;
    int differing = 0;
    for (int call = 0; call < 3; ++call) {
      const DeviceArray<float> results(std::vector<float>(room.size, 0.0f));
      float* at = results.span().data() + room.origin;
      const AxesPlan plan = plan_axes<Sum<float>>(of.shape, Strided<float>{at, of.results},
                                                  Strided<const uint32_t>{at_a, of.a},
                                                  Strided<const uint32_t>{at_b, of.b});
      const DeviceArray<std::byte> scratch(poison(axes_scratch_bytes<float>(plan)));
      reduce_axes(nullptr, plan, at, Sum<float>{}, Blend{}, scratch.span(), at_a, at_b);
      const std::vector<float> found = results.host();
      first = call == 0 ? found : first;
      differing += found != first;
    }
    CHECK(differing == 0);
  }
}

TEST_CASE("reductions over axes that cannot be are refused before anything is launched") {
  const DeviceArray<uint32_t> results(std::vector<uint32_t>(4, 7));
  const DeviceArray<uint32_t> values(std::vector<uint32_t>(1 << 20, 1));
  const auto plan_of = [&](const AxesShape& shape, const std::vector<int64_t>& of_results,
                           const uint32_t* from, const std::vector<int64_t>& strides) {
    return plan_axes<Sum<uint32_t>>(shape, Strided<uint32_t>{results.span().data(), of_results},
                                    Strided<const uint32_t>{from, strides});
  };
  const uint32_t* from = values.span().data();
  CHECK_THROWS_AS(plan_of({{4, 0}, {1}}, {1, 0}, from, {5, 1}), PlanError);
  CHECK_THROWS_AS(plan_of({{4, 5}, {1}}, {0, 0}, from, {5, 1}), SpanError);
  CHECK_THROWS_AS(plan_of({{4, 5}, {1}}, {1, 0}, results.span().data() + 3, {5, 1}), SpanError);
  // Axes that are not there, or not ascending; a stride of the results on a reduced axis
  CHECK_THROWS_AS(plan_of({{4, 5}, {2}}, {1, 0}, from, {5, 1}), PlanError);
  CHECK_THROWS_AS(plan_of({{4, 5}, {1, 0}}, {0, 0}, from, {5, 1}), PlanError);
  CHECK_THROWS_AS(plan_of({{4, 5}, {-1}}, {1, 0}, from, {5, 1}), PlanError);
  CHECK_THROWS_AS(plan_of({{4, 5}, {1}}, {1, 1}, from, {5, 1}), PlanError);
  // Results that share elements: rows of 3 that begin 2 apart, and of 2 that begin at one place
  CHECK_THROWS_AS(plan_of({{2, 3, 5}, {2}}, {2, 1, 0}, from, {15, 5, 1}), SpanError);
  CHECK_THROWS_AS(plan_of({{2, 2, 5}, {2}}, {1, -1, 0}, from, {10, 5, 1}), SpanError);
  CHECK(results.host() == std::vector<uint32_t>(4, 7));
  const AxesPlan plan = plan_of({{4, 1 << 18}, {1}}, {1, 0}, from, {1 << 18, 1});
  const size_t bytes = axes_scratch_bytes<uint32_t>(plan);
  REQUIRE(bytes > 0);
  const DeviceArray<std::byte> scratch(poison(bytes));
  CHECK_THROWS_AS(reduce_axes(nullptr, plan, results.span().data(), Sum<uint32_t>{}, Same{},
                              scratch.span().first(bytes - 1), from),
                  PlanError);
  CHECK(results.host() == std::vector<uint32_t>(4, 7));
  reduce_axes(nullptr, plan, results.span().data(), Sum<uint32_t>{}, Same{}, scratch.span(), from);
  CHECK(results.host() == std::vector<uint32_t>(4, 1 << 18));
}
