// Tests that host threads do not take shared memory away from each other's kernels.
#include <thread>
#include <vector>

#include "presort/gpu/host/allow_shared_bytes.h"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

// Writes the index of the last word of the block's dynamic shared memory, through that word.
__global__ void reach_last_word(uint32_t words, uint32_t* reached) {
  extern __shared__ uint32_t shared[];
  shared[words - 1] = words - 1;
  *reached = shared[words - 1];
}

constexpr size_t kKibibyte = 1024;

// Launches the kernel with so much shared memory as a call does.
void launch(size_t bytes) {
  test::DeviceArray<uint32_t> reached(std::vector<uint32_t>{0});
  allow_shared_bytes(reach_last_word, bytes);
  const auto words = static_cast<uint32_t>(bytes / sizeof(uint32_t));
  reach_last_word<<<1, 1, bytes>>>(words, reached.span().data());
  PRESORT_CUDA(cudaGetLastError());
  CHECK(reached.host()[0] == words - 1);
}

}  // namespace

TEST_CASE("a thread that needs less shared memory takes none from another thread's kernels") {
  launch(100 * kKibibyte);
  std::thread(launch, 60 * kKibibyte).join();
  launch(90 * kKibibyte);
  launch(100 * kKibibyte);
  std::thread(launch, 120 * kKibibyte).join();
  launch(110 * kKibibyte);
}
