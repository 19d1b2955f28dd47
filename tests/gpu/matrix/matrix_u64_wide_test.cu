#include "tests/gpu/matrix/matrix.cuh"

using namespace presort::gpu::test;

TEST_CASE("all operations of u64 labels with values of 8 bytes give what plain loops give") {
  Matrix<uint64_t, uint64_t>("u64+u64", 3).check();
  Matrix<uint64_t, int64_t>("u64+i64", 3).check();
  Matrix<uint64_t, double>("u64+f64", 3).check();
}
