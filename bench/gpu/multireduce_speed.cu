// Times plans of the GPU multireduce, u32 + u32, beside the ceilings of the device.
// usage: gpu_multireduce_speed LOG2_N LOG2_M LABELS ROUNDS PLAN...    LABELS: uniform, degenerate, zipf
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "bench/gpu/timing.cuh"
#include "presort/gpu/multireduce.cuh"

using namespace presort;
using namespace presort::gpu;

namespace {

struct Arrays {
  bench::Array<uint32_t> labels;
  bench::Array<uint32_t> values;
  bench::Array<uint32_t> buckets;
};

// Times a plan: ns per input, or a negative number when the plan does not fit.
double time_plan(const Arrays& arrays, const GpuPlan& plan, int rounds) {
  const uint64_t n = arrays.labels.size();
  const uint64_t m = arrays.buckets.size();
  size_t bytes = 0;
  try {
    bytes = multireduce_scratch_bytes<uint32_t, uint32_t>(plan, n, m);
  } catch (const PlanError& error) {
    std::printf("  %s\n", error.what());
    return -1;
  }
  const bench::Array<std::byte> scratch(bytes);
  return bench::median_ns(rounds,
                          [&] {
                            multireduce<uint32_t, uint32_t>(
                                nullptr, {arrays.labels.data(), n}, {arrays.values.data(), n},
                                {arrays.buckets.data(), m}, Sum<uint32_t>{}, plan,
                                {scratch.data(), bytes});
                          }) /
         static_cast<double>(n);
}

// Times the pre-sort that counts only a sample of the labels; ns per input.
double time_rooms(const Arrays& arrays, const GpuPlan& plan, int rounds) {
  const uint64_t n = arrays.labels.size();
  using Taken = SampledArrays<uint32_t, uint32_t>;
  Carver measuring;
  Taken::take(measuring, plan, n);
  const bench::Array<std::byte> scratch(measuring.used_bytes());
  Carver carver(scratch.data());
  const auto taken = Taken::take(carver, plan, n);
  const SeparateInput<uint32_t, uint32_t> input{arrays.labels.data(), arrays.values.data()};
  return bench::median_ns(rounds, [&] {
    run_sampled_presort(nullptr, input, input, n, taken, plan, label_bits(arrays.buckets.size()),
                        arrays.buckets.data(), Sum<uint32_t>{});
  });
}

void time_phases(const Arrays& arrays, const GpuPlan& plan, int rounds) {
  const uint64_t n = arrays.labels.size();
  const int bits = label_bits(arrays.buckets.size());
  using Taken = PresortArrays<uint32_t, uint32_t>;
  Carver measuring;
  Taken::take(measuring, plan, n, Order::stable);
  const bench::Array<std::byte> scratch(measuring.used_bytes());
  Carver carver(scratch.data());
  const auto taken = Taken::take(carver, plan, n, Order::stable);
  const SeparateInput<uint32_t, uint32_t> input{arrays.labels.data(), arrays.values.data()};
  const Digit digit{.shift = bits - plan.presort->sort_bits, .bits = plan.presort->sort_bits};
  const double counting = bench::median_ns(rounds, [&] {
    PRESORT_CUDA(cudaMemsetAsync(taken.counts, 0, digit.count() * 4, nullptr));
    update_shared(nullptr, DigitInput<decltype(input)>{input, digit}, n, taken.counts,
                  digit.count(), divide_buckets(digit.count(), 1, 1), Sum<uint32_t>{});
  });
  const double sorting =
      bench::median_ns(rounds, [&] { run_any_presort(nullptr, input, n, taken, plan, bits); });
  const double stable =
      bench::median_ns(rounds, [&] { run_stable_presort(nullptr, input, n, taken, plan, bits); });
  const auto per_input = [n](double ns) { return ns / static_cast<double>(n); };
  std::printf("    of which counting %.5f, pre-sort %.5f (stable %.5f)\n", per_input(counting),
              per_input(sorting), per_input(stable));
  if (samples_room(plan, n)) {
    std::printf("    instead of both, pre-sort into rooms %.5f\n",
                per_input(time_rooms(arrays, plan, rounds)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "usage: gpu_multireduce_speed LOG2_N LOG2_M LABELS ROUNDS PLAN...\n");
    return 2;
  }
  const uint64_t n = uint64_t{1} << std::atoi(argv[1]);
  const uint64_t m = uint64_t{1} << std::atoi(argv[2]);
  const int rounds = std::atoi(argv[4]);
  const Arrays arrays = {bench::Array<uint32_t>(n), bench::Array<uint32_t>(n),
                         bench::Array<uint32_t>(m)};
  bench::make_labels(arrays.labels, m, bench::labels_named(argv[3]));
  bench::make_labels(arrays.values, 1000, bench::Labels::uniform);
  PRESORT_CUDA(cudaMemset(arrays.buckets.data(), 0, m * 4));
  std::printf("n=2^%s m=2^%s %s\n", argv[1], argv[2], argv[3]);
  for (int i = 5; i < argc; ++i) {
    const GpuPlan plan = parse_gpu_plan(argv[i]);
    const double ns = time_plan(arrays, plan, rounds);
    if (ns < 0) {
      continue;
    }
    std::printf("  %-44s %.5f ns/input\n", argv[i], ns);
    if (plan.presort && plan.presort->passes == 1) {
      time_phases(arrays, plan, rounds);
    }
  }
  return 0;
}
