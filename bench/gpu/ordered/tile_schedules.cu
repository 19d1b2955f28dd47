// Times the two schedules of tiles (block/tile_block.cuh), and CUB beside, by turns: scans of
// floats, segmented scans and compactions.
//   gpu_tile_schedules ROUNDS LOG2_N...
// Prints a line of JSON for each operation and n: medians of device events of the whole call, µs.
#include <cstdio>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <string>

#include "bench/gpu/ordered/races.cuh"
#include "bench/gpu/timing.cuh"
#include "presort/gpu/compact.cuh"
#include "presort/gpu/segmented_scan.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::mix;

namespace {

// Makes values, and heads and keys of runs of `run` values.
__global__ void fill(float* values, uint8_t* heads, uint32_t* keys, uint64_t n, uint64_t run) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    values[i] = static_cast<float>(mix(i) % 100);
    heads[i] = run > 0 ? i % run == 0 : mix(i + 1) % 3 != 0;
    keys[i] = static_cast<uint32_t>(run > 0 ? i / run : 0);
  }
}

class Race {
 public:
  Race(uint64_t n, int rounds)
      : n_(n),
        rounds_(rounds),
        values_(n),
        results_(n),
        keys_(n),
        heads_(n),
        count_(2),
        scratch_(uint64_t{1} << 28) {}

  void run() const;

 private:
  void make(uint64_t run) const {
    fill<<<1024, 256>>>(values_.data(), heads_.data(), keys_.data(), n_, run);
    PRESORT_CUDA(cudaGetLastError());
  }
  bool is_large() const { return n_ > uint64_t{1} << 23; }
  template <class Arguments>
  auto by_tiles(const Arguments& arguments) const {
    return [this, arguments](TileSchedule schedule) {
      Carver carver(scratch_.data());
      const auto look_back = LookBack<float>::take(carver, tile_count<float>(n_));
      scan_tiles<Scan::exclusive>(nullptr, arguments, look_back, Sum<float>{}, schedule);
    };
  }
  auto compacting() const {
    return [this](TileSchedule schedule) {
      Carver carver(scratch_.data());
      const auto look_back = LookBack<uint64_t>::take(carver, tile_count<float>(n_));
      const KeepFlagged flags{{heads_.data(), true}};
      compact_tiles(nullptr,
                    CompactArguments<float, KeepFlagged>{values_.data(), results_.data(), nullptr,
                                                         count_.data(), flags, n_, true},
                    look_back, schedule);
    };
  }

  template <class Ours, class Cub>
  void print(const std::string& operation, const Ours& ours, const Cub& cub) const {
    const auto us = bench::medians_by_turns(
        rounds_, [&] { ours(TileSchedule::pipelines); }, [&] { ours(TileSchedule::blocks); }, cub);
    std::printf(
        "{\"operation\": \"%s\", \"n\": %zu, \"pipelines\": %.2f, \"blocks\": %.2f, \"CUB\": "
        "%.2f}\n",
        operation.c_str(), static_cast<size_t>(n_), us[0] / 1e3, us[1] / 1e3, us[2] / 1e3);
    std::fflush(stdout);
  }

  uint64_t n_;
  int rounds_;
  Array<float> values_, results_;
  Array<uint32_t> keys_;
  Array<uint8_t> heads_;
  Array<uint64_t> count_;
  Array<std::byte> scratch_;
};

void Race::run() const {
  make(1000);
  const ScanArguments<float, NoHeads> whole{values_.data(), results_.data(), {}, n_,
                                            true,           is_large()};
  print("scan of f32", by_tiles(whole), [&] {
    size_t bytes = scratch_.size();
    cub::DeviceScan::ExclusiveSum(scratch_.data(), bytes, values_.data(), results_.data(), n_);
  });
  for (const uint64_t length : {uint64_t{8}, uint64_t{1000}, uint64_t{10000000}}) {
    make(length);
    const ScanArguments<float, ByteHeads> flagged{
        values_.data(), results_.data(), {heads_.data(), true}, n_, true, is_large()};
    const std::string of = ", f32, of " + std::to_string(length);
    print("scan of segments" + of, by_tiles(flagged), [&] {
      size_t bytes = scratch_.size();
      cub::DeviceScan::ExclusiveSumByKey(scratch_.data(), bytes, keys_.data(), values_.data(),
                                         results_.data(), n_);
    });
  }
  make(0);
  print("compaction of f32, 2 of 3 kept", compacting(), [&] {
    size_t bytes = scratch_.size();
    cub::DeviceSelect::Flagged(scratch_.data(), bytes, values_.data(), heads_.data(),
                               results_.data(), count_.data(), n_);
  });
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_races<Race>(argc, argv);
}
