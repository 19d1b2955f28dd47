// Times segmented sums of floats by chunks of equal work (device/ordered/reduce_segments.cuh), by
// lanes that have whole segments (device/ordered/reduce_aligned_segments.cuh) or a block for each
// segment (device/ordered/reduce_each_segment.cuh), and by CUB, by turns; beside them a sum of all
// values, by CUB.
//   gpu_segment_blocks ROUNDS LOG2_N...
// Prints a line of JSON for each n and kind of segments: medians of device events of the whole
// call, µs.
#include <cstdio>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <string>
#include <vector>

#include "bench/gpu/ordered/races.cuh"
#include "bench/gpu/timing.cuh"
#include "bench/gpu/values.cuh"
#include "presort/gpu/segmented_reduce.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::mix;

namespace {

constexpr uint64_t kLongest = uint64_t{1} << 20;  // longest segments of one length
// Most values in segments whose lengths differ.
constexpr uint64_t kMostOfOffsets = uint64_t{1} << 22;

class Race {
 public:
  Race(uint64_t n, int rounds)
      : n_(n), rounds_(rounds), values_(n), results_(n), offsets_(n + 1), scratch_(1 << 26) {
    bench::fill(values_, 100);
  }

  void run() const {
    for (uint64_t length = 1; length <= n_ && length <= kLongest; length *= 2) {
      even(length);
    }
    if (n_ > kMostOfOffsets) {
      return;
    }
    for (const double smallest : {1.0, 16.0, 256.0}) {
      power_law(smallest);
    }
    half_in_one();
    by_offsets("all in one", {0, static_cast<uint32_t>(n_)});
  }

 private:
  std::span<std::byte> scratch() const { return {scratch_.data(), scratch_.size()}; }

  void even(uint64_t length) const {
    std::vector<uint32_t> offsets;
    for (uint64_t at = 0; at <= n_; at += length) {
      offsets.push_back(static_cast<uint32_t>(at));
    }
    const auto short_ones = [&] {
      reduce_aligned_segments(nullptr, values_.data(), n_, length, results_.data(), Sum<float>{});
    };
    const auto each = [&] {
      reduce_each_segment(nullptr, values_.data(), EachEvenSegment{length}, n_ / length,
                          results_.data(), Sum<float>{});
    };
    const std::string of = "length " + std::to_string(length);
    if (length <= WarpStages<float>::kValues) {
      print(of, offsets, EvenSegments{length, n_}, "whole segments", short_ones);
    } else {
      print(of, offsets, EvenSegments{length, n_}, "a block each", each);
    }
  }
  // Segment lengths by a power law: whole numbers up to n ÷ 8, with probability as 1 ÷ length^1.5.
  void power_law(double smallest) const {
    std::vector<uint32_t> offsets = {0};
    for (uint64_t s = 0, at = 0; at < n_; ++s) {
      const double part = (static_cast<double>(mix(s) >> 11) + 1) * 0x1p-53;
      const double length = std::min(smallest / (part * part), static_cast<double>(n_) / 8);
      at = std::min(n_, at + static_cast<uint64_t>(length));
      offsets.push_back(static_cast<uint32_t>(at));
    }
    by_offsets("power law from " + std::to_string(static_cast<int>(smallest)), offsets);
  }
  void half_in_one() const {
    std::vector<uint32_t> offsets;
    for (uint64_t s = 0; s < n_ / 8; ++s) {
      offsets.push_back(static_cast<uint32_t>(s % 2 == 0 ? 4 * s : 4 * (s + 1)));
    }
    offsets.push_back(static_cast<uint32_t>(n_));
    by_offsets("half in one, every second empty", offsets);
  }
  void by_offsets(const std::string& of, const std::vector<uint32_t>& offsets) const {
    print(of, offsets, OffsetSegments<uint32_t>{offsets_.data(), offsets.size(), n_},
          "a block each", [&] {
            reduce_each_segment(nullptr, values_.data(),
                                EachOffsetSegment<uint32_t>{offsets_.data(), n_},
                                offsets.size() - 1, results_.data(), Sum<float>{});
          });
  }

  template <class Segments, class Other>
  void print(const std::string& of, const std::vector<uint32_t>& offsets, const Segments& segments,
             const char* other_name, const Other& other) const {
    PRESORT_CUDA(cudaMemcpy(offsets_.data(), offsets.data(), offsets.size() * sizeof(uint32_t),
                            cudaMemcpyHostToDevice));
    const uint64_t count = offsets.size() - 1;
    const auto us = bench::medians_by_turns(
        rounds_,
        [&] {
          reduce_segments(nullptr, values_.data(), results_.data(), segments, Sum<float>{},
                          scratch());
        },
        other,
        [&] {
          size_t bytes = scratch_.size();
          cub::DeviceSegmentedReduce::Sum(scratch_.data(), bytes, values_.data(), results_.data(),
                                          static_cast<int64_t>(count), offsets_.data(),
                                          offsets_.data() + 1);
        },
        [&] {
          size_t bytes = scratch_.size();
          cub::DeviceReduce::Sum(scratch_.data(), bytes, values_.data(), results_.data(), n_);
        });
    std::printf(
        "{\"n\": %zu, \"segments\": \"%s\", \"count\": %zu, \"chunks\": %.2f, \"%s\": %.2f, "
        "\"CUB\": %.2f, \"sum of all\": %.2f}\n",
        static_cast<size_t>(n_), of.c_str(), static_cast<size_t>(count), us[0] / 1e3, other_name,
        us[1] / 1e3, us[2] / 1e3, us[3] / 1e3);
    std::fflush(stdout);
  }

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
