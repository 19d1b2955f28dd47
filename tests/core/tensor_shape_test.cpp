#include "presort/core/axes/tensor_shape.h"

#include <doctest/doctest.h>

#include "presort/core/error.h"
#include "tests/core/refusal.h"

namespace presort::inline v0::tensor_shape_test {
namespace {

Extents extents(const char* text) {
  return parse_extents("shape", text);
}
AxisSet axes(const char* text) {
  return parse_axis_set("axes", text);
}

TEST_CASE("extents and axes read as they are written") {
  for (const char* text : {"", "1", "512x512x1024", "1x2x3x4x5x6x7x8"}) {
    CHECK(to_string(extents(text)) == text);
  }
  CHECK(extents("2^10x3") == extents("1024x3"));
  for (const char* text : {"", "0", "7", "0,2", "1,2,3"}) {
    CHECK(to_string(axes(text)) == text);
  }
  CHECK(axes("2,0") == axes("0,2"));
}

TEST_CASE("extents of 0, too many of them, and axes named twice are refused") {
  for (const char* text :
       {"0", "4x0x2", "x4", "4x", "4xx4", "1x1x1x1x1x1x1x1x1", "2^32x2^31", "4,4", "-1", "a"}) {
    CAPTURE(text);
    CHECK(test::refusal<InputError>([&] { extents(text); }).starts_with("shape: found "));
  }
  for (const char* text : {"8", "1,1", "0,", ",0", "a", "-1"}) {
    CAPTURE(text);
    CHECK(test::refusal<InputError>([&] { axes(text); }).starts_with("axes: found "));
  }
  CHECK(test::refusal<InputError>([] { extents("4x0x2"); }) ==
        "shape: found '4x0x2', accepted: 1 to 8 extents of at least 1, of at most 2^62 elements, "
        "such as 512x512x1024");
}

TEST_CASE("sizes and strides are those of a dense tensor") {
  const Extents shape = extents("3x4x5");
  CHECK(element_count(shape) == 60);
  CHECK(element_count(Extents{}) == 1);
  CHECK(kept_count(shape, axes("1")) == 15);
  CHECK(kept_count(shape, axes("0,1,2")) == 1);
  CHECK(dense_strides(shape, {}) == std::vector<int64_t>{20, 5, 1});
  CHECK(dense_strides(shape, axes("1")) == std::vector<int64_t>{5, 0, 1});
  CHECK(dense_strides(shape, axes("2")) == std::vector<int64_t>{4, 1, 0});
  const AxesShape of = shape_of(shape, axes("0,2"));
  CHECK(of.extents == std::vector<uint64_t>{3, 4, 5});
  CHECK(of.reduced == std::vector<int>{0, 2});
}

}  // namespace
}  // namespace presort::tensor_shape_test
