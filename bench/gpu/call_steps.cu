// Where the time of a multireduce of few inputs goes: the steps of a call, beside one plain kernel.
//   gpu_call_steps [ROUNDS]
// Prints a line of JSON for each n, u32 values, m = 4096, uniform labels; µs between device events, medians
// by turns:
//   plain      a kernel of plain atomics, one input a thread
//   again      that kernel once more, as a measure of noise
//   kernel     the kernel that the call launches, by itself
//   operation  gpu::multireduce with a checked plan
//   call       gpu::multireduce that chooses its plan
#include <cstdio>
#include <cstdlib>

#include "bench/gpu/real_labels.cuh"
#include "presort/gpu/calls.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

__global__ void plain_atomics(const uint32_t* labels, const uint32_t* values, uint32_t* buckets,
                              uint64_t n) {
  const uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x;
  if (i < n) {
    atomicAdd(buckets + labels[i], values[i]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 101;
  constexpr uint64_t kBuckets = 4096;
  try {
    for (uint64_t n = 1u << 10; n <= 1u << 20; n *= 2) {
      const Array<uint32_t> labels(n), values(n), buckets(kBuckets);
      bench::make_real_labels(labels.data(), n, kBuckets, bench::RealLabels::uniform, 1);
      PRESORT_CUDA(cudaMemset(values.data(), 1, n * sizeof(uint32_t)));
      const std::span<const uint32_t> in(labels.data(), n);
      const std::span<const uint32_t> of(values.data(), n);
      const std::span<uint32_t> out(buckets.data(), kBuckets);
      const Sum<uint32_t> sum;
      const auto blocks = static_cast<unsigned>((n + 255) / 256);
      const GpuUse use{GpuKernels::update, kBuckets, sizeof(uint32_t)};
      const CheckedGpuPlan plan(parse_gpu_plan("strategy=globalSets"), use);
      const SeparateInput<uint32_t, uint32_t> input{in.data(), of.data()};
      const auto plain = [&] {
        plain_atomics<<<blocks, 256>>>(in.data(), of.data(), out.data(), n);
      };
      const auto again = [&] { plain(); };
      const auto kernel = [&] { update_global(nullptr, input, n, out.data(), sum); };
      const auto operation = [&] { multireduce(nullptr, in, of, out, sum, plan, {}); };
      const auto call = [&] { multireduce(in, of, out); };
      const auto ns = bench::medians_by_turns(rounds, plain, again, kernel, operation, call);
      std::printf(
          "{\"n\": %zu, \"plain\": %.2f, \"again\": %.2f, \"kernel\": %.2f, "
          "\"operation\": %.2f, \"call\": %.2f}\n",
          static_cast<size_t>(n), ns[0] / 1e3, ns[1] / 1e3, ns[2] / 1e3, ns[3] / 1e3, ns[4] / 1e3);
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "gpu_call_steps: %s\n", error.what());
    return 1;
  }
  return 0;
}
