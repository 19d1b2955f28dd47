#include "presort/core/axes/axes.h"

#include <doctest/doctest.h>

#include "presort/core/axes/axes_layout.h"
#include "presort/core/error.h"

namespace presort::inline v0::axes_test {
namespace {

constexpr uintptr_t kSomewhere = 1 << 20;
constexpr uintptr_t kElsewhere = uintptr_t{1} << 40;

StridedLayout tensor(const char* name, uintptr_t address, std::span<const int64_t> strides,
                     size_t bytes = 8) {
  return {name, address, bytes, bytes, strides};
}

MergedAxes merge(const AxesShape& shape, const std::vector<int64_t>& results,
                 const std::vector<std::vector<int64_t>>& operands, bool reorders = true) {
  std::vector<StridedLayout> layouts;
  layouts.reserve(operands.size());
  for (const auto& strides : operands) {
    layouts.push_back(tensor("operand", kElsewhere, strides));
  }
  return merge_axes(shape, tensor("results", kSomewhere, results), layouts, reorders);
}

// The reduction of the benchmark Magnetic Field Extrapolation: a8[i0, i3, i4] and operands [i1, i2,
// i3, i4] of size 75, over i3 and i4.
constexpr int64_t kSize = 75;
MergedAxes magnetic_field(int others) {
  std::vector<std::vector<int64_t>> operands = {{kSize * kSize, 0, 0, kSize, 1}};
  for (int i = 0; i < others; ++i) {
    operands.push_back({0, kSize * kSize * kSize, kSize * kSize, kSize, 1});
  }
  return merge({std::vector<uint64_t>(5, kSize), {3, 4}}, {kSize * kSize, kSize, 1, 0, 0},
               operands);
}

}  // namespace

TEST_CASE("axes that are one for every tensor merge, and those of extent 1 go") {
  CHECK(merge({{4, 5, 6}, {1, 2}}, {1, 0, 0}, {{30, 6, 1}}) ==
        MergedAxes{{{4, 1, {30}}}, {{30, 0, {1}}}, 1});
  CHECK(merge({{4, 1, 6}, {0}}, {0, 0, 1}, {{6, 100, 1}}) ==
        MergedAxes{{{6, 1, {1}}}, {{4, 0, {6}}}, 1});
  // No axes can be merged here: one operand is broadcast along the middle axis.
  CHECK(merge({{4, 5, 6}, {2}}, {5, 1, 0}, {{30, 6, 1}, {6, 0, 1}}).kept.size() == 2);
  const MergedAxes field = magnetic_field(1);
  CHECK(field.kept == std::vector<Axis>{{75, 5625, {5625, 0}}, {5625, 1, {0, 5625}}});
  CHECK(field.reduced == std::vector<Axis>{{5625, 0, {1, 1}}});
}

TEST_CASE("the order of a reduction is kept where it matters") {
  const AxesShape shape{{2, 3, 4}, {0, 1, 2}};
  const std::vector<int64_t> transposed = {1, 2, 6};
  CHECK(merge(shape, {0, 0, 0}, {transposed}, false).reduced.size() == 3);
  CHECK(merge(shape, {0, 0, 0}, {transposed}, true).reduced == std::vector<Axis>{{24, 0, {1}}});
}

TEST_CASE("shapes and strides that do not fit are refused") {
  CHECK_THROWS_WITH_AS(merge({{4, 0}, {1}}, {1, 0}, {{1, 1}}),
                       "axis 1: found extent 0, accepted: 1 or more", PlanError);
  CHECK_THROWS_AS(merge({{4, 5}, {2}}, {1, 0}, {{5, 1}}), PlanError);
  CHECK_THROWS_AS(merge({{4, 5}, {1, 1}}, {1, 0}, {{5, 1}}), PlanError);
  CHECK_THROWS_AS(merge({{4, 5}, {-1}}, {1, 0}, {{5, 1}}), PlanError);
  CHECK_THROWS_AS(merge({{4, 5}, {1}}, {1}, {{5, 1}}), PlanError);
  CHECK_THROWS_AS(merge({{4, 5}, {1}}, {1, 0}, {{5}}), PlanError);
  CHECK_THROWS_AS(merge({{4, 5}, {1}}, {1, 1}, {{5, 1}}), PlanError);
  CHECK_THROWS_AS(merge({{4, 5}, {1}}, {1, 0}, {}), PlanError);
  CHECK_THROWS_AS(merge({{4, 5}, {1}}, {1, 0}, std::vector<std::vector<int64_t>>(5, {5, 1})),
                  PlanError);
  CHECK_THROWS_AS(merge({{uint64_t{1} << 33, uint64_t{1} << 33}, {1}}, {1, 0}, {{0, 0}}),
                  PlanError);
}

TEST_CASE("results that share elements, overlap operands or are not aligned are refused") {
  CHECK_THROWS_AS(merge({{4, 5}, {1}}, {0, 0}, {{5, 1}}), SpanError);
  CHECK_THROWS_AS(merge({{4, 5, 6}, {2}}, {4, 1, 0}, {{30, 6, 1}}), SpanError);
  CHECK_THROWS_AS(merge({{4, 5, 6}, {2}}, {-4, 1, 0}, {{30, 6, 1}}), SpanError);
  CHECK_NOTHROW(merge({{4, 5, 6}, {2}}, {-5, 1, 0}, {{30, 6, 1}}));
  const std::vector<int64_t> results = {1, 0};
  const std::vector<int64_t> strides = {5, 1};
  const auto at = [&](uintptr_t address) {
    const StridedLayout operand = tensor("operand", address, strides);
    return merge_axes({{4, 5}, {1}}, tensor("results", kSomewhere, results), {&operand, 1}, true);
  };
  CHECK_NOTHROW(at(kSomewhere + 32));
  CHECK_NOTHROW(at(kSomewhere - 160));
  CHECK_THROWS_AS(at(kSomewhere + 24), SpanError);
  CHECK_THROWS_AS(at(kSomewhere - 152), SpanError);
  CHECK_THROWS_AS(at(kElsewhere + 4), SpanError);
}

TEST_CASE("lanes lie where all operands together touch the fewest sectors") {
  const size_t bytes[] = {4};
  // Lane layouts for reducing a matrix: of rows, lanes run along the reduced axis, at least as many
  // as a sector has elements; of columns, along the kept one.
  CHECK(choose_layout(merge({{1000, 1000}, {1}}, {1, 0}, {{1000, 1}}), bytes).reducing_lanes >= 8);
  CHECK(choose_layout(merge({{1000, 1000}, {0}}, {0, 1}, {{1000, 1}}), bytes) ==
        AxesLayout{0, 1, -1});
  // Rows of 4 elements: a warp of 32 lanes reduces eight rows side by side.
  const AxesLayout rows = choose_layout(merge({{1000, 4}, {1}}, {1, 0}, {{4, 1}}), bytes);
  CHECK(rows.lane_axis == 0);
  CHECK(rows.reducing_lanes <= 4);
}

TEST_CASE("layouts of Magnetic Field Extrapolation rank as they were measured") {
  // Lanes along i2 (blocks of 128 x 1 x 1), segmented (along i3 and i4), and along i0 (1 x 2 x 64).
  const auto cycles = [](int others, const AxesLayout& layout) {
    const std::vector<size_t> bytes(1 + static_cast<size_t>(others), 8);
    return load_cycles(magnetic_field(others), bytes, layout);
  };
  const AxesLayout along_i0{0, 1, -1};
  const AxesLayout along_i2{1, 1, -1};
  const AxesLayout segments_of_i0{0, 32, -1};  // neighbouring warps have neighbouring i0
  const AxesLayout segments_of_i2{1, 32, -1};  // neighbouring warps have neighbouring i2
  SUBCASE("one other operand, one H200: 3.10, 4.03 and 5.03 ms") {
    CHECK(cycles(1, segments_of_i0) < cycles(1, along_i0));
    CHECK(cycles(1, along_i0) < cycles(1, along_i2));
  }
  SUBCASE("three others, Ynddal 2019: 10.5, 40 and 302 s") {
    CHECK(cycles(3, along_i0) < cycles(3, segments_of_i2));
    CHECK(cycles(3, segments_of_i2) < cycles(3, along_i2));
  }
  for (const int others : {1, 3}) {
    const MergedAxes field = magnetic_field(others);
    const std::vector<size_t> bytes(1 + static_cast<size_t>(others), 8);
    const double of_chosen = load_cycles(field, bytes, choose_layout(field, bytes));
    CHECK(of_chosen <= cycles(others, segments_of_i0));
    CHECK(of_chosen <= cycles(others, along_i0));
  }
}

TEST_CASE("lanes beyond an axis' end load no lines, and broadcast operands are loaded once") {
  // 33 columns: the second tile along them has one lane at work, not 32.
  const size_t bytes[] = {4};
  const auto cycles = [&](uint64_t columns, int64_t apart) {
    return load_cycles(merge({{columns, 1000}, {1}}, {1, 0}, {{apart, 1}}), bytes, {0, 1, -1});
  };
  const double full = cycles(64, 1000) / 2;
  CHECK(cycles(33, 1000) < 1.2 * full);
  CHECK(cycles(33, 1000) > full);
  // Warps along an axis on which an operand is broadcast share what they read of it beyond the L2.
  const size_t two[] = {4, 4};
  constexpr int64_t kRow = 1 << 14;
  const auto of_rows = [&](int64_t second_stride) {
    return load_cycles(merge({{64, kRow, kRow}, {2}}, {kRow, 1, 0},
                             {{0, kRow, 1}, {second_stride, kRow * 64, 64}}),
                       two, {0, 32, -1});
  };
  CHECK(of_rows(0) < of_rows(1));
}

}  // namespace presort::axes_test
