// Times scans, segmented scans and reductions, reductions by key and compaction beside CUB's, and
// beside a copy or a read of the bytes that they move, in one run.
//   gpu_ordered_peers JSON_FILE [ROUNDS [LOG2_LARGE]]
// Prints a table; the file has an object for each row. Values are u32 unless the row says
// otherwise; times are medians of ROUNDS (11) event times, in ns per value.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <string>
#include <vector>

#include "bench/gpu/ordered/ordered_operators.cuh"
#include "bench/gpu/timing.cuh"
#include "bench/gpu/values.cuh"
#include "presort/gpu/compact.cuh"
#include "presort/gpu/reduce_by_key.cuh"
#include "presort/gpu/segmented_reduce.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::JoinSubarrays;
using bench::mix;
using bench::Subarray;

namespace {

// Makes keys, flags and packed flags of runs that begin at `count` given offsets.
__global__ void mark_runs(const uint32_t* offsets, uint64_t count, uint8_t* heads,
                          uint32_t* packed) {
  for (uint64_t k = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; k < count;
       k += uint64_t{gridDim.x} * blockDim.x) {
    heads[offsets[k]] = 1;
    atomicOr(packed + offsets[k] / 32, 1u << offsets[k] % 32);
  }
}

// Kernel that only reads an array: its time is a ceiling for other kernels.
__global__ void __launch_bounds__(512) read_all(const uint4* packs, uint64_t count, uint32_t* any) {
  uint32_t all = 0;
  const uint64_t threads = uint64_t{gridDim.x} * blockDim.x;
  const uint64_t first = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x;
  uint64_t i = first;
  for (; i + 3 * threads < count; i += 4 * threads) {
    const uint4 a = packs[i];
    const uint4 b = packs[i + threads];
    const uint4 c = packs[i + 2 * threads];
    const uint4 d = packs[i + 3 * threads];
    all ^= a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w ^ c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^ d.z ^
           d.w;
  }
  for (; i < count; i += threads) {
    const uint4 a = packs[i];
    all ^= a.x ^ a.y ^ a.z ^ a.w;
  }
  if (all == 0x12345678) {
    *any = all;
  }
}

class Bench {
 public:
  Bench(std::FILE* json, int rounds, uint64_t large)
      : json_(json),
        rounds_(rounds),
        large_(large),
        values_(large),
        results_(large),
        keys_(large),
        out_keys_(large),
        offsets_(large + 1),
        heads_(large),
        packed_(large / 32 + 1),
        count_(8),
        scratch_(uint64_t{1} << 30) {
    bench::fill(values_, 100);
    PRESORT_CUDA(cudaMemset(results_.data(), 1, large * 4));
    PRESORT_CUDA(cudaMemset(out_keys_.data(), 1, large * 4));
    PRESORT_CUDA(cudaDeviceSynchronize());
    std::printf("| operation | n | case | ours | CUB | bytes alone | ours: share | CUB ÷ ours |\n");
    std::printf("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  }

  void run() {
    for (const uint64_t n :
         {uint64_t{1} << 12, uint64_t{1} << 16, uint64_t{1} << 20, uint64_t{1} << 22, large_}) {
      scans(n);
      segmented_scans(n);
      by_key(n);
      compactions(n);
    }
    for (const uint64_t n : {uint64_t{1} << 12, uint64_t{1} << 16, uint64_t{1} << 18,
                             uint64_t{1} << 20, uint64_t{1} << 22, uint64_t{1} << 26, large_}) {
      even(n);
      irregular(n);
    }
    other_types(large_ / 4);
  }

 private:
  std::span<const uint32_t> values(uint64_t n) const { return {values_.data(), n}; }
  std::span<uint32_t> results(uint64_t n) const { return {results_.data(), n}; }
  std::span<std::byte> scratch() const { return {scratch_.data(), scratch_.size()}; }

  template <class Run>
  double time(uint64_t n, const Run& run) const {
    const double ns = bench::median_ns(n < (1u << 24) ? 3 * rounds_ : rounds_, run);
    PRESORT_CUDA(cudaGetLastError());
    return ns / static_cast<double>(n);
  }
  double time_read(uint64_t n, uint64_t bytes) const {
    return time(n, [&] {
      read_all<<<132 * 4, 512>>>(reinterpret_cast<const uint4*>(values_.data()), bytes / 16,
                                 count_.data());
    });
  }
  // Time, ns an input, of copying so much that `bytes` bytes are read and written in all.
  double time_copy(uint64_t n, uint64_t bytes) const {
    const uint64_t copied = std::min(bytes / 2, 4 * large_);
    const double all = time(n, [&] {
      PRESORT_CUDA(
          cudaMemcpyAsync(results_.data(), values_.data(), copied, cudaMemcpyDeviceToDevice));
    });
    return all * static_cast<double>(bytes / 2) / static_cast<double>(copied);
  }

  void row(const char* operation, uint64_t n, const std::string& of, double ours, double cub,
           double floor) const {
    std::printf("| %s | 2^%d | %s | %.5f | %.5f | %.5f | %.0f %% | %.2f |\n", operation,
                static_cast<int>(std::log2(static_cast<double>(n)) + 0.5), of.c_str(), ours, cub,
                floor, 100 * floor / ours, cub / ours);
    std::fprintf(json_,
                 "{\"operation\": \"%s\", \"n\": %llu, \"case\": \"%s\", \"ours\": %.6f, "
                 "\"cub\": %.6f, \"floor\": %.6f}\n",
                 operation, static_cast<unsigned long long>(n), of.c_str(), ours, cub, floor);
    std::fflush(stdout);
    std::fflush(json_);
  }

  void scans(uint64_t n) const {
    const double ours = time(n, [&] {
      scan<Scan::inclusive>(nullptr, values(n), results(n), Sum<uint32_t>{}, scratch());
    });
    const double cub = time(n, [&] {
      size_t bytes = scratch_.size();
      cub::DeviceScan::InclusiveSum(scratch_.data(), bytes, values_.data(), results_.data(), n);
    });
    row("scan", n, "u32", ours, cub, time_copy(n, 8 * n));
    const auto* floats = reinterpret_cast<const float*>(values_.data());
    auto* sums = reinterpret_cast<float*>(results_.data());
    const double ours_f32 = time(n, [&] {
      scan<Scan::exclusive>(nullptr, std::span(floats, n), std::span(sums, n), Sum<float>{},
                            scratch());
    });
    const double cub_f32 = time(n, [&] {
      size_t bytes = scratch_.size();
      cub::DeviceScan::ExclusiveSum(scratch_.data(), bytes, floats, sums, n);
    });
    row("scan", n, "f32, exclusive", ours_f32, cub_f32, time_copy(n, 8 * n));
  }

  // Makes segments of about `length` values, their offsets, keys and flags. Returns how many.
  uint64_t cut_runs(uint64_t n, uint64_t length) const {
    std::vector<uint32_t> offsets;
    for (uint64_t at = 0; at < n; at += 1 + mix(at) % (2 * length)) {
      offsets.push_back(static_cast<uint32_t>(at));
    }
    offsets.push_back(static_cast<uint32_t>(n));
    upload(offsets_, offsets);
    PRESORT_CUDA(cudaMemset(heads_.data(), 0, n));
    PRESORT_CUDA(cudaMemset(packed_.data(), 0, n / 8));
    mark_runs<<<1024, 256>>>(offsets_.data(), offsets.size() - 1, heads_.data(), packed_.data());
    size_t bytes = scratch_.size();
    cub::DeviceScan::InclusiveScanInit(scratch_.data(), bytes, heads_.data(), keys_.data(),
                                       cuda::std::plus<>{}, 0u, n);
    PRESORT_CUDA(cudaDeviceSynchronize());
    return offsets.size() - 1;
  }
  static void upload(const Array<uint32_t>& to, const std::vector<uint32_t>& from) {
    PRESORT_CUDA(
        cudaMemcpy(to.data(), from.data(), from.size() * sizeof(uint32_t), cudaMemcpyHostToDevice));
  }

  void segmented_scans(uint64_t n) const {
    for (const uint64_t length : {8, 1000, 10000000}) {
      if (length > n && length > 1000) {
        continue;
      }
      const uint64_t segments = cut_runs(n, length);
      const std::string of = "segments of ~" + std::to_string(length);
      const double cub = time(n, [&] {
        size_t bytes = scratch_.size();
        cub::DeviceScan::InclusiveSumByKey(scratch_.data(), bytes, keys_.data(), values_.data(),
                                           results_.data(), n);
      });
      const double bytes_ours = time(n, [&] {
        flagged_scan<Scan::inclusive>(nullptr, values(n),
                                      std::span<const uint8_t>(heads_.data(), n), results(n),
                                      Sum<uint32_t>{}, scratch());
      });
      row("segmented scan", n, "flags, " + of, bytes_ours, cub, time_copy(n, 9 * n / 32 * 32));
      const double packed_ours = time(n, [&] {
        packed_flagged_scan<Scan::inclusive>(
            nullptr, values(n), std::span<const uint32_t>(packed_.data(), (n + 31) / 32),
            results(n), Sum<uint32_t>{}, scratch());
      });
      row("segmented scan", n, "packed flags, " + of, packed_ours, cub, time_copy(n, 8 * n));
      const double offsets_ours = time(n, [&] {
        segmented_scan<Scan::inclusive>(nullptr, values(n),
                                        std::span<const uint32_t>(offsets_.data(), segments + 1),
                                        results(n), Sum<uint32_t>{}, scratch());
      });
      row("segmented scan", n, "offsets, " + of, offsets_ours, cub,
          time_copy(n, (8 * n + 4 * segments) / 32 * 32));
    }
  }

  void by_key(uint64_t n) const {
    for (const uint64_t length : {2, 10, 1000, 1000000}) {
      if (length > n) {
        continue;
      }
      const uint64_t segments = cut_runs(n, length);
      const double ours = time(n, [&] {
        reduce_by_key(nullptr, std::span<const uint32_t>(keys_.data(), n), values(n),
                      std::span(out_keys_.data(), n), results(n),
                      reinterpret_cast<uint64_t*>(count_.data()), Sum<uint32_t>{}, scratch());
      });
      const double cub = time(n, [&] {
        size_t bytes = scratch_.size();
        cub::DeviceReduce::ReduceByKey(scratch_.data(), bytes, keys_.data(), out_keys_.data(),
                                       values_.data(), results_.data(), count_.data(),
                                       cuda::std::plus<>{}, n);
      });
      row("reduce by key", n, "runs of ~" + std::to_string(length), ours, cub,
          time_read(n, 4 * n) * static_cast<double>(8 * n + 8 * segments) /
              static_cast<double>(4 * n));
    }
  }

  void compactions(uint64_t n) const {
    cut_runs(n, 1);  // about two of three values begin a segment
    const double ours = time(n, [&] {
      compact(nullptr, values(n), std::span<const uint8_t>(heads_.data(), n), results(n),
              reinterpret_cast<uint64_t*>(count_.data()), scratch());
    });
    const double cub = time(n, [&] {
      size_t bytes = scratch_.size();
      cub::DeviceSelect::Flagged(scratch_.data(), bytes, values_.data(), heads_.data(),
                                 results_.data(), count_.data(), n);
    });
    row("compact", n, "2 of 3 kept", ours, cub, time_copy(n, (5 * n + 8 * n / 3) / 32 * 32));
  }

  void even(uint64_t n) const {
    for (uint64_t length = 1; length <= n; length *= length < 64 ? 2 : 16) {
      const uint64_t segments = n / length;
      std::vector<uint32_t> offsets(segments + 1);
      for (uint64_t s = 0; s <= segments; ++s) {
        offsets[s] = static_cast<uint32_t>(s * length);
      }
      upload(offsets_, offsets);
      const double ours = time(n, [&] {
        segmented_reduce(nullptr, values(segments * length), length, results(segments),
                         Sum<uint32_t>{}, scratch());
      });
      row("segmented sum, even", n, "length " + std::to_string(length), ours,
          time_cub_segments(n, segments),
          time_read(n, 4 * n) * static_cast<double>(n + segments) / static_cast<double>(n));
    }
  }

  double time_cub_segments(uint64_t n, uint64_t segments) const {
    return time(n, [&] {
      size_t bytes = scratch_.size();
      cub::DeviceSegmentedReduce::Sum(scratch_.data(), bytes, values_.data(), results_.data(),
                                      static_cast<int64_t>(segments), offsets_.data(),
                                      offsets_.data() + 1);
    });
  }

  // Segment lengths by a power law: whole numbers up to n ÷ 8, with probability as 1 ÷ length^1.5.
  void irregular(uint64_t n) const {
    for (const double smallest : {1.0, 16.0, 256.0}) {
      std::vector<uint32_t> offsets = {0};
      for (uint64_t s = 0, at = 0; at < n; ++s) {
        const double part = (static_cast<double>(mix(s) >> 11) + 1) * 0x1p-53;
        const double length = std::min(smallest / (part * part), static_cast<double>(n) / 8);
        at = std::min(n, at + static_cast<uint64_t>(length));
        offsets.push_back(static_cast<uint32_t>(at));
      }
      irregular_row(n, "power law from " + std::to_string(static_cast<int>(smallest)), offsets);
    }
    // One segment has half of the values; every second segment is empty
    std::vector<uint32_t> offsets;
    for (uint64_t s = 0; s < n / 8; ++s) {
      offsets.push_back(static_cast<uint32_t>(s % 2 == 0 ? 4 * s : 4 * (s + 1)));
    }
    offsets.push_back(static_cast<uint32_t>(n));
    irregular_row(n, "one of half the values, every second empty", offsets);
  }

  void irregular_row(uint64_t n, const std::string& of,
                     const std::vector<uint32_t>& offsets) const {
    const uint64_t segments = offsets.size() - 1;
    upload(offsets_, offsets);
    const double ours = time(n, [&] {
      segmented_reduce(nullptr, values(n), std::span<const uint32_t>(offsets_.data(), segments + 1),
                       results(segments), Sum<uint32_t>{}, scratch());
    });
    row("segmented sum, offsets", n, of + ", " + std::to_string(segments) + " segments", ours,
        time_cub_segments(n, segments),
        time_read(n, 4 * n) * static_cast<double>(4 * n + 8 * segments) /
            static_cast<double>(4 * n));
  }

  // Times operations on n values of 16 and of 8 bytes.
  void other_types(uint64_t n) const {
    const std::span subarrays(reinterpret_cast<const Subarray*>(values_.data()), n);
    auto* out = reinterpret_cast<Subarray*>(results_.data());
    for (const uint64_t length : {16, 4096, 4194304}) {
      const uint64_t segments = n / length;
      std::vector<uint32_t> offsets(segments + 1);
      for (uint64_t s = 0; s <= segments; ++s) {
        offsets[s] = static_cast<uint32_t>(s * length);
      }
      upload(offsets_, offsets);
      const double ours = time(n, [&] {
        segmented_reduce(nullptr, subarrays, length, std::span(out, segments), JoinSubarrays{},
                         scratch());
      });
      const double cub = time(n, [&] {
        size_t bytes = scratch_.size();
        cub::DeviceSegmentedReduce::Reduce(
            scratch_.data(), bytes, subarrays.data(), out, static_cast<int64_t>(segments),
            offsets_.data(), offsets_.data() + 1, JoinSubarrays{}, Subarray{0, 0, 0, 0});
      });
      row("maximum subarray, 16 bytes", n, "length " + std::to_string(length), ours, cub,
          time_read(n, 16 * n));
    }
    const double ours = time(n, [&] {
      scan<Scan::inclusive>(nullptr, subarrays, std::span(out, n), JoinSubarrays{}, scratch());
    });
    const double cub = time(n, [&] {
      size_t bytes = scratch_.size();
      cub::DeviceScan::InclusiveScan(scratch_.data(), bytes, subarrays.data(), out, JoinSubarrays{},
                                     n);
    });
    row("scan", n, "maximum subarray, 16 bytes", ours, cub, time_copy(n, 32 * n));
    const std::span words(reinterpret_cast<const uint64_t*>(values_.data()), 2 * n);
    const std::span sums(reinterpret_cast<uint64_t*>(results_.data()), 2 * n);
    const double ours_u64 = time(
        2 * n, [&] { scan<Scan::inclusive>(nullptr, words, sums, Sum<uint64_t>{}, scratch()); });
    const double cub_u64 = time(2 * n, [&] {
      size_t bytes = scratch_.size();
      cub::DeviceScan::InclusiveSum(scratch_.data(), bytes, words.data(), sums.data(), 2 * n);
    });
    row("scan", 2 * n, "u64", ours_u64, cub_u64, time_copy(2 * n, 32 * n));
  }

  std::FILE* json_;
  int rounds_;
  uint64_t large_;
  Array<uint32_t> values_, results_, keys_, out_keys_, offsets_;
  Array<uint8_t> heads_;
  Array<uint32_t> packed_, count_;
  Array<std::byte> scratch_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: gpu_ordered_peers JSON_FILE [ROUNDS [LOG2_LARGE]]\n");
    return 2;
  }
  std::FILE* json = std::fopen(argv[1], "w");
  if (json == nullptr) {
    std::perror(argv[1]);
    return 1;
  }
  Bench(json, argc > 2 ? std::atoi(argv[2]) : 11,
        uint64_t{1} << (argc > 3 ? std::atoi(argv[3]) : 28))
      .run();
  std::fclose(json);
  return 0;
}
