// The four benchmarks of Larsen and Henriksen 2017 again, by number of segments (their figures 9,
// 11, 13 and 15): sum, index of the maximum, maximum subarray sum, Black-Scholes; 2^18 and 2^26
// elements in segments of one length.
//   gpu_segment_counts ROUNDS
// Prints lines of JSON: medians of device events of the whole call, µs. What is mapped over the
// elements is fused into the reduction, as in the paper, by reduce_axes; sums are also reduced by
// segmented_reduce. The paper's threshold, 2^16 segments, chooses between its strategies.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cstdlib>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/std/functional>
#include <string>

#include "bench/gpu/ordered/ordered_operators.cuh"
#include "bench/gpu/papers/json_line.h"
#include "bench/gpu/timing.cuh"
#include "presort/gpu/reduce_axes.cuh"
#include "presort/gpu/segmented_reduce.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::JoinSubarrays;
using bench::JsonLine;
using bench::mix;
using bench::Subarray;

namespace {

constexpr const char* kPaper = "Larsen and Henriksen 2017";

// An element and its index; the larger element wins, then the lower index.
struct Indexed {
  int value;
  int index;
};
struct MaxIndexed {
  static constexpr bool is_commutative = true;
  __host__ __device__ constexpr Indexed identity() const { return {-2147483647 - 1, 2147483647}; }
  __host__ __device__ constexpr Indexed operator()(Indexed a, Indexed b) const {
    const bool is_first = a.value > b.value || (a.value == b.value && a.index < b.index);
    return is_first ? a : b;
  }
};
struct MakeIndexed {
  __host__ __device__ Indexed operator()(int value, int index) const { return {value, index}; }
};

struct MakeSubarray {
  __host__ __device__ Subarray operator()(int value) const {
    const int positive = value > 0 ? value : 0;
    return {positive, positive, positive, value};
  }
};

// The price of an option on one day (figure 14 of the paper).
struct Price {
  int days;

  static __host__ __device__ double cumulative(double d) {
    const double k = 1.0 / (1.0 + 0.2316419 * fabs(d));
    const double p =
        k * (0.31938153 +
             k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    constexpr double kInverseRootOf2Pi = 0.39894228040143267793994605993438;
    const double c = kInverseRootOf2Pi * exp(-0.5 * d * d) * p;
    return 0.0 < d ? 1.0 - c : c;
  }
  __host__ __device__ double operator()(double rate, double volatility, int day) const {
    const double price = 58.0 + 4.0 * (1 + day) / days;
    const double strike = 65.0;
    const double years = (1 + day) / 365.0;
    const double spread = volatility * sqrt(years);
    const double d1 =
        (log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / spread;
    const double of_d1 = cumulative(d1);
    const double of_d2 = cumulative(d1 - spread);
    const double discounted = strike * exp(-rate * years);
    return day % 2 == 0 ? price * of_d1 - discounted * of_d2
                        : discounted * (1.0 - of_d2) - price * (1.0 - of_d1);
  }
};

// Element i of all, as an iterator's function for CUB.
struct IndexedAt {
  const int* values;
  int length;
  __host__ __device__ Indexed operator()(int i) const { return {values[i], i % length}; }
};
struct PriceAt {
  const double* rates;
  const double* volatilities;
  Price price;
  __host__ __device__ double operator()(int i) const {
    return price(rates[i / price.days], volatilities[i / price.days], i % price.days);
  }
};
struct Times {
  int length;
  __host__ __device__ int operator()(int segment) const { return segment * length; }
};

__global__ void fill(int* values, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    values[i] = static_cast<int>(mix(i) % 2001) - 1000;
  }
}
__global__ void fill_options(double* rates, double* volatilities, int* days, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    rates[i] = 0.01 + static_cast<double>(mix(i) % 1000) / 1e5;
    volatilities[i] = 0.1 + static_cast<double>(mix(i + 1) % 1000) / 1e4;
    days[i] = static_cast<int>(i);
  }
}

class Counts {
 public:
  Counts(uint64_t n, int rounds)
      : n_(n),
        rounds_(rounds),
        values_(n),
        days_(n),
        rates_(n),
        volatilities_(n),
        results_(n),
        scratch_(uint64_t{1} << 26) {
    fill<<<1024, 256>>>(values_.data(), n);
    fill_options<<<1024, 256>>>(rates_.data(), volatilities_.data(), days_.data(), n);
    PRESORT_CUDA(cudaGetLastError());
  }

  void run(uint64_t segments) {
    segments_ = segments;
    length_ = n_ / segments;
    sums();
    index_of_max();
    subarrays();
    options();
  }

  // A reduction of all elements, which the paper has as a reference.
  void whole() const {
    const double ns = bench::median_ns(rounds_, [&] {
      size_t bytes = scratch_.size();
      cub::DeviceReduce::Sum(scratch_.data(), bytes, values_.data(), out<int>(), n_);
    });
    JsonLine(kPaper).add("benchmark", "sum of all").add("n", n_).add("CUB us", ns / 1e3);
  }

 private:
  template <class T>
  T* out() const {
    return reinterpret_cast<T*>(results_.data());
  }
  std::span<std::byte> scratch() const { return {scratch_.data(), scratch_.size()}; }
  int length() const { return static_cast<int>(length_); }
  auto begins() const {
    return thrust::make_transform_iterator(thrust::make_counting_iterator(0), Times{length()});
  }

  // Returns a call that reduces the last axis of [segments][length].
  template <class M, class Map, class Result, class... In>
  auto axes(const M& monoid, const Map& map, Result* results,
            const Strided<const In>&... operands) const {
    const AxesShape shape{{segments_, length_}, {1}};
    const AxesPlan plan = plan_axes<M>(shape, Strided<Result>{results, {1, 0}}, operands...);
    return [=, this] {
      reduce_axes(nullptr, plan, results, monoid, map, scratch(), operands.data...);
    };
  }
  Strided<const int> elements() const {
    return {values_.data(), {static_cast<int64_t>(length_), 1}};
  }
  Strided<const int> day_of_each() const { return {days_.data(), {0, 1}}; }

  template <class Iterator, class Result, class Operator>
  auto cub(Iterator from, Result* to, const Operator& op, const Result& initial) const {
    return [=, this] {
      size_t bytes = scratch_.size();
      const auto first = begins();
      cub::DeviceSegmentedReduce::Reduce(scratch_.data(), bytes, from, to,
                                         static_cast<int64_t>(segments_), first, first + 1, op,
                                         initial);
    };
  }

  template <class Ours, class Cub>
  void print(const char* benchmark, const Ours& ours, const Cub& by_cub) const {
    const auto ns = bench::medians_by_turns(rounds_, ours, by_cub);
    PRESORT_CUDA(cudaGetLastError());
    line(benchmark, ns[0], ns[1]);
  }
  void line(const char* benchmark, double ours, double by_cub) const {
    JsonLine(kPaper)
        .add("benchmark", benchmark)
        .add("n", n_)
        .add("segments", segments_)
        .add("ours us", ours / 1e3)
        .add("CUB us", by_cub / 1e3);
  }

  void sums() const {
    const auto by_cub = cub(values_.data(), out<int>(), cuda::std::plus<int>{}, 0);
    print(
        "sum, segmented_reduce",
        [&] {
          segmented_reduce(nullptr, std::span<const int>(values_.data(), n_), length_,
                           std::span(out<int>(), segments_), Sum<int>{}, scratch());
        },
        by_cub);
    print("sum, reduce_axes", axes(Sum<int>{}, cuda::std::identity{}, out<int>(), elements()),
          by_cub);
  }
  void index_of_max() const {
    print("index of maximum",
          axes(MaxIndexed{}, MakeIndexed{}, out<Indexed>(), elements(), day_of_each()),
          cub(thrust::make_transform_iterator(thrust::make_counting_iterator(0),
                                              IndexedAt{values_.data(), length()}),
              out<Indexed>(), MaxIndexed{}, MaxIndexed{}.identity()));
  }
  void subarrays() const {
    print("maximum subarray sum",
          axes(JoinSubarrays{}, MakeSubarray{}, out<Subarray>(), elements()),
          cub(thrust::make_transform_iterator(values_.data(), MakeSubarray{}), out<Subarray>(),
              JoinSubarrays{}, JoinSubarrays{}.identity()));
  }
  void options() const {
    const Price price{length()};
    const Strided<const double> rates{rates_.data(), {1, 0}};
    const Strided<const double> volatilities{volatilities_.data(), {1, 0}};
    print("Black-Scholes",
          axes(Sum<double>{}, price, out<double>(), rates, volatilities, day_of_each()),
          cub(thrust::make_transform_iterator(thrust::make_counting_iterator(0),
                                              PriceAt{rates_.data(), volatilities_.data(), price}),
              out<double>(), cuda::std::plus<double>{}, 0.0));
  }

  uint64_t n_;
  int rounds_;
  uint64_t segments_ = 1;
  uint64_t length_ = 1;
  Array<int> values_, days_;
  Array<double> rates_, volatilities_;
  Array<Subarray> results_;
  Array<std::byte> scratch_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: gpu_segment_counts ROUNDS\n");
    return 2;
  }
  for (const int bits : {18, 26}) {
    Counts counts(uint64_t{1} << bits, std::atoi(argv[1]));
    counts.whole();
    for (int log2_segments = 0; log2_segments <= bits; log2_segments += 2) {
      counts.run(uint64_t{1} << log2_segments);
    }
  }
  return 0;
}
