// Times scans and segmented sums of the sizes of ordered_torch.py, which is run beside it.
//   gpu_ordered_torch ROUNDS
// Prints a line of JSON for each operation and size: medians of device events of the whole call,
// µs.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/gpu/timing.cuh"
#include "presort/gpu/segmented_reduce.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

template <class Value>
void time_scan(const char* type, const Array<uint32_t>& words, uint64_t n, int rounds) {
  const Array<Value> results(n);
  const Array<std::byte> scratch(scan_scratch_bytes<Value>(n));
  const std::span<const Value> values(reinterpret_cast<const Value*>(words.data()), n);
  const double ns = bench::median_ns(rounds, [&] {
    scan<Scan::inclusive>(nullptr, values, std::span(results.data(), n), Sum<Value>{},
                          std::span(scratch.data(), scratch.size()));
  });
  std::printf("{\"operation\": \"scan\", \"type\": \"%s\", \"n\": %zu, \"ours\": %.2f}\n", type,
              static_cast<size_t>(n), ns / 1e3);
}

void time_segments(const Array<uint32_t>& words, uint64_t n, uint64_t length, int rounds) {
  const uint64_t segments = n / length;
  std::vector<uint64_t> ends(segments + 1);
  for (uint64_t s = 0; s <= segments; ++s) {
    ends[s] = s * length;
  }
  const Array<uint64_t> offsets(segments + 1);
  PRESORT_CUDA(cudaMemcpy(offsets.data(), ends.data(), ends.size() * sizeof(uint64_t),
                          cudaMemcpyHostToDevice));
  const Array<float> results(segments);
  const Array<std::byte> scratch(
      std::max(segmented_reduce_scratch_bytes<float, uint64_t>(n, segments),
               even_reduce_scratch_bytes<float>(n, length)));
  const std::span<const float> values(reinterpret_cast<const float*>(words.data()), n);
  const std::span<float> sums(results.data(), segments);
  const std::span<std::byte> room(scratch.data(), scratch.size());
  const double by_offsets = bench::median_ns(rounds, [&] {
    segmented_reduce(nullptr, values, std::span<const uint64_t>(offsets.data(), segments + 1), sums,
                     Sum<float>{}, room);
  });
  const double even = bench::median_ns(
      rounds, [&] { segmented_reduce(nullptr, values, length, sums, Sum<float>{}, room); });
  std::printf(
      "{\"operation\": \"segmented sum\", \"type\": \"f32\", \"n\": %zu, \"length\": %zu, "
      "\"ours, offsets\": %.2f, \"ours, one length\": %.2f}\n",
      static_cast<size_t>(n), static_cast<size_t>(length), by_offsets / 1e3, even / 1e3);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: gpu_ordered_torch ROUNDS\n");
    return 2;
  }
  const int rounds = std::atoi(argv[1]);
  for (const int bits : {12, 16, 20, 24, 28}) {
    const uint64_t n = uint64_t{1} << bits;
    const Array<uint32_t> words(n);
    bench::make_labels(words, 100, bench::Labels::uniform);
    time_scan<float>("torch.float32", words, n, rounds);
    time_scan<int>("torch.int32", words, n, rounds);
    for (const uint64_t length : {32, 1024}) {
      time_segments(words, n, length, rounds);
    }
  }
  return 0;
}
