#include "tests/gpu/matrix/matrix.cuh"

using namespace presort::gpu::test;

TEST_CASE("all operations of u32 labels with values of 4 bytes give what plain loops give") {
  Matrix<uint32_t, uint32_t>("u32+u32", 1).check();
  Matrix<uint32_t, int32_t>("u32+i32", 3).check();
  Matrix<uint32_t, float>("u32+f32", 3).check();
}
