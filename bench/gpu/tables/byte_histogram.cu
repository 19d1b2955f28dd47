// Times histograms of bytes and of 16-bit keys: ours, CUB's and the published ones of
// byte_baselines.cuh, beside reading alone. All are compared with a plain loop of the host first.
//   gpu_byte_histogram LOG2_N ROUNDS
// Prints ns a label, one line for each kind of data: random, degenerate, image (made: smooth waves
// with noise of five grey levels, of 4096 pixels a row).
#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_histogram.cuh>
#include <string>
#include <vector>

#include "bench/gpu/tables/byte_baselines.cuh"
#include "bench/gpu/timing.cuh"
#include "presort/gpu/histogram.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

enum class Data { random, degenerate, image };

__global__ void make_bytes(uint8_t* bytes, uint64_t n, Data data) {
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<uint64_t>(gridDim.x) * blockDim.x) {
    if (data == Data::random) {
      bytes[i] = static_cast<uint8_t>(bench::mix(i));
    } else if (data == Data::degenerate) {
      bytes[i] = 128;
    } else {
      const float x = static_cast<float>(i % 4096) / 97;
      const float y = static_cast<float>(i / 4096 % 4096) / 131;
      bytes[i] = static_cast<uint8_t>(128 + 80 * sinf(x) * cosf(y) +
                                      static_cast<float>(bench::mix(i) % 5));
    }
  }
}

__global__ void read_only(const uint4* packs, uint64_t pack_count, uint32_t* out) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  uint32_t seen = 0;
  uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x;
  for (; i + 3 * threads < pack_count; i += 4 * threads) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const uint4 pack = packs[i + j * threads];
      seen += pack.x ^ pack.y ^ pack.z ^ pack.w;
    }
  }
  if (seen ==
      0x12345678u) {  // the sum of what was read must be used, or the loop is optimised away
    *out = seen;
  }
}

class Bytes {
 public:
  Bytes(uint64_t n, int rounds)
      : n_(n), rounds_(rounds), bytes_(n), counts_(kKeys), scratch_(uint64_t{1} << 30) {}

  void print(Data data, const char* name) {
    make_bytes<<<132 * 8, 256>>>(bytes_.data(), n_, data);
    std::vector<uint8_t> host(n_);
    PRESORT_CUDA(cudaMemcpy(host.data(), bytes_.data(), n_, cudaMemcpyDeviceToHost));
    expected_.assign(256, 0);
    for (const uint8_t byte : host) {
      ++expected_[byte];
    }
    std::printf("{\"n\": %zu, \"data\": \"%s\"", static_cast<size_t>(n_), name);
    const auto* words = reinterpret_cast<const uint32_t*>(bytes_.data());
    uint32_t* counts = counts_.data();
    std::printf(", \"read\": %.6f", ns([&] {
                  read_only<<<132 * 8, 256>>>(reinterpret_cast<const uint4*>(words), n_ / 16,
                                              counts);
                }));
    const GpuPlan plan = parse_gpu_plan("strategy=sharedSets");
    time("ours", 256, [&] {
      histogram<uint8_t, uint32_t>(nullptr, {bytes_.data(), n_}, {counts, 256}, plan, {});
    });
    const auto words_of = [&](auto kernel, int blocks, int threads) {
      return [=, this] { kernel<<<132 * blocks, threads>>>(words, n_ / 4, counts); };
    };
    time("podlozhnyuk64", 64, words_of(bench::podlozhnyuk64, 8, bench::kPodlozhnyukThreads64));
    time("podlozhnyuk256", 256, words_of(bench::podlozhnyuk256, 8, 32 * bench::kWarpTables));
    time("nugteren, warps", 256, words_of(bench::nugteren_warps, 8, 32 * bench::kWarpTables));
    time("nugteren, lanes", 256, words_of(bench::nugteren_lanes, 13, 32));
    time("trish", 256, words_of(bench::trish, 13, bench::kTrishTables));
    time("bank trish", 256,
         words_of(bench::bank_trish, 4, bench::kTrishTables * bench::kBankTrishShare));
    time("CUB", 256, [&] {
      size_t bytes = scratch_.size();
      cub::DeviceHistogram::HistogramEven(scratch_.data(), bytes, bytes_.data(),
                                          reinterpret_cast<int*>(counts), 257, 0, 256,
                                          static_cast<int64_t>(n_));
    });
    expected_of_keys_.assign(kKeys, 0);
    const auto* host_keys = reinterpret_cast<const uint16_t*>(host.data());
    for (uint64_t i = 0; i < n_ / 2; ++i) {
      ++expected_of_keys_[host_keys[i]];
    }
    time_short("ours, 16 bits", plan);
    time_short("ours, 16 bits, 2 ranges", parse_gpu_plan("strategy=sharedSets,rangePasses=2"));
    time_short_by_cub();
    std::printf("}\n");
    std::fflush(stdout);
  }

 private:
  template <class Run>
  double ns(const Run& run) const {
    return bench::median_ns(rounds_, run) / static_cast<double>(n_);
  }

  // Checks the counts of a histogram, which may add to old counts or, as CUB's, overwrite them.
  template <class Run>
  void time(const char* name, uint32_t bins, const Run& run) {
    PRESORT_CUDA(cudaMemset(counts_.data(), 0, 65536 * 4));
    run();
    std::vector<uint32_t> found(bins);
    PRESORT_CUDA(cudaMemcpy(found.data(), counts_.data(), bins * 4, cudaMemcpyDeviceToHost));
    std::vector<uint32_t> expected(bins);
    for (uint32_t byte = 0; byte < 256; ++byte) {
      expected[byte / (256 / bins)] += expected_[byte];
    }
    std::printf(", \"%s\": ", name);
    if (found == expected) {
      std::printf("%.6f", ns(run));
    } else {
      std::printf("\"wrong\"");
    }
  }

  // Times a histogram of 16-bit keys, ns a key, over the memory that holds the byte keys.
  void time_short(const char* name, const GpuPlan& plan) {
    const std::span<const uint16_t> keys(reinterpret_cast<const uint16_t*>(bytes_.data()), n_ / 2);
    time_short(name, [&] {
      histogram<uint16_t, uint32_t>(nullptr, keys, {counts_.data(), kKeys}, plan, {});
    });
  }

  void time_short_by_cub() {
    time_short("CUB, 16 bits", [&] {
      size_t bytes = scratch_.size();
      cub::DeviceHistogram::HistogramEven(
          scratch_.data(), bytes, reinterpret_cast<const uint16_t*>(bytes_.data()),
          reinterpret_cast<int*>(counts_.data()), static_cast<int>(kKeys) + 1, 0,
          static_cast<int>(kKeys), static_cast<int64_t>(n_ / 2));
    });
  }

  template <class Run>
  requires std::invocable<Run>
  void time_short(const char* name, const Run& run) {
    PRESORT_CUDA(cudaMemset(counts_.data(), 0, kKeys * 4));
    run();
    std::vector<uint32_t> found(kKeys);
    PRESORT_CUDA(cudaMemcpy(found.data(), counts_.data(), kKeys * 4, cudaMemcpyDeviceToHost));
    std::printf(", \"%s\": ", name);
    if (found == expected_of_keys_) {
      std::printf("%.6f", 2 * ns(run));
    } else {
      std::printf("\"wrong\"");
    }
  }

  static constexpr size_t kKeys = 65536;

  uint64_t n_;
  int rounds_;
  Array<uint8_t> bytes_;
  Array<uint32_t> counts_;
  Array<std::byte> scratch_;
  std::vector<uint32_t> expected_;
  std::vector<uint32_t> expected_of_keys_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: gpu_byte_histogram LOG2_N ROUNDS\n");
    return 2;
  }
  Bytes bytes(uint64_t{1} << std::atoi(argv[1]), std::atoi(argv[2]));
  bytes.print(Data::random, "random");
  bytes.print(Data::degenerate, "degenerate");
  bytes.print(Data::image, "image");
  return 0;
}
