// Times a multireduce of inputs and buckets in pinned host memory, u32 + u32, uniform labels, with
// the buckets cut into ranges, and beside it copies of as many bytes: inputs in and out at the same
// time, in again, buckets in and out.
// usage: gpu_in_host ROUNDS LOG2_N LOG2_CHUNK LOG2_M RANGES...
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "bench/gpu/timing.cuh"
#include "presort/core/measurement.h"
#include "presort/gpu/from_host/in_host.cuh"

using namespace presort;
using namespace presort::gpu;

namespace {

// Copies `count` elements to the device and, where `back` is given, as many from it, by chunks.
void copy(const uint32_t* from, uint32_t* back, uint64_t count, const bench::Array<uint32_t>& room,
          const bench::Array<uint32_t>& other, cudaStream_t in, cudaStream_t out) {
  for (uint64_t first = 0; first < count; first += room.size()) {
    const uint64_t some = std::min<uint64_t>(room.size(), count - first);
    PRESORT_CUDA(cudaMemcpyAsync(room.data(), from + first, some * 4, cudaMemcpyHostToDevice, in));
    if (back != nullptr) {
      PRESORT_CUDA(
          cudaMemcpyAsync(back + first, other.data(), some * 4, cudaMemcpyDeviceToHost, out));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "usage: gpu_in_host ROUNDS LOG2_N LOG2_CHUNK LOG2_M RANGES...\n");
    return 2;
  }
  const int rounds = std::atoi(argv[1]);
  const uint64_t n = uint64_t{1} << std::atoi(argv[2]);
  const uint64_t chunk = uint64_t{1} << std::atoi(argv[3]);
  const uint64_t m = uint64_t{1} << std::atoi(argv[4]);
  const PinnedArray<uint32_t> labels(n);
  const PinnedArray<uint32_t> values(n);
  const PinnedArray<uint32_t> spill(2 * n + 64);
  const PinnedArray<uint32_t> buckets(m);
  const bench::Array<uint32_t> made(chunk);
  const bench::Array<uint32_t> other(chunk);
  bench::make_labels(made, m, bench::Labels::uniform);
  for (uint64_t first = 0; first < n; first += chunk) {  // each chunk has the same labels
    PRESORT_CUDA(cudaMemcpy(labels.data() + first, made.data(), chunk * 4, cudaMemcpyDeviceToHost));
  }
  std::fill_n(values.data(), n, 1u);
  cudaStream_t in = nullptr;
  cudaStream_t out = nullptr;
  PRESORT_CUDA(cudaStreamCreateWithFlags(&in, cudaStreamNonBlocking));
  PRESORT_CUDA(cudaStreamCreateWithFlags(&out, cudaStreamNonBlocking));
  for (int i = 5; i < argc; ++i) {
    const uint64_t ranges = std::strtoull(argv[i], nullptr, 10);
    std::vector<double> ours;
    std::vector<double> copied;
    for (int round = 0; round <= rounds; ++round) {
      std::fill_n(buckets.data(), m, 0u);
      const double own = bench::host_seconds([&] {
        multireduce_in_host(labels.span(0, n), values.span(0, n), buckets.span(0, m),
                            Sum<uint32_t>{},
                            {.chunk = chunk,
                             .range_bytes = (m + ranges - 1) / ranges * 4,
                             .spill = std::as_writable_bytes(spill.span(0, 2 * n + 64))});
      });
      uint64_t sum = 0;
      for (const uint32_t count : buckets.span(0, m)) {
        sum += count;
      }
      if (sum != n) {
        std::printf("wrong: %llu inputs arrived\n", static_cast<unsigned long long>(sum));
        return 1;
      }
      const double plain = bench::host_seconds([&] {
        uint32_t* const back = ranges > 1 ? spill.data() : nullptr;
        copy(labels.data(), back, n, made, other, in, out);
        copy(values.data(), ranges > 1 ? back + n : nullptr, n, made, other, in, out);
        if (ranges > 1) {
          PRESORT_CUDA(cudaDeviceSynchronize());
          copy(spill.data(), nullptr, 2 * n, made, other, in, out);
        }
        copy(buckets.data(), spill.data(), std::min(m, 2 * n), made, other, in, out);
      });
      if (round > 0) {
        ours.push_back(own);
        copied.push_back(plain);
      }
    }
    std::printf(
        "n 2^%s chunk 2^%s m 2^%s ranges %-2llu | %8.1f ms | copies alone %8.1f ms | %.3f\n",
        argv[2], argv[3], argv[4], static_cast<unsigned long long>(ranges), 1e3 * median(ours),
        1e3 * median(copied), median(ours) / median(copied));
    std::fflush(stdout);
    bench::make_labels(made, m, bench::Labels::uniform);
  }
}
