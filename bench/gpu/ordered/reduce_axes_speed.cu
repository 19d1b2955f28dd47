// Times reductions over axes of strided tensors, the layout that is chosen and each other one, with
// the cycles that are counted for them beside (core/axes/axes_layout.h): does the count rank them?
//   gpu_reduce_axes_speed ROUNDS
// Prints a line of JSON for each expression and layout: median time, and for sums of one tensor the
// share of the bandwidth of reading it (CUB's DeviceReduce over as many bytes, in the same run).
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>
#include <string>

#include "bench/gpu/timing.cuh"
#include "bench/gpu/values.cuh"
#include "presort/gpu/reduce_axes.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

struct Expression {
  const char* name;
  AxesShape shape;
  std::vector<int64_t> results;
  std::vector<std::vector<int64_t>> operands;
};

template <class T, class Map, class... In>
void race(const Expression& of, int rounds, bool tries_all, double ns_of_reading, const Map& map,
          T* results, const In*... operands) {
  const auto plan_with = [&]<size_t... kOperand>(std::index_sequence<kOperand...>) {
    return plan_axes<Sum<T>>(of.shape, Strided<T>{results, of.results},
                             Strided<const In>{operands, of.operands[kOperand]}...);
  };
  const AxesPlan chosen = plan_with(std::index_sequence_for<In...>{});
  constexpr size_t kBytes[] = {sizeof(In)...};
  const auto time = [&](AxesPlan plan, const AxesLayout& layout) {
    plan.layout = layout;
    plan.geometry = geometry_of(plan.axes, layout, true);
    const size_t bytes = axes_scratch_bytes<T>(plan);
    const Array<std::byte> scratch(bytes);
    const double ns = bench::median_ns(rounds, [&] {
      reduce_axes(nullptr, plan, results, Sum<T>{}, map, std::span(scratch.data(), bytes),
                  operands...);
    });
    std::printf(
        "{\"expression\": \"%s\", \"layout\": \"%s\", \"chosen\": %s, \"us\": %.2f, "
        "\"counted cycles\": %.4g, \"pieces\": %zu, \"share of reading\": %.3f}\n",
        of.name, to_string(layout).c_str(), layout == chosen.layout ? "true" : "false", ns / 1e3,
        load_cycles(plan.axes, kBytes, layout), static_cast<size_t>(plan.geometry.pieces),
        ns_of_reading / ns);
    std::fflush(stdout);
  };
  time(chosen, chosen.layout);
  const auto kept = static_cast<int>(chosen.axes.kept.size());
  for (int axis = 0; tries_all && axis < kept; ++axis) {
    for (const int reducing : {1, 2, 4, 8, 16, 32}) {
      for (int block = -1; block < kept; ++block) {
        const AxesLayout layout{axis, reducing, block};
        if (!(layout == chosen.layout)) {
          time(chosen, layout);
        }
      }
    }
  }
}

template <class T>
double ns_of_cub(const Array<T>& values, uint64_t n, T* to, int rounds) {
  size_t bytes = 0;
  PRESORT_CUDA(cub::DeviceReduce::Sum(nullptr, bytes, values.data(), to, n));
  const Array<std::byte> scratch(bytes);
  return bench::median_ns(rounds, [&] {
    PRESORT_CUDA(cub::DeviceReduce::Sum(scratch.data(), bytes, values.data(), to, n));
  });
}

// The reduction of Magnetic Field Extrapolation: size 75, doubles.
void race_magnetic_field(int rounds) {
  constexpr int64_t kSize = 75;
  const auto size = static_cast<uint64_t>(kSize);
  const Array<double> a8(size * size * size);
  const Array<double> a7(size * size * size * size);
  const Array<double> results(size * size * size);
  bench::fill(a8, 16);
  bench::fill(a7, 16);
  const double reading = ns_of_cub(a7, a7.size(), results.data(), rounds);
  const Expression of = {
      "magnetic field",
      {std::vector<uint64_t>(5, size), {3, 4}},
      {kSize * kSize, kSize, 1, 0, 0},
      {{kSize * kSize, 0, 0, kSize, 1}, {0, kSize * kSize * kSize, kSize * kSize, kSize, 1}}};
  race(of, rounds, true, reading, cuda::std::multiplies<>{}, results.data(),
       static_cast<const double*>(a8.data()), static_cast<const double*>(a7.data()));
}

void race_sums(int rounds) {
  constexpr uint64_t kAll = uint64_t{1} << 28;
  const Array<float> values(kAll);
  const Array<float> results(kAll);
  bench::fill(values, 16);
  const double reading = ns_of_cub(values, kAll, results.data(), rounds);
  const float* from = values.data();
  for (const int bits : {2, 3, 5, 8, 14, 20, 24}) {
    const auto columns = int64_t{1} << bits;
    const auto rows = static_cast<int64_t>(kAll) / columns;
    const AxesShape shape{{static_cast<uint64_t>(rows), static_cast<uint64_t>(columns)}, {1}};
    const std::string name = "rows of 2^" + std::to_string(bits);
    race({name.c_str(), shape, {1, 0}, {{columns, 1}}}, rounds, false, reading,
         cuda::std::identity{}, results.data(), from);
    const std::string other = "columns, 2^" + std::to_string(bits) + " of them";
    race({other.c_str(), {shape.extents, {0}}, {0, 1}, {{columns, 1}}}, rounds, false, reading,
         cuda::std::identity{}, results.data(), from);
  }
  constexpr int64_t kSide = 512;
  constexpr auto kExtent = static_cast<uint64_t>(kSide);
  const std::vector<uint64_t> cube = {kExtent, kExtent, 2 * kExtent};
  const std::vector<int64_t> strides = {2 * kSide * kSide, 2 * kSide, 1};
  const auto of_cube = [&](const char* name, std::vector<int> reduced, std::vector<int64_t> to,
                           std::vector<int64_t> of) {
    race({name, {cube, std::move(reduced)}, std::move(to), {std::move(of)}}, rounds, false, reading,
         cuda::std::identity{}, results.data(), from);
  };
  of_cube("512 x 512 x 1024 over the middle axis", {1}, {2 * kSide, 0, 1}, strides);
  of_cube("512 x 512 x 1024 over the outer axes", {0, 1}, {0, 0, 1}, strides);
  of_cube("512 x 512 x 1024 over the first and last", {0, 2}, {0, 1, 0}, strides);
  of_cube("512 x 512 x 1024, transposed, over the first", {0}, {0, 2 * kSide, 1},
          {1, kSide, kSide * kSide});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: gpu_reduce_axes_speed ROUNDS\n");
    return 2;
  }
  race_magnetic_field(std::atoi(argv[1]));
  race_sums(std::atoi(argv[1]));
  return 0;
}
