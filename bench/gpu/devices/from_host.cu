// Times a multireduce of inputs in pinned host memory, u32 + u32, chunk by chunk: with the next
// chunk copied meanwhile, and beside it one copy of as many bytes that nothing follows. Uniform
// labels.
// usage: gpu_from_host ROUNDS LOG2_N LOG2_CHUNK LOG2_M...
#include <cstdio>
#include <cstdlib>

#include "bench/gpu/timing.cuh"
#include "presort/core/measurement.h"
#include "presort/gpu/from_host/multireduce.cuh"

using namespace presort;
using namespace presort::gpu;

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: gpu_from_host ROUNDS LOG2_N LOG2_CHUNK LOG2_M...\n");
    return 2;
  }
  const int rounds = std::atoi(argv[1]);
  const uint64_t n = uint64_t{1} << std::atoi(argv[2]);
  const uint64_t chunk = uint64_t{1} << std::atoi(argv[3]);
  uint32_t* labels = nullptr;
  uint32_t* values = nullptr;
  PRESORT_CUDA(cudaMallocHost(&labels, n * sizeof(uint32_t)));
  PRESORT_CUDA(cudaMallocHost(&values, n * sizeof(uint32_t)));
  const bench::Array<uint32_t> made(chunk);
  const bench::Array<uint32_t> copy(chunk);
  for (int i = 4; i < argc; ++i) {
    const uint64_t m = uint64_t{1} << std::atoi(argv[i]);
    bench::make_labels(made, m, bench::Labels::uniform);
    for (uint64_t first = 0; first < n; first += chunk) {  // each chunk has the same labels
      PRESORT_CUDA(cudaMemcpy(labels + first, made.data(), chunk * 4, cudaMemcpyDeviceToHost));
      std::fill(values + first, values + first + chunk, 1u);
    }
    const bench::Array<uint32_t> buckets(m);
    std::vector<double> ours;
    std::vector<double> copied;
    std::vector<double> by_turns;
    for (int round = 0; round <= rounds; ++round) {
      PRESORT_CUDA(cudaMemset(buckets.data(), 0, m * 4));
      const std::span<uint32_t> to(buckets.data(), m);
      const double own = bench::host_seconds([&] {
        multireduce_from_host(std::span(labels, n), std::span(values, n), to, Sum<uint32_t>{},
                              {.chunk = chunk});
      });
      uint64_t sum = 0;
      std::vector<uint32_t> host(m);
      PRESORT_CUDA(cudaMemcpy(host.data(), buckets.data(), m * 4, cudaMemcpyDeviceToHost));
      for (const uint32_t count : host) {
        sum += count;
      }
      if (sum != n) {
        std::printf("wrong: %llu inputs arrived\n", static_cast<unsigned long long>(sum));
        return 1;
      }
      const double plain = bench::host_seconds([&] {
        for (uint64_t first = 0; first < n; first += chunk) {
          for (const uint32_t* from : {labels, values}) {
            PRESORT_CUDA(cudaMemcpyAsync(copy.data(), from + first, chunk * 4,
                                         cudaMemcpyHostToDevice, nullptr));
          }
        }
      });
      const double turns = bench::host_seconds([&] {
        for (uint64_t first = 0; first < n; first += chunk) {
          PRESORT_CUDA(cudaMemcpyAsync(made.data(), labels + first, chunk * 4,
                                       cudaMemcpyHostToDevice, nullptr));
          PRESORT_CUDA(cudaMemcpyAsync(copy.data(), values + first, chunk * 4,
                                       cudaMemcpyHostToDevice, nullptr));
          multireduce(std::span<const uint32_t>(made.data(), chunk),
                      std::span<const uint32_t>(copy.data(), chunk), to);
        }
      });
      if (round > 0) {
        ours.push_back(own);
        copied.push_back(plain);
        by_turns.push_back(turns);
      }
    }
    std::printf(
        "n 2^%s chunk 2^%s m 2^%-2s | %8.1f ms | copies alone %8.1f ms, %.1f GB/s | %.3f | "
        "copy and work by turns %8.1f ms, %.3f\n",
        argv[2], argv[3], argv[i], 1e3 * median(ours), 1e3 * median(copied),
        8e-9 * static_cast<double>(n) / median(copied), median(ours) / median(copied),
        1e3 * median(by_turns), median(by_turns) / median(copied));
    std::fflush(stdout);
  }
}
