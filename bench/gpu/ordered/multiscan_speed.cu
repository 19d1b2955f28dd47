// Times exclusive multiscans of u32 labels, every plan that fits, beside
//   CUB       a stable sort by all bits of the label of (value, index), a scan by key of the
//             values, and the results stored where the indices say
//   Sheffler  up to 256 buckets (bench/gpu/ordered/sheffler.cuh)
//   gpu_multiscan_speed LOG2_N ROUNDS LABELS LOG2_M...    LABELS: uniform, degenerate, zipf
// Prints a line of JSON for each m and operator: medians, ns per input. Results are compared first;
// buckets begin with the neutral element, which is what CUB's scan begins with.
#include <thrust/iterator/transform_iterator.h>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <string>

#include "bench/gpu/ordered/ordered_operators.cuh"
#include "bench/gpu/ordered/sheffler.cuh"
#include "bench/gpu/timing.cuh"
#include "presort/gpu/multiscan.cuh"
#include "presort/gpu/plan/ordered_plans.h"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

// Adds u32 numbers, as an operator for CUB.
struct Add : Sum<uint32_t> {
  static constexpr const char* kName = "sum of u32";
};

template <class Value>
struct Indexed {
  Value value;
  uint32_t index;
};

template <class Value>
struct ValueOf {
  __host__ __device__ Value operator()(const Indexed<Value>& indexed) const {
    return indexed.value;
  }
};

// Kernel that calls work(i) for every i below n, in a thread for each i.
template <class Work>
__global__ void for_each_kernel(uint64_t n, Work work) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += threads) {
    work(i);
  }
}

template <class Work>
void for_each(uint64_t n, const Work& work) {
  for_each_kernel<<<2048, 256>>>(n, work);
  PRESORT_CUDA(cudaGetLastError());
}

struct MakeWords {
  uint32_t* words;
  __device__ void operator()(uint64_t i) const {
    words[i] = static_cast<uint32_t>(bench::mix(i + 7));
  }
};

template <class Value, class M>
struct Neutralise {
  Value* buckets;
  __device__ void operator()(uint64_t k) const { buckets[k] = M{}.identity(); }
};

template <class Value>
struct CountDiffering {
  const Value* a;
  const Value* b;
  unsigned* count;
  __device__ void operator()(uint64_t i) const {
    if (!(a[i] == b[i])) {
      atomicAdd(count, 1u);
    }
  }
};

template <class Value>
struct Enumerate {
  const Value* from;
  Indexed<Value>* to;
  __device__ void operator()(uint64_t i) const { to[i] = {from[i], static_cast<uint32_t>(i)}; }
};

template <class Value>
struct PutBack {
  const Indexed<Value>* sorted;
  const Value* from;
  Value* to;
  __device__ void operator()(uint64_t i) const { to[sorted[i].index] = from[i]; }
};

template <class M>
class Race {
 public:
  using Value = decltype(M{}.identity());

  Race(const Array<uint32_t>& labels, uint64_t m, int rounds)
      : labels_(labels),
        n_(labels.size()),
        m_(m),
        rounds_(rounds),
        values_(n_),
        buckets_(m),
        results_(n_),
        expected_(n_) {
    for_each(n_ * sizeof(Value) / 4, MakeWords{reinterpret_cast<uint32_t*>(values_.data())});
  }

  bool print(const char* labels) {
    std::printf("{\"n\": %zu, \"m\": %zu, \"labels\": \"%s\", \"operator\": \"%s\"",
                static_cast<size_t>(n_), static_cast<size_t>(m_), labels, M::kName);
    bool agree = true;
    race_cub();
    for (const GpuPlan& plan : plans()) {
      agree &= race_ours(plan);
    }
    if constexpr (sizeof(Value) == 4) {
      if (m_ <= bench::kMostShefflerBuckets) {
        agree &= race_sheffler();
      }
    }
    std::printf(", \"agree\": %s}\n", agree ? "true" : "false");
    std::fflush(stdout);
    return agree;
  }

 private:
  std::vector<GpuPlan> plans() const {
    const DeviceLimits device = current_device_limits();
    std::vector<GpuPlan> plans = {scan_plan({n_, m_, sizeof(Value)}, device)};
    if (!plans[0].presort && m_ > 1) {
      plans.push_back(
          {.presort = GpuPresort{
               .sort_bits = label_bits(m_),
               .passes = (label_bits(m_) + kMostBitsOfStablePass - 1) / kMostBitsOfStablePass}});
    }
    return plans;
  }

  void reset_buckets() const { for_each(m_, Neutralise<Value, M>{buckets_.data()}); }

  template <class Run>
  void time(const std::string& name, const Run& run) const {
    std::printf(", \"%s\": %.5f", name.c_str(),
                bench::median_ns(rounds_, run) / static_cast<double>(n_));
  }

  bool is_expected() const {
    const Array<unsigned> differing(1);
    PRESORT_CUDA(cudaMemset(differing.data(), 0, sizeof(unsigned)));
    for_each(n_, CountDiffering<Value>{results_.data(), expected_.data(), differing.data()});
    unsigned found = 0;
    PRESORT_CUDA(cudaMemcpy(&found, differing.data(), sizeof found, cudaMemcpyDeviceToHost));
    return found == 0;
  }

  bool race_ours(const GpuPlan& plan) const {
    const size_t bytes = multiscan_scratch_bytes<uint32_t, Value>(plan, n_, m_);
    const Array<std::byte> scratch(bytes);
    const auto run = [&] {
      multiscan<Scan::exclusive, uint32_t, Value>(
          nullptr, {labels_.data(), n_}, {values_.data(), n_}, {buckets_.data(), m_},
          {results_.data(), n_}, M{}, plan, {scratch.data(), bytes});
    };
    reset_buckets();
    run();
    const bool agrees = is_expected();
    time(to_string(plan), run);
    return agrees;
  }

  void race_cub() const {
    const Array<Indexed<Value>> inputs(n_);
    const Array<Indexed<Value>> sorted(n_);
    const Array<uint32_t> labels_out(n_);
    const Array<Value> scanned(n_);
    const auto values = thrust::make_transform_iterator(sorted.data(), ValueOf<Value>{});
    const auto call = [&](void* scratch, size_t& sort, size_t& scan) {
      PRESORT_CUDA(cub::DeviceRadixSort::SortPairs(scratch, sort, labels_.data(), labels_out.data(),
                                                   inputs.data(), sorted.data(), n_, 0,
                                                   std::max(1, label_bits(m_))));
      PRESORT_CUDA(cub::DeviceScan::ExclusiveScanByKey(scratch, scan, labels_out.data(), values,
                                                       scanned.data(), M{}, M{}.identity(), n_));
    };
    size_t sort = 0;
    size_t scan = 0;
    call(nullptr, sort, scan);
    const Array<std::byte> scratch(std::max(sort, scan));
    sort = scan = scratch.size();
    const auto run = [&] {
      for_each(n_, Enumerate<Value>{values_.data(), inputs.data()});
      call(scratch.data(), sort, scan);
      for_each(n_, PutBack<Value>{sorted.data(), scanned.data(), expected_.data()});
    };
    time("CUB", run);
  }

  bool race_sheffler() const {
    const Array<Value> totals(bench::sheffler_segments(n_) * m_);
    const auto run = [&] {
      bench::sheffler(labels_.data(), values_.data(), n_, buckets_.data(),
                      static_cast<uint32_t>(m_), results_.data(), totals.data(), M{});
    };
    reset_buckets();
    run();
    const bool agrees = is_expected();
    time("Sheffler", run);
    return agrees;
  }

  const Array<uint32_t>& labels_;
  uint64_t n_;
  uint64_t m_;
  int rounds_;
  Array<Value> values_;
  Array<Value> buckets_;
  Array<Value> results_;
  Array<Value> expected_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: gpu_multiscan_speed LOG2_N ROUNDS LABELS LOG2_M...\n");
    return 2;
  }
  const uint64_t n = uint64_t{1} << std::atoi(argv[1]);
  const int rounds = std::atoi(argv[2]);
  const Array<uint32_t> labels(n);
  bool agree = true;
  for (int i = 4; i < argc; ++i) {
    const uint64_t m = uint64_t{1} << std::atoi(argv[i]);
    bench::make_labels(labels, m, bench::labels_named(argv[3]));
    agree &= Race<Add>(labels, m, rounds).print(argv[3]);
    agree &= Race<bench::Later>(labels, m, rounds).print(argv[3]);
    agree &= Race<bench::Compose>(labels, m, rounds).print(argv[3]);
  }
  return agree ? 0 : 1;
}
