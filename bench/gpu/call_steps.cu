// Where the time of a multireduce of few inputs goes: the steps of a call, beside one plain kernel.
//   gpu_call_steps [ROUNDS [LOG2_M]]
// Prints a line of JSON for each n and kind of labels, u32 and f64 values, m = 4096 or 2^LOG2_M; µs
// between device events, medians by turns with the L2 emptied before each:
//   plain      a kernel of plain atomics, one input a thread
//   again      that kernel once more, as a measure of noise
//   few        our kernel of one input a thread, by itself
//   met        our kernel whose lanes of one label meet first, by itself
//   look       our kernel whose blocks look for hot buckets, by itself
//   operation  gpu::multireduce with a checked plan
//   call       gpu::multireduce that chooses its plan
#include <cstdio>
#include <cstdlib>

#include "bench/gpu/draws/draws.cuh"
#include "presort/gpu/calls.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::RealLabels;

namespace {

template <class Value>
void time_steps(uint64_t n, uint64_t m, RealLabels kind, int rounds, const char* type) {
  const Array<uint32_t> labels(n);
  const Array<Value> values(n), buckets(m);
  bench::make_real_labels(labels.data(), n, m, kind, 1);
  bench::fill_values<<<1024, 256>>>(values.data(), n);
  PRESORT_CUDA(cudaMemset(buckets.data(), 0, m * sizeof(Value)));
  const std::span<const uint32_t> in(labels.data(), n);
  const std::span<const Value> of(values.data(), n);
  const std::span<Value> out(buckets.data(), m);
  const Sum<Value> sum;
  const CheckedGpuPlan plan(parse_gpu_plan("strategy=globalSets"),
                            {GpuKernels::update, m, sizeof(Value)});
  const SeparateInput<uint32_t, Value> input{in.data(), of.data()};
  const auto blocks = static_cast<unsigned>((n + kGlobalThreads - 1) / kGlobalThreads);
  const auto count = static_cast<uint32_t>(n);
  const auto plain = [&] {
    bench::plain_atomics<<<bench::plain_blocks(n), 256>>>(in.data(), of.data(), out.data(), n);
  };
  const auto again = [&] { plain(); };
  const auto few = [&] {
    update_few_kernel<<<blocks, kGlobalThreads>>>(input, count, out.data(), sum);
  };
  const auto met = [&] {
    update_rows_kernel<<<(blocks + kRowsOfWarp - 1) / kRowsOfWarp, kGlobalThreads>>>(
        input, count, out.data(), sum);
  };
  const auto look = [&] {
    const auto resident = static_cast<uint64_t>(resident_blocks(current_device_limits(), 256, 0));
    update_global_kernel<4>
        <<<static_cast<unsigned>(std::min(resident, n / (kGlobalThreads * 4) + 1)),
           kGlobalThreads>>>(input, n, out.data(), sum);
  };
  const auto operation = [&] { multireduce(nullptr, in, of, out, sum, plan, {}); };
  const auto call = [&] { multireduce(in, of, out); };
  const auto ns =
      bench::cold_medians_by_turns(rounds, plain, again, few, met, look, operation, call);
  std::printf(
      "{\"n\": %zu, \"m\": %zu, \"labels\": \"%s\", \"type\": \"%s\", \"plain\": %.2f, \"again\": "
      "%.2f, "
      "\"few\": %.2f, \"met\": %.2f, \"look\": %.2f, \"operation\": %.2f, \"call\": %.2f}\n",
      static_cast<size_t>(n), static_cast<size_t>(m), bench::kRealLabels[static_cast<int>(kind)],
      type, ns[0] / 1e3, ns[1] / 1e3, ns[2] / 1e3, ns[3] / 1e3, ns[4] / 1e3, ns[5] / 1e3,
      ns[6] / 1e3);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 101;
  const uint64_t m = uint64_t{1} << (argc > 2 ? std::atoi(argv[2]) : 12);
  try {
    for (uint64_t n = 1u << 10; n <= 1u << 22; n *= 4) {
      for (const RealLabels kind : {RealLabels::uniform, RealLabels::sorted, RealLabels::rmat,
                                    RealLabels::zipf125, RealLabels::equal}) {
        time_steps<uint32_t>(n, m, kind, rounds, "u32");
        time_steps<double>(n, m, kind, rounds, "f64");
      }
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "gpu_call_steps: %s\n", error.what());
    return 1;
  }
  return 0;
}
