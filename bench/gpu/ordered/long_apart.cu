// Times sums of floats in segments with offsets: by chunks of equal work
// (device/ordered/reduce_segments.cuh), by a block for each segment with long ones apart
// or a warp for each (device/ordered/reduce_long_apart.cuh), as a call does it
// (segmented_reduce.cuh), and by CUB; by turns.
//   gpu_long_apart ROUNDS LOG2_N...
// Prints a line of JSON for each n and kind of segments: medians of device events of the whole
// call, µs.
#include <algorithm>
#include <cstdio>
#include <cub/device/device_segmented_reduce.cuh>
#include <random>
#include <string>
#include <vector>

#include "bench/gpu/ordered/races.cuh"
#include "bench/gpu/timing.cuh"
#include "bench/gpu/values.cuh"
#include "presort/gpu/segmented_reduce.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

class Race {
 public:
  Race(uint64_t n, int rounds)
      : n_(n), rounds_(rounds), values_(n), results_(n), offsets_(n + 1), scratch_(1 << 26) {
    bench::fill(values_, 100);
  }

  void run() {
    for (uint64_t length = 64; length <= n_ / 8; length *= length < (1 << 15) ? 2 : 8) {
      like(length);
    }
    for (const uint64_t mean : {512, 2048, 8192}) {
      power_law(mean);
      power_law(mean, true);
    }
    half_in_one(1024);
  }

 private:
  std::span<std::byte> scratch() const { return {scratch_.data(), scratch_.size()}; }

  // Lengths from 1 to twice `length`, uniform.
  void like(uint64_t length) {
    std::vector<uint32_t> offsets;
    for (uint64_t at = 0; at < n_; at += 1 + random_() % (2 * length)) {
      offsets.push_back(static_cast<uint32_t>(at));
    }
    offsets.push_back(static_cast<uint32_t>(n_));
    print("of about " + std::to_string(length), offsets);
  }
  // Lengths by a power law, with probability as 1 ÷ length^1.5, up to n ÷ 8, n ÷ mean of them; the
  // longest first if is_sorted.
  void power_law(uint64_t mean, bool is_sorted = false) {
    std::vector<double> lengths(n_ / mean);
    double all = 0;
    for (double& length : lengths) {
      const double part = (static_cast<double>(random_() >> 11) + 1) * 0x1p-53;
      length = std::min(1 / (part * part), static_cast<double>(n_) / 8);
      all += length;
    }
    if (is_sorted) {
      std::sort(lengths.rbegin(), lengths.rend());
    }
    std::vector<uint32_t> offsets = {0};
    double at = 0;
    for (const double length : lengths) {
      at += length / all * static_cast<double>(n_);
      offsets.push_back(static_cast<uint32_t>(std::min(at, static_cast<double>(n_))));
    }
    offsets.back() = static_cast<uint32_t>(n_);
    print("power law, mean " + std::to_string(mean) + (is_sorted ? ", longest first" : ""),
          offsets);
  }
  void half_in_one(uint64_t length) {
    std::vector<uint32_t> offsets;
    for (uint64_t at = 0; at < n_ / 2; at += length) {
      offsets.push_back(static_cast<uint32_t>(at));
    }
    offsets.push_back(static_cast<uint32_t>(n_));
    print("half in one, others of " + std::to_string(length), offsets);
  }

  void print(const std::string& of, const std::vector<uint32_t>& offsets) const {
    PRESORT_CUDA(cudaMemcpy(offsets_.data(), offsets.data(), offsets.size() * sizeof(uint32_t),
                            cudaMemcpyHostToDevice));
    const uint64_t count = offsets.size() - 1;
    const auto us = bench::medians_by_turns(
        rounds_,
        [&] {
          reduce_segments(nullptr, values_.data(), results_.data(),
                          OffsetSegments<uint32_t>{offsets_.data(), offsets.size(), n_},
                          Sum<float>{}, scratch());
        },
        [&] {
          reduce_long_apart(nullptr, std::span<const float>(values_.data(), n_), offsets_.data(),
                            count, results_.data(), Sum<float>{}, scratch());
        },
        [&] {
          reduce_long_apart(nullptr, SegmentGroup::warp, std::span<const float>(values_.data(), n_),
                            offsets_.data(), count, results_.data(), Sum<float>{}, scratch());
        },
        [&] {
          segmented_reduce(nullptr, std::span<const float>(values_.data(), n_),
                           std::span<const uint32_t>(offsets_.data(), offsets.size()),
                           std::span(results_.data(), count), Sum<float>{}, scratch());
        },
        [&] {
          size_t bytes = scratch_.size();
          cub::DeviceSegmentedReduce::Sum(scratch_.data(), bytes, values_.data(), results_.data(),
                                          static_cast<int64_t>(count), offsets_.data(),
                                          offsets_.data() + 1);
        });
    std::printf(
        "{\"n\": %zu, \"segments\": \"%s\", \"count\": %zu, \"chunks\": %.2f, \"apart\": %.2f, "
        "\"warps apart\": %.2f, \"call\": %.2f, \"CUB\": %.2f}\n",
        static_cast<size_t>(n_), of.c_str(), static_cast<size_t>(count), us[0] / 1e3, us[1] / 1e3,
        us[2] / 1e3, us[3] / 1e3, us[4] / 1e3);
    std::fflush(stdout);
  }

  std::mt19937_64 random_{1};
  uint64_t n_;
  int rounds_;
  Array<float> values_, results_;
  Array<uint32_t> offsets_;
  Array<std::byte> scratch_;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_races<Race>(argc, argv);
}
