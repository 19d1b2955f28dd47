#include "tests/gpu/matrix/matrix.cuh"

using namespace presort::gpu::test;

TEST_CASE("all operations of u64 labels with values of 4 bytes give what plain loops give") {
  Matrix<uint64_t, uint32_t>("u64+u32", 3).check();
  Matrix<uint64_t, int32_t>("u64+i32", 3).check();
  Matrix<uint64_t, float>("u64+f32", 3).check();
}
