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
  // Lane layouts for reducing a matrix: of rows, lanes run along the reduced axis; of columns,
  // along the kept one.
  CHECK(choose_layout(merge({{1000, 1000}, {1}}, {1, 0}, {{1000, 1}}), bytes).reducing_lanes == 32);
  CHECK(choose_layout(merge({{1000, 1000}, {0}}, {0, 1}, {{1000, 1}}), bytes) ==
        AxesLayout{0, 1, -1});
  // Rows of 4 elements: a warp of 32 lanes reduces eight rows side by side.
  const AxesLayout rows = choose_layout(merge({{1000, 4}, {1}}, {1, 0}, {{4, 1}}), bytes);
  CHECK(rows.lane_axis == 0);
  CHECK(rows.reducing_lanes <= 4);
}

TEST_CASE("the expressions of Magnetic Field Extrapolation rank as they were measured") {
  // Ynddal 2019, times of this reduction: blocks of 128 x 1 x 1, lanes along i2: 302 s; segmented,
  // along i3 and i4: 40 s; 1 x 2 x 64, along i0: 10.5 s.
  const MergedAxes field = magnetic_field(3);
  const size_t bytes[] = {8, 8, 8, 8};
  const double along_i0 = load_cycles(field, bytes, {0, 1, -1});
  const double along_i2 = load_cycles(field, bytes, {1, 1, -1});
  const double segmented = load_cycles(field, bytes, {1, 32, -1});
  CHECK(segmented < along_i2);
  CHECK(along_i0 < along_i2);
  MESSAGE("cycles along i0, segmented, along i2: " << along_i0 << " " << segmented << " "
                                                   << along_i2);
  CHECK(load_cycles(field, bytes, choose_layout(field, bytes)) <= segmented);
}

}  // namespace presort::axes_test
