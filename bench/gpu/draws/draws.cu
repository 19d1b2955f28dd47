// A multireduce of problems drawn at random, by the plan that is chosen, beside other plans and
// peers in the same run.
//   gpu_draws SEED COUNT MOST_LOG2_N [ROUNDS [LEAST_LOG2_N]]
// Draws n from 2^LEAST_LOG2_N (10) to 2^MOST_LOG2_N and m from 2^4 to 2^28, odd sizes among them,
// the kind of labels (bench/gpu/draws/real_labels.cuh) and the type of values: u32, f32, u64, f64, bf16
// (summed as float), 16 (16 bytes, two sums of 8). Prints a line of JSON for each draw:
//   chosen    the plan that gpu::multireduce takes without being told anything of the labels
//   ours      ns an input of that call, with its own scratch from the memory pool, once an earlier
//             call has learnt what it learns of the labels (gpu/plan/labels/learned_labels.cuh)
//   learnt    the plan of that call
//   sized     ns an input of a call whose plan follows from the size alone
//   looking   the same, of a call that looks at the labels first
//   plans     ns an input of the best predicted plan of each kind, as an operation with scratch at
//             hand; not of bf16
//   predicted ns an input of each of these
//   peers     ns an input of plain atomics, and of CUB: a sort by the labels' bits, a reduction by
//             key
// Calls and peers are timed by turns, with the L2 emptied before each.
#include <cuda_bf16.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdio>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <map>
#include <string>

#include "bench/gpu/draws/draws.cuh"
#include "presort/gpu/calls.cuh"
#include "presort/gpu/plan/parts_timing.h"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::Draw;
using bench::TwoSums;

namespace {

// Name of a plan's kind; of each kind the plan with the least predicted time is timed.
const char* kind_of(const GpuPlan& plan) {
  if (plan.presort) {
    return plan.presort->passes > 1                   ? "presorted twice"
           : plan.strategy == GpuStrategy::globalSets ? "presorted, atomics"
                                                      : "presorted";
  }
  return plan.strategy == GpuStrategy::globalSets ? "atomics" : "tables";
}

// Appends `, "name": ns` to a list of JSON's members.
void append(std::string& to, const std::string& name, double ns) {
  char text[200];
  std::snprintf(text, sizeof text, "%s\"%s\": %.5f", to.empty() ? "" : ", ", name.c_str(), ns);
  to += text;
}

// Times the best predicted plan of each kind, and prints measured and predicted times.
template <class M, class Value>
void time_plans(const Draw& draw, std::span<const uint32_t> in, std::span<const Value> of,
                std::span<Value> out, const auto& check) {
  Problem problem;
  problem.n = draw.n;
  problem.m = draw.m;
  problem.types = {ScalarType::u32, detail::timed_type<Value, M>()};
  const PartsTiming timing(current_gpu(), problem, detail::timed_parts<Value, M>());
  std::map<std::string, std::pair<double, GpuPlan>> best;
  timing.for_each_plan([&](const GpuPlan& plan) {
    const double predicted = timing.ns(plan);
    const auto found = best.find(kind_of(plan));
    if (found == best.end() || predicted < found->second.first) {
      best[kind_of(plan)] = {predicted, plan};
    }
  });
  std::string times;
  std::string predictions;
  for (const auto& [name, one] : best) {
    if (one.first > 20 * best["atomics"].first) {
      continue;  // skips plans that are hopelessly slow
    }
    const Array<std::byte> scratch(
        multireduce_scratch_bytes<uint32_t, Value, M>(one.second, draw.n, draw.m) + 64);
    const std::span<std::byte> room(scratch.data(), scratch.size());
    const auto call = [&] { multireduce(nullptr, in, of, out, M{}, one.second, room); };
    const std::string text = to_string(one.second);
    check(text, call);
    append(times, text, bench::median_ns(draw.rounds, call) / static_cast<double>(draw.n));
    append(predictions, text, one.first);
  }
  std::printf(", \"plans\": {%s}, \"predicted\": {%s}", times.c_str(), predictions.c_str());
}

template <class To>
struct Widened {
  template <class From>
  __host__ __device__ To operator()(const From& from) const {
    return static_cast<To>(from);
  }
};

template <class Value, class Bucket = Value, class M = Sum<Bucket>>
void run(const Draw& draw, const char* type) {
  const auto [n, m, kind, seed, rounds] = draw;
  const Array<uint32_t> labels(n), labels_out(n), unique(n), runs(1);
  const Array<Value> values(n), values_out(n);
  const Array<Bucket> sums(n), buckets(m), expected(m);
  bench::make_real_labels(labels.data(), n, m, kind, seed);
  bench::fill_values<<<1024, 256>>>(values.data(), n);
  const std::span<const uint32_t> in(labels.data(), n);
  const std::span<const Value> of(values.data(), n);
  const std::span<Bucket> out(buckets.data(), m);
  const auto plain = [&](Bucket* to) {
    bench::plain_atomics<<<bench::plain_blocks(n), 256>>>(labels.data(), values.data(), to, n);
  };
  PRESORT_CUDA(cudaMemset(expected.data(), 0, m * sizeof(Bucket)));
  plain(expected.data());
  const auto check = [&](const std::string& what, const auto& call) {
    PRESORT_CUDA(cudaMemset(buckets.data(), 0, m * sizeof(Bucket)));
    call();
    bench::require_equal(what, buckets, expected);
  };
  GpuPlan chosen;
  const auto ours = [&] { chosen = multireduce(in, of, out, M{}); };
  check("ours", ours);
  std::printf("{\"n\": %zu, \"m\": %zu, \"labels\": \"%s\", \"type\": \"%s\", \"chosen\": \"%s\"",
              static_cast<size_t>(n), static_cast<size_t>(m), draw.label_name(), type,
              to_string(chosen).c_str());
  if constexpr (std::is_same_v<Value, Bucket>) {
    time_plans<M>(draw, in, of, out, check);
  }
  const int bits = label_bits(m);
  size_t sort_bytes = 0;
  size_t reduce_bytes = 0;
  const auto sort = [&](void* scratch, size_t& bytes) {
    PRESORT_CUDA(cub::DeviceRadixSort::SortPairs(scratch, bytes, labels.data(), labels_out.data(),
                                                 values.data(), values_out.data(), n, 0,
                                                 std::max(bits, 1)));
  };
  const auto reduce = [&](void* scratch, size_t& bytes) {
    const auto sorted = [&] {
      if constexpr (std::is_same_v<Value, Bucket>) {
        return values_out.data();
      } else {
        return thrust::make_transform_iterator(values_out.data(), Widened<Bucket>{});
      }
    }();
    PRESORT_CUDA(cub::DeviceReduce::ReduceByKey(scratch, bytes, labels_out.data(), unique.data(),
                                                sorted, sums.data(), runs.data(),
                                                cuda::std::plus<Bucket>{}, n));
  };
  sort(nullptr, sort_bytes);
  reduce(nullptr, reduce_bytes);
  const Array<std::byte> scratch(std::max(sort_bytes, reduce_bytes));
  const auto sized = [&] { multireduce(in, of, out, M{}, {.learns_labels = false}); };
  const auto looking = [&] { multireduce(in, of, out, M{}, {.looks_at_labels = true}); };
  const auto atomics = [&] { plain(buckets.data()); };
  const auto cub = [&] {
    sort(scratch.data(), sort_bytes);
    reduce(scratch.data(), reduce_bytes);
  };
  auto medians = bench::cold_medians_by_turns(rounds, ours, atomics, looking, cub, sized);
  for (double& time : medians) {
    time /= static_cast<double>(n);
  }
  std::printf(
      ", \"learnt\": \"%s\", \"ours\": %.5f, \"sized\": %.5f, \"looking\": %.5f, \"peers\": "
      "{\"atomics\": %.5f, "
      "\"cub\": %.5f}}\n",
      to_string(chosen).c_str(), medians[0], medians[4], medians[2], medians[1], medians[3]);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::time_draws("gpu_draws", argc, argv, {}, [](const Draw& draw, auto& random) {
    switch (random() % 6) {
      case 0:
        return run<uint32_t>(draw, "u32");
      case 1:
        return run<float>(draw, "f32");
      case 2:
        return run<unsigned long long>(draw, "u64");
      case 3:
        return run<double>(draw, "f64");
      case 4:
        return run<__nv_bfloat16, float>(draw, "bf16");
      default:
        return run<TwoSums, TwoSums, SumOfParts<TwoSums, unsigned long long>>(draw, "16");
    }
  });
}
