// Times segmented scans of floats with offsets: heads made as bits by a launch before the scan,
// found by each warp of the scan, and CUB's scan by key; by turns.
//   gpu_offset_heads ROUNDS LOG2_N...
// Prints a line of JSON for each n and length: medians of device events of the whole call, µs; how
// many results differ between the first two.
#include <cstdio>
#include <cub/device/device_scan.cuh>
#include <random>
#include <vector>

#include "bench/gpu/ordered/races.cuh"
#include "bench/gpu/timing.cuh"
#include "bench/gpu/values.cuh"
#include "presort/gpu/block/found_heads.cuh"
#include "presort/gpu/segmented_scan.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

__global__ void number_segments(const uint32_t* offsets, uint64_t segments, uint32_t* keys) {
  for (uint64_t s = blockIdx.x; s < segments; s += gridDim.x) {
    for (uint64_t i = offsets[s] + threadIdx.x; i < offsets[s + 1]; i += blockDim.x) {
      keys[i] = static_cast<uint32_t>(s);
    }
  }
}
__global__ void count_different(const float* a, const float* b, uint64_t n, unsigned* count) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    if (__float_as_uint(a[i]) != __float_as_uint(b[i])) {
      atomicAdd(count, 1u);
    }
  }
}

class Race {
 public:
  Race(uint64_t n, int rounds)
      : n_(n),
        rounds_(rounds),
        values_(n),
        results_(n),
        expected_(n),
        keys_(n),
        offsets_(2 * n + 2),
        count_(1),
        scratch_((n / 2 + (uint64_t{1} << 24))) {
    bench::fill(values_, 100);
  }

  void run() {
    for (const uint64_t length : {3, 8, 20, 64, 1000, 100000}) {
      if (length < n_) {
        segments(length);
      }
    }
  }

 private:
  template <class Heads>
  void scan_as(const Heads& heads, float* to) const {
    Carver carver(scratch_.data());
    const auto arrays = OffsetScanArrays<float>::take(carver, n_);
    auto look_back = arrays.look_back;
    if constexpr (!Heads::kAreMade) {
      Carver other(scratch_.data());
      look_back = LookBack<float>::take(other, scan_tile_count<float>(n_));
    }
    scan_with_heads<Scan::inclusive>(nullptr, std::span<const float>(values_.data(), n_), heads,
                                     std::span<float>(to, n_), look_back, Sum<float>{});
  }
  OffsetHeads<uint32_t> made(uint64_t count) const {
    Carver carver(scratch_.data());
    const auto arrays = OffsetScanArrays<float>::take(carver, n_);
    return {{arrays.heads}, offsets_.data(), count, arrays.heads};
  }

  void segments(uint64_t length) {
    std::vector<uint32_t> offsets;
    for (uint64_t at = 0; at < n_; at += 1 + random_() % (2 * length)) {
      offsets.push_back(static_cast<uint32_t>(at));
    }
    offsets.push_back(static_cast<uint32_t>(n_));
    const uint64_t count = offsets.size();
    PRESORT_CUDA(cudaMemcpy(offsets_.data(), offsets.data(), count * 4, cudaMemcpyHostToDevice));
    number_segments<<<2048, 128>>>(offsets_.data(), count - 1, keys_.data());
    const FoundHeads<uint32_t> found{offsets_.data(), count};
    const OffsetHeads<uint32_t> bits = made(count);
    print(
        length, [&](float* to) { scan_as(bits, to); }, [&](float* to) { scan_as(found, to); });
  }

  template <class First, class Second>
  void print(uint64_t length, const First& first, const Second& second) const {
    PRESORT_CUDA(cudaMemset(count_.data(), 0, sizeof(unsigned)));
    first(expected_.data());
    PRESORT_CUDA(cudaMemset(results_.data(), 0xff, n_ * sizeof(float)));
    second(results_.data());
    count_different<<<1024, 256>>>(expected_.data(), results_.data(), n_, count_.data());
    unsigned different = 0;
    PRESORT_CUDA(cudaMemcpy(&different, count_.data(), sizeof different, cudaMemcpyDeviceToHost));
    const auto ns = bench::medians_by_turns(
        rounds_, [&] { first(results_.data()); }, [&] { second(results_.data()); },
        [&] {
          size_t bytes = scratch_.size();
          cub::DeviceScan::InclusiveSumByKey(scratch_.data(), bytes, keys_.data(), values_.data(),
                                             results_.data(), n_);
        });
    std::printf(
        "{\"n\": %zu, \"length\": %zu, \"different\": %u, \"bits\": %.2f, \"found\": %.2f, "
        "\"CUB\": "
        "%.2f}\n",
        static_cast<size_t>(n_), static_cast<size_t>(length), different, ns[0] / 1e3, ns[1] / 1e3,
        ns[2] / 1e3);
    std::fflush(stdout);
  }

  std::mt19937_64 random_{1};
  uint64_t n_;
  int rounds_;
  Array<float> values_, results_, expected_;
  Array<uint32_t> keys_, offsets_;
  Array<unsigned> count_;
  Array<std::byte> scratch_;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_races<Race>(argc, argv);
}
