// Sums by key (gpu/group_sum.cuh) beside CUB's sort by all bits of the keys and its reduction by
// key.
//   gpu_group_speed [ROUNDS [LOG10_N]]
// Prints a line of JSON for each kind of keys and type:
//   ours   ms of the call that chooses its plan, with its waits and scratch from the pool
//   plans  ms of the chosen plan and of those next to it alone, with scratch at hand, by bits
//   cub    ms of CUB's sort and reduction
// Calls and CUB are timed by turns. Groups are compared with CUB's by a sum over all of them.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <string>

#include "bench/gpu/timing.cuh"
#include "presort/gpu/group_sum.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::mix;

namespace {

enum class Keys { uniform, zipf, sorted };
constexpr const char* kNames[] = {"uniform", "zipf:1.25", "sorted"};

template <class Key, class Value>
__global__ void fill(Key* keys, Value* values, uint64_t n, uint64_t groups, Keys kind) {
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<uint64_t>(gridDim.x) * blockDim.x) {
    const uint64_t any = mix(i);
    uint64_t group = __umul64hi(any, groups);
    if (kind == Keys::sorted) {
      group = static_cast<uint64_t>(static_cast<double>(i) / static_cast<double>(n) *
                                    static_cast<double>(groups));
    } else if (kind == Keys::zipf) {
      const double part = static_cast<double>(any >> 11) * 0x1p-53;
      const double last = pow(static_cast<double>(groups) + 1, -0.25);
      group = static_cast<uint64_t>(pow(1 - part * (1 - last), -4.0) - 1) % groups;
    }
    keys[i] = static_cast<Key>(kind == Keys::sorted ? group : mix(group + 5));
    // Values -1, 0 or 1, so that sums of floats stay exact; unsigned ones wrap.
    values[i] = static_cast<Value>(static_cast<int>(any % 3) - 1);
  }
}

template <class Key, class Value>
__global__ void add_up(const Key* keys, const Value* sums, uint64_t groups,
                       unsigned long long* total) {
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; i < groups;
       i += static_cast<uint64_t>(gridDim.x) * blockDim.x) {
    const auto sum = static_cast<uint64_t>(static_cast<int64_t>(sums[i]));
    atomicAdd(total, mix(static_cast<uint64_t>(keys[i]) + mix(sum)));
  }
}

template <class Key, class Value>
unsigned long long total_of(const Key* keys, const Value* sums, uint64_t groups) {
  const Array<unsigned long long> total(1);
  PRESORT_CUDA(cudaMemset(total.data(), 0, 8));
  add_up<<<1024, 256>>>(keys, sums, groups, total.data());
  unsigned long long found = 0;
  PRESORT_CUDA(cudaMemcpy(&found, total.data(), 8, cudaMemcpyDeviceToHost));
  return found;
}

template <class Key, class Value>
void run(uint64_t n, uint64_t groups, Keys kind, int rounds, const char* type) {
  const Array<Key> keys(n), sorted(n), group_keys(n);
  const Array<Value> values(n), moved(n), sums(n);
  const Array<uint64_t> runs(1);
  fill<<<2048, 256>>>(keys.data(), values.data(), n, groups, kind);
  const std::span<const Key> in(keys.data(), n);
  const std::span<const Value> of(values.data(), n);
  const std::span<Key> out(group_keys.data(), n);
  const std::span<Value> to(sums.data(), n);
  size_t sort_bytes = 0;
  size_t reduce_bytes = 0;
  const auto sort = [&](void* scratch, size_t& bytes) {
    PRESORT_CUDA(cub::DeviceRadixSort::SortPairs(scratch, bytes, keys.data(), sorted.data(),
                                                 values.data(), moved.data(), n));
  };
  const auto reduce = [&](void* scratch, size_t& bytes) {
    PRESORT_CUDA(cub::DeviceReduce::ReduceByKey(scratch, bytes, sorted.data(), group_keys.data(),
                                                moved.data(), sums.data(), runs.data(),
                                                cuda::std::plus<Value>{}, n));
  };
  sort(nullptr, sort_bytes);
  reduce(nullptr, reduce_bytes);
  const Array<std::byte> cub_scratch(std::max(sort_bytes, reduce_bytes));
  const auto cub = [&] {
    sort(cub_scratch.data(), sort_bytes);
    reduce(cub_scratch.data(), reduce_bytes);
  };
  cub();
  uint64_t expected = 0;
  PRESORT_CUDA(cudaMemcpy(&expected, runs.data(), 8, cudaMemcpyDeviceToHost));
  const auto expected_total = total_of(group_keys.data(), sums.data(), expected);
  const auto check = [&](const std::string& what, uint64_t found) {
    if (found != expected || total_of(group_keys.data(), sums.data(), found) != expected_total) {
      std::fprintf(stderr, "%s: groups differ\n", what.c_str());
      std::exit(1);
    }
  };
  const auto ours = [&] { return group_sum(nullptr, in, of, out, to, {}); };
  check("ours", ours());
  const GroupPlan chosen = sampled_group_plan<Key, Value>(nullptr, in, false);
  std::string plans;
  for (int bits = 0; bits <= kMaxPartBits; ++bits) {
    if (std::abs(bits - chosen.bits) > 1) {
      continue;
    }
    const GroupPlan plan{bits};
    const Array<std::byte> scratch(group_sum_scratch_bytes<Key, Value>(plan, n, false));
    const std::span<std::byte> room(scratch.data(), scratch.size());
    const auto call = [&] { group_sum(nullptr, in, of, out, to, {}, runs.data(), plan, room); };
    const double ns = bench::median_ns(rounds, call);
    uint64_t found = 0;
    PRESORT_CUDA(cudaMemcpy(&found, runs.data(), 8, cudaMemcpyDeviceToHost));
    check("bits " + std::to_string(bits), found);
    char text[64];
    std::snprintf(text, sizeof text, "%s\"%d\": %.4f", plans.empty() ? "" : ", ", bits, ns / 1e6);
    plans += text;
  }
  const auto medians = bench::medians_by_turns(rounds, ours, cub);
  std::printf(
      "{\"n\": %zu, \"groups\": %zu, \"keys\": \"%s\", \"type\": \"%s\", \"bits\": %d, "
      "\"ours\": %.4f, \"plans\": {%s}, \"cub\": %.4f}\n",
      static_cast<size_t>(n), static_cast<size_t>(expected), kNames[static_cast<int>(kind)], type,
      chosen.bits, medians[0] / 1e6, plans.c_str(), medians[1] / 1e6);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 7;
  const auto n = static_cast<uint64_t>(std::pow(10.0, argc > 2 ? std::atof(argv[2]) : 8.0));
  try {
    for (const uint64_t groups : {uint64_t{3}, uint64_t{1000}, uint64_t{100000}, n / 10, n}) {
      run<uint64_t, uint64_t>(n, groups, Keys::uniform, rounds, "u64, u64");
    }
    for (const Keys kind : {Keys::zipf, Keys::sorted}) {
      for (const uint64_t groups : {uint64_t{1000}, n / 10}) {
        run<uint64_t, uint64_t>(n, groups, kind, rounds, "u64, u64");
      }
    }
    for (const uint64_t groups : {uint64_t{3}, uint64_t{1000}, n / 10}) {
      run<uint64_t, double>(n, groups, Keys::uniform, rounds, "u64, f64");
      run<uint32_t, float>(n, groups, Keys::uniform, rounds, "u32, f32");
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "gpu_group_speed: %s\n", error.what());
    return 1;
  }
  return 0;
}
