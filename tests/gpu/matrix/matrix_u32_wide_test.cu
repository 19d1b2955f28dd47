#include "tests/gpu/matrix/matrix.cuh"

using namespace presort::gpu::test;

TEST_CASE("all operations of u32 labels with values of 8 bytes give what plain loops give") {
  Matrix<uint32_t, uint64_t>("u32+u64", 3).check();
  Matrix<uint32_t, int64_t>("u32+i64", 3).check();
  Matrix<uint32_t, double>("u32+f64", 3).check();
}
