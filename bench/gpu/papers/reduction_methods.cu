// The bandwidths of Ynddal 2019 again (§3.2): sums of 3 GB of floats, and of 524 288, by his
// methods, by CUB, and by this library.
//   gpu_reduction_methods ROUNDS
// Prints lines of JSON: GB/s of reading, from medians of device events: of the first kernel, and of
// both (a second reduces the sums of work-groups). Every sum is compared first: values are small
// whole numbers whose sums of 2^24 and more round, so to one part in 10^3.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_reduce.cuh>

#include "bench/gpu/papers/json_line.h"
#include "bench/gpu/papers/tree_reductions.cuh"
#include "bench/gpu/timing.cuh"
#include "presort/gpu/segmented_reduce.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::JsonLine;

namespace {

constexpr const char* kPaper = "Ynddal 2019";

__global__ void fill(float* values, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    values[i] = static_cast<float>(i % 4);
  }
}

class Methods {
 public:
  Methods(uint64_t n, int rounds)
      : n_(n),
        rounds_(rounds),
        values_(n),
        sums_(groups()),
        result_(1),
        scratch_(uint64_t{1} << 26) {
    fill<<<1024, 256>>>(values_.data(), n);
    PRESORT_CUDA(cudaGetLastError());
  }

  bool run() const {
    bool agree = method<bench::Tree>();
    agree &= method<bench::TreeOfWarps>();
    agree &= method<bench::Compact>();
    agree &= method<bench::CompactOfWarps>();
    agree &= method<bench::Elements<2>>();
    agree &= method<bench::Elements<4>>();
    agree &= method<bench::Elements<8>>();
    agree &= print("CUB", [&] {
      size_t bytes = scratch_.size();
      cub::DeviceReduce::Sum(scratch_.data(), bytes, values_.data(), result_.data(), n_);
    });
    agree &= print("ours, one segment", [&] {
      segmented_reduce(nullptr, std::span<const float>(values_.data(), n_), n_,
                       std::span(result_.data(), 1), Sum<float>{},
                       std::span<std::byte>(scratch_.data(), scratch_.size()));
    });
    return agree;
  }

 private:
  uint64_t groups() const { return (n_ + bench::kGroup - 1) / bench::kGroup; }

  // Times a run; `first` is its first kernel, where it has two.
  template <class First, class Run>
  bool print(const char* name, const First& first, const Run& run) const {
    PRESORT_CUDA(cudaMemset(result_.data(), 0xff, sizeof(float)));
    const auto ns = bench::medians_by_turns(rounds_, first, run);
    PRESORT_CUDA(cudaGetLastError());
    float found = 0;
    PRESORT_CUDA(cudaMemcpy(&found, result_.data(), sizeof found, cudaMemcpyDeviceToHost));
    const double expected = 1.5 * static_cast<double>(n_);
    const bool agrees = std::abs(found - expected) < 1e-3 * expected;
    const auto rate = [&](double of) { return 4.0 * static_cast<double>(n_) / of; };
    JsonLine(kPaper)
        .add("method", name)
        .add("n", n_)
        .add("first kernel GB/s", rate(ns[0]))
        .add("whole GB/s", rate(ns[1]))
        .add("agrees", agrees ? "yes" : "no");
    return agrees;
  }
  template <class Run>
  bool print(const char* name, const Run& run) const {
    return print(name, run, run);
  }

  template <class Reduction>
  bool method() const {
    const auto first = [&] {
      bench::reduce_groups_kernel<Reduction>
          <<<static_cast<unsigned>(groups()), bench::kGroup>>>(values_.data(), n_, sums_.data());
    };
    return print(Reduction::kName, first, [&] {
      first();
      bench::reduce_sums_kernel<Reduction>
          <<<1, bench::kGroup>>>(sums_.data(), groups(), result_.data());
    });
  }

  uint64_t n_;
  int rounds_;
  Array<float> values_, sums_, result_;
  Array<std::byte> scratch_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: gpu_reduction_methods ROUNDS\n");
    return 2;
  }
  bool agree = true;
  for (const uint64_t n : {uint64_t{805306368}, uint64_t{524288}}) {
    agree &= Methods(n, std::atoi(argv[1])).run();
  }
  return agree ? 0 : 1;
}
