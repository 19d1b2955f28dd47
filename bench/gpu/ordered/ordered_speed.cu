// Times multireduces that keep the order of the inputs, u32 labels, plan by rule, beside CUB's: a
// stable sort by all bits of the label, then a reduction of the runs; and, of few buckets, the
// thesis' transposition scheme (bench/gpu/ordered/transposed.cuh).
//   gpu_ordered_speed LOG2_N ROUNDS LABELS LOG2_M...    LABELS: uniform, degenerate, zipf
// With ROUNDS below 0 as many, and every plan whose tables resolve 7 bits of the label or more.
// Prints a line of JSON for each m and operator: ns per input of each. Both results are compared
// first; CUB's is an array of the labels that there are, not of all buckets.
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <string>
#include <vector>

#include "bench/gpu/ordered/ordered_operators.cuh"
#include "bench/gpu/ordered/transposed.cuh"
#include "bench/gpu/timing.cuh"
#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/plan/ordered_plans.h"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

__global__ void make_values(uint32_t* words, uint64_t count) {
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; i < count;
       i += static_cast<uint64_t>(gridDim.x) * blockDim.x) {
    words[i] = static_cast<uint32_t>(bench::mix(i + 7));
  }
}

template <class Value, class M>
__global__ void fill_with_identity(Value* buckets, uint64_t m, M monoid) {
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; i < m;
       i += static_cast<uint64_t>(gridDim.x) * blockDim.x) {
    buckets[i] = monoid.identity();
  }
}

template <class M>
class Race {
 public:
  using Value = decltype(M{}.identity());

  Race(const Array<uint32_t>& labels, uint64_t m, int rounds)
      : labels_(labels),
        n_(labels.size()),
        m_(m),
        rounds_(std::abs(rounds)),
        tries_plans_(rounds < 0),
        plan_(ordered_plan({n_, m, sizeof(Value)})),
        bytes_(multireduce_scratch_bytes<uint32_t, Value, M>(plan_, n_, m)),
        values_(n_),
        buckets_(m),
        labels_out_(n_),
        values_out_(n_),
        unique_(m),
        reduced_(m),
        runs_(1),
        scratch_(std::max(bytes_, bytes_of_cub())),
        sets_(m <= bench::kMostTransposedBuckets
                  ? bench::transposed_threads<Value>(static_cast<uint32_t>(m)) * m
                  : 0) {
    make_values<<<2048, 256>>>(reinterpret_cast<uint32_t*>(values_.data()), n_ * sizeof(Value) / 4);
    fill_with_identity<<<2048, 256>>>(buckets_.data(), m, M{});
    PRESORT_CUDA(cudaGetLastError());
  }

  bool print(const char* labels) const {
    ours();
    by_cub();
    bool agree = is_same();
    if (m_ <= bench::kMostTransposedBuckets) {
      fill_with_identity<<<2048, 256>>>(buckets_.data(), m_, M{});
      transposed();
      agree &= is_same();
    }
    std::printf(
        "{\"n\": %zu, \"m\": %zu, \"labels\": \"%s\", \"operator\": \"%s\", "
        "\"agree\": %s, \"ours\": %.5f, \"CUB sort, reduce by key\": %.5f, \"plan\": \"%s\"",
        static_cast<size_t>(n_), static_cast<size_t>(m_), labels, M::kName,
        agree ? "true" : "false", per_input([&] { ours(); }), per_input([&] { by_cub(); }),
        to_string(plan_).c_str());
    if (m_ <= bench::kMostTransposedBuckets) {
      std::printf(", \"transposed\": %.5f", per_input([&] { transposed(); }));
    }
    for (const GpuPlan& plan : tries_plans_ ? plans() : std::vector<GpuPlan>{}) {
      std::printf(", \"%s\": %.5f", to_string(plan).c_str(), time_of(plan));
    }
    std::printf("}\n");
    std::fflush(stdout);
    return agree;
  }

 private:
  template <class Run>
  double per_input(const Run& run) const {
    return bench::median_ns(rounds_, run) / static_cast<double>(n_);
  }

  std::vector<GpuPlan> plans() const {
    std::vector<GpuPlan> plans;
    const int bits = label_bits(m_);
    const int most = most_table_bits(sizeof(Value));
    if (bits <= most || n_ <= kMostTiledInputs) {
      plans.emplace_back();
    }
    for (int left = most; left >= 0; left = left == 7 ? 0 : left - 1) {
      const int sort_bits = bits - left;
      if (sort_bits > 0) {
        const int passes = (sort_bits + kMostBitsOfStablePass - 1) / kMostBitsOfStablePass;
        plans.emplace_back().presort = GpuPresort{.sort_bits = sort_bits, .passes = passes};
      }
    }
    return plans;
  }

  double time_of(const GpuPlan& plan) const {
    const size_t bytes = multireduce_scratch_bytes<uint32_t, Value, M>(plan, n_, m_);
    const Array<std::byte> scratch(bytes);
    return per_input([&] {
      multireduce<uint32_t, Value>(nullptr, {labels_.data(), n_}, {values_.data(), n_},
                                   {buckets_.data(), m_}, M{}, plan, {scratch.data(), bytes});
    });
  }

  void ours() const {
    multireduce<uint32_t, Value>(nullptr, {labels_.data(), n_}, {values_.data(), n_},
                                 {buckets_.data(), m_}, M{}, plan_, {scratch_.data(), bytes_});
  }

  void transposed() const {
    bench::multireduce_transposed(labels_.data(), values_.data(), n_, buckets_.data(),
                                  static_cast<uint32_t>(m_), sets_.data(), M{});
  }

  size_t bytes_of_cub() const {
    size_t sort = 0;
    size_t reduce = 0;
    by_cub(nullptr, sort, nullptr, reduce);
    return std::max(sort, reduce);
  }

  void by_cub() const {
    size_t sort = scratch_.size();
    size_t reduce = scratch_.size();
    by_cub(scratch_.data(), sort, scratch_.data(), reduce);
  }

  void by_cub(void* sort_scratch, size_t& sort, void* reduce_scratch, size_t& reduce) const {
    PRESORT_CUDA(cub::DeviceRadixSort::SortPairs(sort_scratch, sort, labels_.data(),
                                                 labels_out_.data(), values_.data(),
                                                 values_out_.data(), n_, 0, label_bits(m_)));
    PRESORT_CUDA(cub::DeviceReduce::ReduceByKey(reduce_scratch, reduce, labels_out_.data(),
                                                unique_.data(), values_out_.data(), reduced_.data(),
                                                runs_.data(), M{}, n_));
  }

  // Compares the results of our multireduce and CUB's after one call each; buckets held the
  // identity before.
  bool is_same() const {
    const auto buckets = host(buckets_);
    const auto unique = host(unique_);
    const auto reduced = host(reduced_);
    const uint32_t runs = host(runs_)[0];
    for (uint32_t i = 0; i < runs; ++i) {
      if (!(buckets[unique[i]] == reduced[i])) {
        return false;
      }
    }
    return runs > 0;
  }

  template <class T>
  static std::vector<T> host(const Array<T>& array) {
    std::vector<T> copy(array.size());
    PRESORT_CUDA(
        cudaMemcpy(copy.data(), array.data(), copy.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return copy;
  }

  const Array<uint32_t>& labels_;
  uint64_t n_;
  uint64_t m_;
  int rounds_;
  bool tries_plans_;
  GpuPlan plan_;
  size_t bytes_;
  Array<Value> values_;
  Array<Value> buckets_;
  Array<uint32_t> labels_out_;
  Array<Value> values_out_;
  Array<uint32_t> unique_;
  Array<Value> reduced_;
  Array<uint32_t> runs_;
  Array<std::byte> scratch_;
  Array<Value> sets_;  // sets of buckets in device memory, of the thesis' scheme (transposed.cuh)
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: gpu_ordered_speed LOG2_N ROUNDS LABELS LOG2_M...\n");
    return 2;
  }
  const uint64_t n = uint64_t{1} << std::atoi(argv[1]);
  const int rounds = std::atoi(argv[2]);
  const Array<uint32_t> labels(n);
  bool agree = true;
  for (int i = 4; i < argc; ++i) {
    const uint64_t m = uint64_t{1} << std::atoi(argv[i]);
    bench::make_labels(labels, m, bench::labels_named(argv[3]));
    agree &= Race<bench::Later>(labels, m, rounds).print(argv[3]);
    agree &= Race<bench::Compose>(labels, m, rounds).print(argv[3]);
  }
  return agree ? 0 : 1;
}
