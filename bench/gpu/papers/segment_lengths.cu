// The experiments of van den Hurk 2022 again: a segmented scan of ones by number of elements with
// segments of 10 000 (figures 6 and 7), of 5 000 000 elements by length of segment (figure 8) and
// by how many tiles have a head (figure 9), and a scan without segments (§4.2.2).
//   gpu_segment_lengths ROUNDS
// Prints lines of JSON: medians of device events of the whole call, µs. His tiles are of 7 elements
// for each thread of a block; ours have 4096.
#include <cstdlib>
#include <cub/device/device_scan.cuh>

#include "bench/gpu/papers/json_line.h"
#include "bench/gpu/timing.cuh"
#include "presort/gpu/segmented_scan.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::JsonLine;

namespace {

constexpr const char* kPaper = "van den Hurk 2022";
constexpr uint64_t kElements = 5000000;
constexpr uint64_t kTile = 4096;

// Makes ones, and heads and keys of segments of `length` elements; length 0: one segment.
__global__ void fill(int* ones, uint8_t* heads, int* keys, uint64_t n, uint64_t length) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    ones[i] = 1;
    heads[i] = length > 0 && i % length == 0;
    keys[i] = length > 0 ? static_cast<int>(i / length) : 0;
  }
}

class Lengths {
 public:
  Lengths(uint64_t most, int rounds)
      : rounds_(rounds),
        ones_(most),
        results_(most),
        keys_(most),
        heads_(most),
        scratch_(uint64_t{1} << 26) {}

  void segments(const char* figure, uint64_t n, uint64_t length) const {
    fill<<<1024, 256>>>(ones_.data(), heads_.data(), keys_.data(), n, length);
    PRESORT_CUDA(cudaGetLastError());
    const auto ns = bench::medians_by_turns(
        rounds_,
        [&] {
          flagged_scan<Scan::inclusive>(nullptr, values(n),
                                        std::span<const uint8_t>(heads_.data(), n), results(n),
                                        Sum<int>{}, scratch());
        },
        [&] {
          size_t bytes = scratch_.size();
          cub::DeviceScan::InclusiveSumByKey(scratch_.data(), bytes, keys_.data(), ones_.data(),
                                             results_.data(), n);
        });
    JsonLine(kPaper)
        .add("figure", figure)
        .add("n", n)
        .add("segment length", length)
        .add("ours us", ns[0] / 1e3)
        .add("CUB us", ns[1] / 1e3);
  }

  void whole(uint64_t n) const {
    const auto ns = bench::medians_by_turns(
        rounds_,
        [&] { scan<Scan::inclusive>(nullptr, values(n), results(n), Sum<int>{}, scratch()); },
        [&] {
          size_t bytes = scratch_.size();
          cub::DeviceScan::InclusiveSum(scratch_.data(), bytes, ones_.data(), results_.data(), n);
        });
    JsonLine(kPaper)
        .add("figure", "§4.2.2")
        .add("n", n)
        .add("ours us", ns[0] / 1e3)
        .add("CUB us", ns[1] / 1e3);
  }

 private:
  std::span<const int> values(uint64_t n) const { return {ones_.data(), n}; }
  std::span<int> results(uint64_t n) const { return {results_.data(), n}; }
  std::span<std::byte> scratch() const { return {scratch_.data(), scratch_.size()}; }

  int rounds_;
  Array<int> ones_, results_, keys_;
  Array<uint8_t> heads_;
  Array<std::byte> scratch_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: gpu_segment_lengths ROUNDS\n");
    return 2;
  }
  constexpr uint64_t kMost = 100000000;
  const Lengths lengths(kMost, std::atoi(argv[1]));
  for (uint64_t n = 100; n <= kMost; n *= 10) {
    lengths.segments("6, 7", n, 10000);
  }
  for (uint64_t length = 1; length <= 1000000; length *= 10) {
    lengths.segments("8", kElements, length);
  }
  for (uint64_t tiles = 1; tiles <= 1024; tiles *= 2) {
    lengths.segments("9", kElements, tiles * kTile);
  }
  lengths.segments("9", kElements, 0);
  lengths.whole(kElements);
  return 0;
}
