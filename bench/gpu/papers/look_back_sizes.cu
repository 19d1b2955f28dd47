// The experiments of Merrill and Garland 2016 again: throughput of scans by size beside that of a
// copy (their figures 7 to 9), and of four operations that a scan makes (figure 12).
//   gpu_look_back_sizes ROUNDS
// Prints lines of JSON: billions of inputs a second, from medians of device events.
#include <cstdlib>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include "bench/gpu/papers/json_line.h"
#include "bench/gpu/timing.cuh"
#include "presort/gpu/compact.cuh"
#include "presort/gpu/reduce_by_key.cuh"
#include "presort/gpu/scan.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::JsonLine;
using bench::mix;

namespace {

constexpr const char* kPaper = "Merrill and Garland 2016";

struct IsEven {
  __host__ __device__ bool operator()(int value) const { return value % 2 == 0; }
};

__global__ void fill(int* values, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    values[i] = static_cast<int>(mix(i) % 1000);
  }
}

// Marks about one of `length` keys as the first of a run; a scan makes keys of the marks.
__global__ void mark_runs(int* keys, uint64_t n, uint64_t length) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    keys[i] = mix(i + 1) % length == 0 ? 1 : 0;
  }
}

class Sizes {
 public:
  Sizes(uint64_t most, int rounds)
      : rounds_(rounds), values_(most), results_(most), scratch_(uint64_t{1} << 28) {
    fill<<<1024, 256>>>(values_.data(), most);
    PRESORT_CUDA(cudaGetLastError());
  }

  void scans(uint64_t n) const {
    const auto* floats = reinterpret_cast<const float*>(values_.data());
    auto* sums = reinterpret_cast<float*>(results_.data());
    const auto ns = bench::medians_by_turns(
        rounds_,
        [&] {
          PRESORT_CUDA(cudaMemcpyAsync(results_.data(), values_.data(), n * sizeof(int),
                                       cudaMemcpyDeviceToDevice));
        },
        [&] {
          size_t bytes = scratch_.size();
          cub::DeviceScan::ExclusiveSum(scratch_.data(), bytes, values_.data(), results_.data(), n);
        },
        [&] {
          scan<Scan::exclusive>(nullptr, std::span<const int>(values_.data(), n),
                                std::span(results_.data(), n), Sum<int>{}, scratch());
        },
        [&] {
          size_t bytes = scratch_.size();
          cub::DeviceScan::ExclusiveSum(scratch_.data(), bytes, floats, sums, n);
        },
        [&] {
          scan<Scan::exclusive>(nullptr, std::span(floats, n), std::span(sums, n), Sum<float>{},
                                scratch());
        });
    JsonLine(kPaper)
        .add("figure", "7 to 9")
        .add("n", n)
        .add("copy", rate(n, ns[0]))
        .add("CUB, i32", rate(n, ns[1]))
        .add("ours, i32", rate(n, ns[2]))
        .add("CUB, f32", rate(n, ns[3]))
        .add("ours, f32", rate(n, ns[4]));
  }

  // Requires: as many values as 2 · n
  void compactions(uint64_t n) const {
    const Array<uint64_t> count(1);
    const Array<int> others(n);
    const std::span<const int> values(values_.data(), n);
    row(
        "select_if, half kept", n,
        [&] {
          size_t bytes = scratch_.size();
          cub::DeviceSelect::If(scratch_.data(), bytes, values_.data(), results_.data(),
                                count.data(), n, IsEven{});
        },
        [&] {
          compact_if(nullptr, values, IsEven{}, std::span(results_.data(), n), count.data(),
                     scratch());
        });
    row(
        "partition_if, half kept", n,
        [&] {
          size_t bytes = scratch_.size();
          cub::DevicePartition::If(scratch_.data(), bytes, values_.data(), results_.data(),
                                   count.data(), n, IsEven{});
        },
        [&] {
          partition_if(nullptr, values, IsEven{}, std::span(results_.data(), n),
                       std::span(others.data(), n), count.data(), scratch());
        });
  }

  // Runs of 500 keys on average, values of 4 bytes.
  void runs(uint64_t n) const {
    constexpr uint64_t kLength = 500;
    const Array<int> keys(n);
    const Array<int> run_keys(n);
    const Array<uint64_t> count(1);
    mark_runs<<<1024, 256>>>(run_keys.data(), n, kLength);
    size_t room = scratch_.size();
    cub::DeviceScan::ExclusiveSum(scratch_.data(), room, run_keys.data(), keys.data(), n);
    const auto* floats = reinterpret_cast<const float*>(values_.data());
    auto* sums = reinterpret_cast<float*>(results_.data());
    const std::span<const int> all_keys(keys.data(), n);
    const std::span all_run_keys(run_keys.data(), n);
    row(
        "reduce_by_key, {i32, f32}, runs of 500", n,
        [&] {
          size_t bytes = scratch_.size();
          cub::DeviceReduce::ReduceByKey(scratch_.data(), bytes, keys.data(), run_keys.data(),
                                         floats, sums, count.data(), cuda::std::plus<>{}, n);
        },
        [&] {
          reduce_by_key(nullptr, all_keys, std::span(floats, n), all_run_keys, std::span(sums, n),
                        count.data(), Sum<float>{}, scratch());
        });
    const Array<int> ones(n);
    mark_runs<<<1024, 256>>>(ones.data(), n, 1);
    PRESORT_CUDA(cudaGetLastError());
    row(
        "run_length_encode, i32, runs of 500 (ours: reduce_by_key of an array of ones)", n,
        [&] {
          size_t bytes = scratch_.size();
          cub::DeviceRunLengthEncode::Encode(scratch_.data(), bytes, keys.data(), run_keys.data(),
                                             results_.data(), count.data(), static_cast<int>(n));
        },
        [&] {
          reduce_by_key(nullptr, all_keys, std::span<const int>(ones.data(), n), all_run_keys,
                        std::span(results_.data(), n), count.data(), Sum<int>{}, scratch());
        });
  }

 private:
  std::span<std::byte> scratch() const { return {scratch_.data(), scratch_.size()}; }
  static double rate(uint64_t n, double ns) { return static_cast<double>(n) / ns; }

  template <class Cub, class Ours>
  void row(const char* operation, uint64_t n, const Cub& cub, const Ours& ours) const {
    const auto ns = bench::medians_by_turns(rounds_, cub, ours);
    JsonLine(kPaper)
        .add("figure", "12")
        .add("operation", operation)
        .add("n", n)
        .add("CUB", rate(n, ns[0]))
        .add("ours", rate(n, ns[1]));
  }

  int rounds_;
  Array<int> values_, results_;
  Array<std::byte> scratch_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: gpu_look_back_sizes ROUNDS\n");
    return 2;
  }
  const Sizes sizes(uint64_t{1} << 30, std::atoi(argv[1]));
  for (int bits = 10; bits <= 30; bits += 2) {
    sizes.scans(uint64_t{1} << bits);
  }
  constexpr uint64_t kInputsOfFigure12 = uint64_t{32} << 20;
  sizes.compactions(kInputsOfFigure12);
  sizes.runs(kInputsOfFigure12);
  return 0;
}
