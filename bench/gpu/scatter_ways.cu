// Scatters of which the last value wins, u32, by each way there is, beside plain kernels.
//   gpu_scatter_ways [ROUNDS]
// Prints a line of JSON for each n, m and kind of labels, µs between device events, the L2 emptied
// before each run, all by turns:
//   call   the call that chooses for itself
//   plan   the same call with the plan that is chosen by prediction: steps over buckets or inputs
//   block  one block with a hash table; 0 where there are too many inputs
//   grid   one launch whose blocks wait for each other; 0 where there are too many inputs
//   plain  plain kernels of three launches, cleared and taken for each input
#include <cstdio>

#include "bench/gpu/draws/draws.cuh"
#include "presort/gpu/calls.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::all_threads;
using bench::Array;
using bench::RealLabels;
using bench::thread_number;

namespace {

enum class Step { clear, find_last, take };

template <Step kStep>
__global__ void plain_step(const uint32_t* labels, const uint32_t* values, uint32_t* last,
                           uint32_t* buckets, uint64_t n) {
  for (uint64_t i = thread_number(); i < n; i += all_threads()) {
    const auto number = static_cast<uint32_t>(i) + 1;
    if constexpr (kStep == Step::clear) {
      last[labels[i]] = 0;
    } else if constexpr (kStep == Step::find_last) {
      atomicMax(last + labels[i], number);
    } else if (last[labels[i]] == number) {
      buckets[labels[i]] = values[i];
    }
  }
}

void time_ways(uint64_t n, uint64_t m, RealLabels kind, int rounds) {
  const Array<uint32_t> labels(n), values(n), buckets(m), expected(m), last(m);
  bench::make_real_labels(labels.data(), n, m, kind, 1);
  bench::make_real_labels(values.data(), n, uint64_t{1} << 31, RealLabels::uniform, 2);
  const std::span<const uint32_t> in(labels.data(), n);
  const std::span<const uint32_t> of(values.data(), n);
  const std::span<uint32_t> out(buckets.data(), m);
  const GpuPlan chosen = plan_for<uint32_t, uint32_t>(Operation::scatter, n, m);
  const DeviceLimits device = current_device_limits();
  const bool fits_block = scatters_in_block<uint32_t>(device, n, m);
  const bool fits_grid = n <= most_inputs_of_scatter_grid(device);
  const auto call = [&] { scatter(in, of, out); };
  const auto plan = [&] { scatter(in, of, out, {.plan = chosen}); };
  const auto block = [&] {
    if (fits_block) {
      scatter_block(nullptr, labels.data(), values.data(), n, buckets.data());
    }
  };
  const auto grid = [&] {
    if (fits_grid) {
      const Workspace scratch(nullptr, m * sizeof(uint32_t), {});
      scatter_grid<uint32_t, uint32_t>(
          nullptr, {labels.data(), values.data(), static_cast<uint32_t>(n), buckets.data(), m,
                    reinterpret_cast<uint32_t*>(scratch.span().data())});
    }
  };
  const unsigned blocks = bench::plain_blocks(n);
  const auto plain = [&](uint32_t* to) {
    plain_step<Step::clear><<<blocks, 256>>>(labels.data(), values.data(), last.data(), to, n);
    plain_step<Step::find_last><<<blocks, 256>>>(labels.data(), values.data(), last.data(), to, n);
    plain_step<Step::take><<<blocks, 256>>>(labels.data(), values.data(), last.data(), to, n);
  };
  PRESORT_CUDA(cudaMemset(expected.data(), 0, m * 4));
  plain(expected.data());
  const auto check = [&](const char* what, bool ran, const auto& run) {
    if (ran) {
      PRESORT_CUDA(cudaMemset(buckets.data(), 0, m * 4));
      run();
      bench::require_equal(what, buckets, expected);
    }
  };
  check("call", true, call);
  check("plan", true, plan);
  check("block", fits_block, block);
  check("grid", fits_grid, grid);
  const auto ns =
      bench::cold_medians_by_turns(rounds, call, plan, block, grid, [&] { plain(buckets.data()); });
  std::printf(
      "{\"n\": %zu, \"m\": %zu, \"labels\": \"%s\", \"call\": %.2f, \"plan\": %.2f, "
      "\"block\": %.2f, \"grid\": %.2f, \"plain\": %.2f, \"chosen\": \"%s\"}\n",
      static_cast<size_t>(n), static_cast<size_t>(m), bench::kRealLabels[static_cast<int>(kind)],
      ns[0] / 1e3, ns[1] / 1e3, fits_block ? ns[2] / 1e3 : 0, fits_grid ? ns[3] / 1e3 : 0,
      ns[4] / 1e3, to_string(chosen).c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 21;
  for (const int log2_n : {11, 12, 13, 14, 15, 16, 17, 18, 19, 20}) {
    for (const int log2_m : {5, 9, 13, 17, 21, 25}) {
      for (const RealLabels kind : {RealLabels::uniform, RealLabels::zipf125, RealLabels::sorted}) {
        time_ways((uint64_t{1} << log2_n) - 3, (uint64_t{1} << log2_m) + 1, kind, rounds);
      }
    }
  }
}
