// Multireduces of skewed labels by pre-sorts with tables, whose buckets are updated by compare and
// swap, beside those of uniform labels.
//   gpu_plans_of_laws
// Prints a line of JSON for each problem: ns an input of f32 and f64 sums, medians of five runs
// between device events. Rank r has a share in proportion to (r + shift)^-power; power 0: uniform.
#include <cstdio>

#include "bench/gpu/timing.cuh"
#include "presort/gpu/calls.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::mix;

namespace {

struct Law {
  double power;
  double shift;
};

__global__ void make_labels(uint32_t* labels, uint64_t n, uint64_t m, Law law) {
  const double exponent = 1 - law.power;
  const double first = law.shift + 0.5;
  const double last = static_cast<double>(m) + law.shift;
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const double part = static_cast<double>(mix(i) >> 11) * 0x1p-53;
    const double at =
        exponent == 0
            ? first * pow(last / first, part)
            : pow(pow(first, exponent) + (pow(last, exponent) - pow(first, exponent)) * part,
                  1 / exponent);
    const uint64_t rank = min(static_cast<uint64_t>(at - law.shift), m - 1);
    labels[i] = static_cast<uint32_t>(mix(rank * 1000003 + 77) % m);
  }
}

// Values differ from zero: a sum of zeros changes no bucket, so that no swap comes to nothing.
template <class Value>
__global__ void make_values(Value* values, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    values[i] = static_cast<Value>(1 + i % 3);
  }
}

template <class Value>
double ns_of(const Array<uint32_t>& labels, uint64_t m, const char* plan) {
  constexpr int kRuns = 5;
  const Array<Value> values(labels.size());
  const Array<Value> buckets(m);
  make_values<<<2048, 256>>>(values.data(), values.size());
  PRESORT_CUDA(cudaMemset(buckets.data(), 0, m * sizeof(Value)));
  const std::span<const uint32_t> in(labels.data(), labels.size());
  const std::span<const Value> of(values.data(), values.size());
  const std::span<Value> out(buckets.data(), m);
  const Call call{.plan = parse_gpu_plan(plan)};
  return bench::median_ns(kRuns, [&] { multireduce(in, of, out, Sum<Value>{}, call); }) /
         static_cast<double>(labels.size());
}

}  // namespace

int main() {
  struct Case {
    int log2_n;
    int log2_m;
    const char* plan;
    Law law;
  };
  constexpr Law kZipf = {1.25, 0};
  constexpr Law kLessSkewed = {0.75, 0};
  constexpr Law kWords = {1, 2.7};
  const Case cases[] = {
      {24, 24, "sortBits=10,passes=1,strategy=sharedSets", kZipf},
      {26, 28, "sortBits=14,passes=2,strategy=sharedSets", kWords},
      {25, 25, "sortBits=10,passes=1,strategy=sharedSets", kLessSkewed},
      {26, 25, "sortBits=10,passes=1,strategy=sharedSets", kWords},
      {22, 20, "sortBits=6,passes=1,strategy=sharedSets", kZipf},
      {25, 22, "sortBits=8,passes=1,strategy=sharedSets", kWords},
      {24, 28, "sortBits=14,passes=2,strategy=sharedSets", kZipf},
      {27, 26, "sortBits=12,passes=2,strategy=sharedSets", kZipf},
  };
  for (const Case& one : cases) {
    const Array<uint32_t> labels(uint64_t{1} << one.log2_n);
    const uint64_t m = uint64_t{1} << one.log2_m;
    for (const Law& law : {Law{0, 0}, one.law}) {
      make_labels<<<2048, 256>>>(labels.data(), labels.size(), m, law);
      std::printf(
          "{\"n\": %zu, \"m\": %zu, \"plan\": \"%s\", \"power\": %g, \"shift\": %g, "
          "\"f32\": %.5f, \"f64\": %.5f}\n",
          labels.size(), static_cast<size_t>(m), one.plan, law.power, law.shift,
          ns_of<float>(labels, m, one.plan), ns_of<double>(labels, m, one.plan));
    }
  }
  return 0;
}
