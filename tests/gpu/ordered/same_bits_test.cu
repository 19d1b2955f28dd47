// Tests that sums of floats in order have the same bits in ten runs, while other work leaves them a
// different number of multiprocessors in each; and that both schedules of tiles give the same bits.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/multiscan.cuh"
#include "presort/gpu/plan/ordered_plans.h"
#include "presort/gpu/reduce_axes.cuh"
#include "presort/gpu/reduce_by_key.cuh"
#include "presort/gpu/segmented_reduce.cuh"
#include "presort/gpu/segmented_scan.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

constexpr int kRuns = 10;

// Keeps a multiprocessor for each block, as each has most of the shared memory.
__global__ void keep_busy(long long cycles) {
  const long long first = clock64();
  while (clock64() - first < cycles) {
  }
}

// Leaves a different number of multiprocessors to the work of each run.
class Disturbance {
 public:
  Disturbance() {
    PRESORT_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    PRESORT_CUDA(
        cudaFuncSetAttribute(keep_busy, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes));
  }
  ~Disturbance() { cudaStreamDestroy(stream_); }
  Disturbance(const Disturbance&) = delete;
  Disturbance& operator=(const Disturbance&) = delete;

  void start(int run) const {
    constexpr long long kCycles = 1'000'000;
    if (run > 0) {
      keep_busy<<<13 * run, 32, kSharedBytes, stream_>>>(kCycles);
      PRESORT_CUDA(cudaGetLastError());
    }
  }

 private:
  static constexpr int kSharedBytes = 200 << 10;
  cudaStream_t stream_{};
};

// Floats of many magnitudes, whose sums round differently in each order.
std::vector<float> make_floats(size_t n, std::mt19937_64& random) {
  std::vector<float> values(n);
  for (float& value : values) {
    value =
        std::ldexp(static_cast<float>(random() % 16777213 + 1), -static_cast<int>(random() % 30));
  }
  return values;
}

// Number of runs of `work`, which fills the results, whose bits differ from those of the first.
template <class Work>
int differing_runs(const DeviceArray<float>& results, const Work& work) {
  const Disturbance disturbance;
  std::vector<float> first;
  int differing = 0;
  for (int run = 0; run < kRuns; ++run) {
    PRESORT_CUDA(cudaMemset(results.span().data(), 0, results.span().size_bytes()));
    PRESORT_CUDA(cudaDeviceSynchronize());
    disturbance.start(run);
    work();
    PRESORT_CUDA(cudaDeviceSynchronize());
    const std::vector<float> found = results.host();
    first = run == 0 ? found : first;
    differing += std::memcmp(found.data(), first.data(), found.size() * sizeof(float)) != 0;
  }
  return differing;
}

struct Same {
  __host__ __device__ float operator()(float value) const { return value; }
};
struct SumInOrder : Sum<float> {
  static constexpr bool is_commutative = false;
};

class Case {
 public:
  Case(size_t n, std::mt19937_64& random)
      : n_(n), values_(make_floats(n, random)), results_(std::vector<float>(n, 0.0f)) {
    for (size_t at = 0; at < n; at += 1 + random() % (random() % 8 == 0 ? 40000 : 60)) {
      offsets_.push_back(static_cast<uint32_t>(at));
    }
    offsets_.push_back(static_cast<uint32_t>(n));
  }

  void check_segments() const {
    const DeviceArray<std::byte> scratch(poison(scan_scratch_bytes<float>(n_)));
    CHECK(differing_runs(results_, [&] {
            scan<Scan::exclusive>(nullptr, values_.read_only(), results_.span(), Sum<float>{},
                                  scratch.span());
          }) == 0);
    const DeviceArray<uint32_t> offsets(offsets_);
    const size_t segments = offsets_.size() - 1;
    const DeviceArray<std::byte> of_scan(poison(segmented_scan_scratch_bytes<float>(n_)));
    CHECK(differing_runs(results_, [&] {
            segmented_scan<Scan::inclusive>(nullptr, values_.read_only(), offsets.read_only(),
                                            results_.span(), Sum<float>{}, of_scan.span());
          }) == 0);
    const DeviceArray<std::byte> of_sums(
        poison(segmented_reduce_scratch_bytes<float, uint32_t>(n_, segments)));
    CHECK(differing_runs(results_, [&] {
            segmented_reduce(nullptr, values_.read_only(), offsets.read_only(),
                             results_.span().first(segments), Sum<float>{}, of_sums.span());
          }) == 0);
    std::vector<uint32_t> keys(n_);
    for (size_t s = 0; s < segments; ++s) {
      std::fill(keys.begin() + offsets_[s], keys.begin() + offsets_[s + 1],
                static_cast<uint32_t>(s));
    }
    const DeviceArray<uint32_t> from(keys);
    const DeviceArray<uint32_t> run_keys(keys);
    const DeviceArray<uint64_t> count(std::vector<uint64_t>(1));
    const DeviceArray<std::byte> of_keys(poison(reduce_by_key_scratch_bytes<uint32_t, float>(n_)));
    CHECK(differing_runs(results_, [&] {
            reduce_by_key(nullptr, from.read_only(), values_.read_only(), run_keys.span(),
                          results_.span(), count.span().data(), Sum<float>{}, of_keys.span());
          }) == 0);
  }

  void check_buckets(uint64_t m, std::mt19937_64& random) const {
    const DeviceArray<uint32_t> labels(make_labels<uint32_t>(Kind::skewed, n_, m, random));
    const DeviceArray<float> buckets(std::vector<float>(m, 0.0f));
    const GpuProblem problem{n_, m, sizeof(float)};
    const GpuPlan plan = ordered_plan(problem);
    const DeviceArray<std::byte> scratch(
        poison(multireduce_scratch_bytes<uint32_t, float, SumInOrder>(plan, n_, m)));
    CHECK(differing_runs(buckets, [&] {
            multireduce(nullptr, labels.read_only(), values_.read_only(), buckets.span(),
                        SumInOrder{}, plan, scratch.span());
          }) == 0);
    const GpuPlan of_scan = scan_plan(problem, current_device_limits());
    const DeviceArray<std::byte> room(
        poison(multiscan_scratch_bytes<uint32_t, float>(of_scan, n_, m)));
    CHECK(differing_runs(results_, [&] {
            PRESORT_CUDA(cudaMemset(buckets.span().data(), 0, m * sizeof(float)));
            multiscan<Scan::exclusive>(nullptr, labels.read_only(), values_.read_only(),
                                       buckets.span(), results_.span(), Sum<float>{}, of_scan,
                                       room.span());
          }) == 0);
  }

  // Reduces all values to one number, and the rows and the columns of a matrix.
  void check_axes() const {
    const auto rows = static_cast<uint64_t>(std::sqrt(static_cast<double>(n_)));
    const auto stride = static_cast<int64_t>(rows);
    const float* from = values_.span().data();
    float* to = results_.span().data();
    const auto check = [&](const AxesShape& shape, const std::vector<int64_t>& kept,
                           const std::vector<int64_t>& strides) {
      const AxesPlan plan = plan_axes<Sum<float>>(shape, Strided<float>{to, kept},
                                                  Strided<const float>{from, strides});
      const DeviceArray<std::byte> scratch(poison(axes_scratch_bytes<float>(plan)));
      CHECK(differing_runs(results_, [&] {
              reduce_axes(nullptr, plan, to, Sum<float>{}, Same{}, scratch.span(), from);
            }) == 0);
    };
    check({{n_}, {0}}, {0}, {1});
    check({{rows, rows}, {0}}, {0, 1}, {stride, 1});
    check({{rows, rows}, {1}}, {1, 0}, {stride, 1});
  }

  // Scans in both schedules of tiles.
  void check_schedules() const {
    std::vector<float> first;
    for (const TileSchedule schedule : {TileSchedule::blocks, TileSchedule::pipelines}) {
      const uint64_t tiles = tile_count<float>(n_);
      Carver size;
      LookBack<float>::take(size, tiles);
      const DeviceArray<std::byte> scratch(poison(size.used_bytes()));
      Carver carver(scratch.span().data());
      const auto look_back = LookBack<float>::take(carver, tiles);
      scan_tiles<Scan::exclusive>(nullptr,
                                  ScanArguments<float, NoHeads>{
                                      values_.span().data(), results_.span().data(), {}, n_, true},
                                  look_back, Sum<float>{}, schedule);
      const std::vector<float> found = results_.host();
      first = first.empty() ? found : first;
      CHECK(std::memcmp(found.data(), first.data(), n_ * sizeof(float)) == 0);
    }
  }

 private:
  uint64_t n_;
  DeviceArray<float> values_;
  DeviceArray<float> results_;
  std::vector<uint32_t> offsets_;
};

}  // namespace

TEST_CASE("sums of floats in order have the same bits, whatever else runs") {
  std::mt19937_64 random(73);
  for (const size_t n : {size_t{50021}, size_t{1000003}}) {
    const Case of(n, random);
    of.check_segments();
    of.check_axes();
    of.check_schedules();
    for (const uint64_t m : {uint64_t{200}, uint64_t{70000}}) {
      of.check_buckets(m, random);
    }
  }
}
