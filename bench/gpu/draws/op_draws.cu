// Histograms, scatters and gathers of problems drawn at random, beside plain kernels and Thrust.
//   gpu_op_draws SEED COUNT MOST_LOG2_N [ROUNDS [LEAST_LOG2_N]]
// Draws n from 2^LEAST_LOG2_N (10) to 2^MOST_LOG2_N and m from 2^4 to 2^28, odd sizes among them,
// and the kind of labels (bench/gpu/draws/real_labels.cuh). Prints a line of JSON for each draw, u32
// labels and values, ns an input:
//   ours    calls that are told nothing of the labels; a scatter's last value wins
//   plain   one input a thread: atomics, stores of which any wins, loads
//   thrust  scatter and gather; of a scatter's values any wins
//   any     our scatter of which any value wins, as of plain and thrust
//   last    plain kernels whose last value wins, as of ours: the maximum of indices by atomics,
//           cleared and taken for each input, or for each bucket, whichever is faster
// Calls and peers are timed by turns, with the L2 emptied before each. Results are compared with
// those of plain kernels.
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/scatter.h>

#include <cstdio>

#include "bench/gpu/draws/draws.cuh"
#include "presort/gpu/calls.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::all_threads;
using bench::Array;
using bench::Draw;
using bench::RealLabels;
using bench::thread_number;

namespace {

enum class Plain { histogram, scatter, gather };

template <Plain kOperation>
__global__ void plain_kernel(const uint32_t* labels, const uint32_t* from, uint32_t* to,
                             uint64_t n) {
  for (uint64_t i = thread_number(); i < n; i += all_threads()) {
    if constexpr (kOperation == Plain::histogram) {
      atomicAdd(to + labels[i], 1u);
    } else if constexpr (kOperation == Plain::scatter) {
      to[labels[i]] = from[i];
    } else {
      to[i] = from[labels[i]];
    }
  }
}

__global__ void clear_kernel(const uint32_t* labels, uint32_t* last, uint64_t n) {
  for (uint64_t i = thread_number(); i < n; i += all_threads()) {
    last[labels[i]] = 0;
  }
}

// last[k] = 1 + the index of the last input with label k. Requires: last[] is 0
__global__ void last_writers(const uint32_t* labels, uint32_t* last, uint64_t n) {
  for (uint64_t i = thread_number(); i < n; i += all_threads()) {
    atomicMax(last + labels[i], static_cast<uint32_t>(i) + 1);
  }
}

// Each bucket takes the value of its last input.
__global__ void take_by_bucket(const uint32_t* last, const uint32_t* values, uint32_t* buckets,
                               uint64_t m) {
  for (uint64_t k = thread_number(); k < m; k += all_threads()) {
    if (last[k] != 0) {
      buckets[k] = values[last[k] - 1];
    }
  }
}

// Each input that is the last of its bucket writes its value.
__global__ void take_by_input(const uint32_t* labels, const uint32_t* last, const uint32_t* values,
                              uint32_t* buckets, uint64_t n) {
  for (uint64_t i = thread_number(); i < n; i += all_threads()) {
    if (last[labels[i]] == static_cast<uint32_t>(i) + 1) {
      buckets[labels[i]] = values[i];
    }
  }
}

void run(const Draw& draw) {
  const auto [n, m, kind, seed, rounds] = draw;
  const Array<uint32_t> labels(n), values(n), results(n), expected_results(n);
  const Array<uint32_t> buckets(m), expected(m), last(m);
  bench::make_real_labels(labels.data(), n, m, kind, seed);
  bench::make_real_labels(values.data(), n, uint64_t{1} << 31, RealLabels::uniform, seed + 1);
  const std::span<const uint32_t> in(labels.data(), n);
  const std::span<const uint32_t> of(values.data(), n);
  const std::span<uint32_t> out(buckets.data(), m);
  const std::span<uint32_t> to(results.data(), n);
  const unsigned blocks = bench::plain_blocks(n);
  const auto plain_histogram = [&, n = n](uint32_t* counts) {
    plain_kernel<Plain::histogram><<<blocks, 256>>>(labels.data(), nullptr, counts, n);
  };
  const auto plain_gather = [&, n = n](uint32_t* read) {
    plain_kernel<Plain::gather><<<blocks, 256>>>(labels.data(), buckets.data(), read, n);
  };
  PRESORT_CUDA(cudaMemset(buckets.data(), 0, m * 4));
  PRESORT_CUDA(cudaMemset(expected.data(), 0, m * 4));
  histogram(in, out);
  plain_histogram(expected.data());
  bench::require_equal("histogram", buckets, expected);
  gather(in, std::span<const uint32_t>(out), to);
  plain_gather(expected_results.data());
  bench::require_equal("gather", results, expected_results);
  const auto last_by_bucket = [&, n = n, m = m](uint32_t* written) {
    PRESORT_CUDA(cudaMemsetAsync(last.data(), 0, m * 4));
    last_writers<<<blocks, 256>>>(labels.data(), last.data(), n);
    take_by_bucket<<<bench::plain_blocks(m), 256>>>(last.data(), values.data(), written, m);
  };
  const auto last_by_input = [&, n = n](uint32_t* written) {
    clear_kernel<<<blocks, 256>>>(labels.data(), last.data(), n);
    last_writers<<<blocks, 256>>>(labels.data(), last.data(), n);
    take_by_input<<<blocks, 256>>>(labels.data(), last.data(), values.data(), written, n);
  };
  PRESORT_CUDA(cudaMemset(expected.data(), 0, m * 4));
  last_by_bucket(expected.data());
  const auto check = [&, m = m](const char* what, const auto& call) {
    PRESORT_CUDA(cudaMemset(buckets.data(), 0, m * 4));
    call();
    bench::require_equal(what, buckets, expected);
  };
  check("scatter", [&] { scatter(in, of, out); });
  check("plain last writers", [&] { last_by_input(buckets.data()); });
  const thrust::device_ptr<const uint32_t> map(labels.data());
  const thrust::device_ptr<const uint32_t> given(values.data());
  const thrust::device_ptr<uint32_t> table(buckets.data());
  const thrust::device_ptr<uint32_t> read(results.data());
  const auto ns = bench::cold_medians_by_turns(
      rounds, [&] { histogram(in, out); }, [&] { plain_histogram(buckets.data()); },
      [&] { scatter(in, of, out); },
      [&, n = n] {
        plain_kernel<Plain::scatter>
            <<<blocks, 256>>>(labels.data(), values.data(), buckets.data(), n);
      },
      [&, n = n] { thrust::scatter(thrust::cuda::par_nosync, given, given + n, map, table); },
      [&] { gather(in, std::span<const uint32_t>(out), to); },
      [&] { plain_gather(results.data()); },
      [&, n = n] { thrust::gather(thrust::cuda::par_nosync, map, map + n, table, read); },
      [&] { scatter_any(nullptr, in, of, out); }, [&] { last_by_input(buckets.data()); },
      [&] { last_by_bucket(buckets.data()); });
  const auto inputs = static_cast<double>(n);
  std::printf(
      "{\"n\": %zu, \"m\": %zu, \"labels\": \"%s\", "
      "\"histogram\": {\"ours\": %.5f, \"plain\": %.5f}, "
      "\"scatter\": {\"ours\": %.5f, \"plain\": %.5f, \"thrust\": %.5f, \"any\": %.5f, "
      "\"last\": %.5f}, "
      "\"gather\": {\"ours\": %.5f, \"plain\": %.5f, \"thrust\": %.5f}}\n",
      static_cast<size_t>(n), static_cast<size_t>(m), draw.label_name(), ns[0] / inputs,
      ns[1] / inputs, ns[2] / inputs, ns[3] / inputs, ns[4] / inputs, ns[8] / inputs,
      std::min(ns[9], ns[10]) / inputs, ns[5] / inputs, ns[6] / inputs, ns[7] / inputs);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::time_draws("gpu_op_draws", argc, argv, {},
                           [](const Draw& draw, auto&) { run(draw); });
}
