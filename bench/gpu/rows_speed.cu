// Times reductions and gathers of rows: the order of the labels, the reduction with it, and both.
//   gpu_rows_speed ROUNDS [SHAPE…]    shapes by number, from 0; all without
// Prints a line of JSON for each shape, type and kind of labels: medians in ms, of float also by
// atomics of four floats, in any order ("atomics ms", 0: not timed), and what reading all values
// and reading and writing the buckets that have inputs takes by plain loops over as many bytes in
// the same run.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/gpu/timing.cuh"
#include "presort/gpu/gather_rows.cuh"
#include "presort/gpu/multireduce_rows.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

enum class Kind { uniform, half, zipf };
constexpr const char* kKinds[] = {"uniform", "half on one", "zipf:1.25"};

struct Shape {
  uint64_t n;
  uint64_t columns;
  uint64_t m;
};
constexpr Shape kShapes[] = {{7770000, 128, 1000000},
                             {1000000, 64, 200000},
                             {4000000, 32, 10000000},
                             {50000000, 8, 1000000},
                             {65536, 128, 65536}};

template <class T>
__global__ void fill_kernel(T* values, uint64_t n) {
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += static_cast<uint64_t>(gridDim.x) * blockDim.x) {
    values[i] = static_cast<T>(static_cast<float>(bench::mix(i) % 1024) / 512 - 1);
  }
}

static __global__ void halve_kernel(uint32_t* labels, uint64_t n, uint32_t label) {
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += static_cast<uint64_t>(gridDim.x) * blockDim.x) {
    if (bench::mix(i + n) % 2 == 0) {
      labels[i] = label;
    }
  }
}

static __global__ void count_runs_kernel(const RowPlace* places, uint64_t n,
                                         unsigned long long* runs) {
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += static_cast<uint64_t>(gridDim.x) * blockDim.x) {
    if (i == 0 || places[i].label != places[i - 1].label) {
      atomicAdd(runs, 1ull);
    }
  }
}

// Kernel for comparison: adds four floats of a row by one atomic, in any order.
// Requires: compute capability 9.0; columns a multiple of 4
static __global__ void __launch_bounds__(512)
    add_rows_by_atomics(const uint32_t* labels, const float4* values, float* buckets,
                        uint64_t units, uint32_t units_of_row) {
#if __CUDA_ARCH__ >= 900
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < units;
       i += static_cast<uint64_t>(gridDim.x) * blockDim.x) {
    const float4 value = __ldcs(values + i);
    float* to =
        buckets +
        (static_cast<uint64_t>(labels[i / units_of_row]) * units_of_row + i % units_of_row) * 4;
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(value.x),
                 "f"(value.y), "f"(value.z), "f"(value.w)
                 : "memory");
  }
#endif
}

// Kernel for comparison: reads `units` units of values, and reads and writes `updated` units of
// buckets.
static __global__ void __launch_bounds__(512)
    stream_kernel(const uint4* values, uint64_t units, uint4* buckets, uint64_t updated) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  const uint64_t thread = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  constexpr int kAtATime = 8;
  uint32_t sum = 0;
  for (uint64_t i = thread; i < units; i += kAtATime * threads) {
    uint4 item[kAtATime];
#pragma unroll
    for (int k = 0; k < kAtATime; ++k) {
      item[k] = i + k * threads < units ? __ldcs(values + i + k * threads) : uint4{};
    }
#pragma unroll
    for (int k = 0; k < kAtATime; ++k) {
      sum ^= item[k].x ^ item[k].y ^ item[k].z ^ item[k].w;
    }
  }
  for (uint64_t i = thread; i < updated; i += threads) {
    uint4 item = buckets[i];
    item.x ^= sum & 1;
    buckets[i] = item;
  }
  if (sum == 0x12345678 && updated == 0) {
    buckets[0].x = sum;
  }
}

template <class Value, class Bucket>
void race(const char* type, int number, const Shape& shape, int rounds) {
  const auto [n, columns, m] = shape;
  const Array<uint32_t> labels(n);
  const Array<Value> values(n * columns);
  const Array<Bucket> buckets(m * columns);
  const Array<Value> results(n * columns);
  fill_kernel<<<2048, 256>>>(values.data(), values.size());
  const size_t order_bytes = row_order_scratch_bytes<uint32_t>(n, m);
  const size_t bytes = multireduce_rows_scratch_bytes<Value>(n, columns);
  const Array<std::byte> order_scratch(order_bytes);
  const Array<std::byte> scratch(bytes);
  for (const Kind kind : {Kind::uniform, Kind::half, Kind::zipf}) {
    bench::make_labels(labels, m,
                       kind == Kind::zipf ? bench::Labels::zipf : bench::Labels::uniform);
    if (kind == Kind::half) {
      halve_kernel<<<2048, 256>>>(labels.data(), n, static_cast<uint32_t>(m / 3));
    }
    fill_kernel<<<2048, 256>>>(buckets.data(), buckets.size());
    PRESORT_CUDA(cudaGetLastError());
    RowOrder order;
    const auto sort = [&] {
      order = row_order(nullptr, std::span<const uint32_t>(labels.data(), n), m,
                        std::span(order_scratch.data(), order_bytes));
    };
    const auto reduce = [&] {
      multireduce_rows(nullptr, order, std::span<const Value>(values.data(), n * columns),
                       std::span(buckets.data(), m * columns), columns, Sum<RowSum<Value>>{},
                       std::span(scratch.data(), bytes));
    };
    const double sorting = bench::median_ns(rounds, sort);
    const double reducing = bench::median_ns(rounds, reduce);
    const double both = bench::median_ns(rounds, [&] {
      sort();
      reduce();
    });
    const double gathering = bench::median_ns(rounds, [&] {
      if constexpr (std::is_same_v<Value, Bucket>) {
        gather_rows(nullptr, std::span<const uint32_t>(labels.data(), n),
                    std::span<const Value>(buckets.data(), m * columns),
                    std::span(results.data(), n * columns), m, columns);
      }
    });
    double adding = 0;
    if constexpr (std::is_same_v<Value, float> && std::is_same_v<Bucket, float>) {
      adding = bench::median_ns(rounds, [&] {
        add_rows_by_atomics<<<132 * 4, 512>>>(
            labels.data(), reinterpret_cast<const float4*>(values.data()), buckets.data(),
            n * columns / 4, static_cast<uint32_t>(columns / 4));
      });
    }
    const Array<unsigned long long> runs(1);
    PRESORT_CUDA(cudaMemset(runs.data(), 0, sizeof(unsigned long long)));
    count_runs_kernel<<<2048, 256>>>(order.places.data(), n, runs.data());
    unsigned long long updated = 0;
    PRESORT_CUDA(cudaMemcpy(&updated, runs.data(), sizeof updated, cudaMemcpyDeviceToHost));
    const double streaming = bench::median_ns(rounds, [&] {
      stream_kernel<<<132 * 4, 512>>>(reinterpret_cast<const uint4*>(values.data()),
                                      n * columns * sizeof(Value) / sizeof(uint4),
                                      reinterpret_cast<uint4*>(buckets.data()),
                                      updated * columns * sizeof(Bucket) / sizeof(uint4));
    });
    PRESORT_CUDA(cudaDeviceSynchronize());
    const double gb =
        static_cast<double>(n * columns * sizeof(Value) + 2 * updated * columns * sizeof(Bucket)) /
        1e9;
    std::printf(
        "{\"shape\": %d, \"type\": \"%s\", \"n\": %llu, \"columns\": %llu, \"m\": %llu, "
        "\"labels\": \"%s\", \"rows updated\": %llu, \"order ms\": %.4f, \"reduce ms\": %.4f, "
        "\"both ms\": %.4f, \"atomics ms\": %.4f, \"gather ms\": %.4f, \"bytes alone ms\": %.4f, "
        "\"reduce TB/s\": %.3f}\n",
        number, type, static_cast<unsigned long long>(n), static_cast<unsigned long long>(columns),
        static_cast<unsigned long long>(m), kKinds[static_cast<int>(kind)], updated, sorting / 1e6,
        reducing / 1e6, both / 1e6, adding / 1e6, gathering / 1e6, streaming / 1e6,
        gb / (reducing / 1e6));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: gpu_rows_speed ROUNDS [SHAPE...]\n");
    return 2;
  }
  const int rounds = std::atoi(argv[1]);
  for (int number = 0; number < static_cast<int>(std::size(kShapes)); ++number) {
    bool is_wanted = argc == 2;
    for (int i = 2; i < argc; ++i) {
      is_wanted = is_wanted || std::atoi(argv[i]) == number;
    }
    if (is_wanted) {
      race<float, float>("float", number, kShapes[number], rounds);
      race<__nv_bfloat16, __nv_bfloat16>("bfloat16", number, kShapes[number], rounds);
      race<__nv_bfloat16, float>("bfloat16 into float", number, kShapes[number], rounds);
    }
  }
  return 0;
}
