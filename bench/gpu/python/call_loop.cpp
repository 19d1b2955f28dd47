// Calls a function of libpresort_cuda.so from C++, for bench/gpu/python/python_calls.py: what a call costs
// the host without Python.
//   g++ -O2 -shared -fPIC -o call_loop.so bench/gpu/python/call_loop.cpp
#include <chrono>
#include <cstdint>

using Reduce = int (*)(int, const void*, int, int, const void*, uint64_t, void*, uint64_t, void*,
                       int, int);

// Time of `calls` calls of presort_cuda_reduce (python/src/cuda/entry.cu), sums of float by labels
// of 8 bytes, on `stream`, ns; -1 when one is refused. operation: a number of Reduce of
// elements.cuh
extern "C" int64_t time_reductions(Reduce reduce, int operation, int calls, const void* labels,
                                   const void* values, uint64_t n, void* buckets, uint64_t m,
                                   void* stream) {
  constexpr int kFloat = 2;  // Element::f32 of elements.cuh
  const auto began = std::chrono::steady_clock::now();
  for (int call = 0; call < calls; ++call) {
    if (reduce(8, labels, kFloat, operation, values, n, buckets, m, stream, 0, 0) != 0) {
      return -1;
    }
  }
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began;
  return took.count();
}
