// One multireduce, for a profiler that counts what its kernels do (ncu --profile-from-start off):
// the call is made twice, and the profiler is on for the second one.
//   gpu_one_call TYPE LABELS N M
//   TYPE    u32, f32, u64, f64, 16 (two sums of 8 bytes), 16-whole (nothing is said of its sum),
//           f32-in-order, f64-in-order
//   LABELS  as in bench/gpu/draws/real_labels.cuh
//   N, M    inputs, buckets
// Prints the plan.
#include <cuda_profiler_api.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/gpu/draws/draws.cuh"
#include "presort/core/error.h"
#include "presort/gpu/calls.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::TwoSums;

namespace {

constexpr uint64_t kSeed = 7;

bench::RealLabels kind_named(const std::string& name) {
  for (int kind = 0; kind < 8; ++kind) {
    if (name == bench::kRealLabels[kind]) {
      return static_cast<bench::RealLabels>(kind);
    }
  }
  throw InputError("no labels are named \"" + name + "\"");
}

template <class Value, class M>
void run(bench::RealLabels kind, uint64_t n, uint64_t m) {
  const Array<uint32_t> labels(n);
  const Array<Value> values(n);
  const Array<Value> buckets(m);
  bench::make_real_labels(labels.data(), n, m, kind, kSeed);
  bench::fill_values<<<1024, 256>>>(values.data(), n);
  PRESORT_CUDA(cudaMemset(buckets.data(), 0, m * sizeof(Value)));
  const auto call = [&] {
    return multireduce(std::span<const uint32_t>(labels.data(), n),
                       std::span<const Value>(values.data(), n),
                       std::span<Value>(buckets.data(), m), M{}, {.learns_labels = false});
  };
  call();
  PRESORT_CUDA(cudaDeviceSynchronize());
  PRESORT_CUDA(cudaProfilerStart());
  const GpuPlan plan = call();
  PRESORT_CUDA(cudaDeviceSynchronize());
  PRESORT_CUDA(cudaProfilerStop());
  std::printf("%s\n", to_string(plan).c_str());
}

int run_named(const std::string& type, bench::RealLabels kind, uint64_t n, uint64_t m) {
  using Parts = SumOfParts<TwoSums, unsigned long long>;
  if (type == "u32") {
    run<uint32_t, Sum<uint32_t>>(kind, n, m);
  } else if (type == "f32") {
    run<float, Sum<float>>(kind, n, m);
  } else if (type == "u64") {
    run<unsigned long long, Sum<unsigned long long>>(kind, n, m);
  } else if (type == "f64") {
    run<double, Sum<double>>(kind, n, m);
  } else if (type == "16") {
    run<TwoSums, Parts>(kind, n, m);
  } else if (type == "16-whole") {
    run<TwoSums, Sum<TwoSums>>(kind, n, m);
  } else if (type == "f32-in-order") {
    run<float, InOrder<Sum<float>>>(kind, n, m);
  } else if (type == "f64-in-order") {
    run<double, InOrder<Sum<double>>>(kind, n, m);
  } else {
    throw InputError("no type is named \"" + type + "\"");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: gpu_one_call TYPE LABELS N M\n");
    return 2;
  }
  try {
    return run_named(argv[1], kind_named(argv[2]), std::strtoull(argv[3], nullptr, 10),
                     std::strtoull(argv[4], nullptr, 10));
  } catch (const Error& error) {
    std::fprintf(stderr, "gpu_one_call: %s\n", error.what());
    return 1;
  }
}
