// Multireduces of every type over the same labels, of problems drawn at random: what a type costs
// beside u32, what the order of the inputs costs floats, and whether a peer is faster.
//   gpu_type_draws SEED COUNT LEAST_LOG2_N MOST_LOG2_N [ROUNDS]
// Draws n, m from 2^4 to 2^28, odd numbers among them, and the kind of labels. Prints a line of
// JSON for each draw, in ns an input:
//   ours     the call that is told nothing of the labels: u32, f32, u64, f64, bf16 (summed as
//            float), 16 (a value of 16 bytes, whose sum is said to be of two parts of 8), "16
//            whole" (nothing is said of its sum), and "f32 in order", "f64 in order", whose sums
//            are the same bits in every run
//   atomics  plain atomics, one input a thread; for 16 two of them
// Calls of a type are timed by turns, with the L2 emptied before each. Results are compared with
// those of plain atomics.
#include <cuda_bf16.h>

#include <cstdio>
#include <string>

#include "bench/gpu/draws/draws.cuh"
#include "presort/gpu/calls.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::Draw;
using bench::TwoSums;

namespace {

struct Times {
  double ours;
  double in_order;  // 0: not timed
  double atomics;
};

template <class Value, class Bucket = Value, class M = Sum<Bucket>>
Times time_type(const Array<uint32_t>& labels, uint64_t m, int rounds, const char* name) {
  constexpr bool kRounds = std::is_floating_point_v<Value>;
  constexpr bool kIsTwo = std::is_same_v<Value, TwoSums>;
  const uint64_t n = labels.size();
  const Array<Value> values(n);
  const Array<Bucket> buckets(m), expected(m);
  bench::fill_values<<<1024, 256>>>(values.data(), n);
  const std::span<const uint32_t> in(labels.data(), n);
  const std::span<const Value> of(values.data(), n);
  const std::span<Bucket> out(buckets.data(), m);
  const auto plain = [&](Bucket* to) {
    bench::plain_atomics<<<bench::plain_blocks(n), 256>>>(labels.data(), values.data(), to, n);
  };
  PRESORT_CUDA(cudaMemset(expected.data(), 0, m * sizeof(Bucket)));
  plain(expected.data());
  const auto check = [&](const auto& call) {
    PRESORT_CUDA(cudaMemset(buckets.data(), 0, m * sizeof(Bucket)));
    call();
    bench::require_equal(name, buckets, expected);
  };
  const auto ours = [&] { multireduce(in, of, out, M{}); };
  const auto atomics = [&] { plain(buckets.data()); };
  const auto in_order = [&] {
    if constexpr (kRounds) {
      multireduce(in, of, out, InOrder<Sum<Value>>{});
    } else if constexpr (kIsTwo) {
      multireduce(in, of, out, Sum<TwoSums>{});
    }
  };
  check(ours);
  if (kRounds || kIsTwo) {
    check(in_order);
  }
  const auto medians = bench::cold_medians_by_turns(rounds, ours, atomics, in_order);
  const auto inputs = static_cast<double>(n);
  return {medians[0] / inputs, kRounds || kIsTwo ? medians[2] / inputs : 0, medians[1] / inputs};
}

}  // namespace

int main(int argc, char** argv) {
  const auto run = [](const Draw& draw, auto&) {
    const auto& [n, m, kind, seed, rounds] = draw;
    const Array<uint32_t> labels(n);
    bench::make_real_labels(labels.data(), n, m, kind, seed);
    const struct {
      const char* name;
      const char* other;  // name of the second time
      Times times;
    } all[] = {{"u32", "", time_type<uint32_t>(labels, m, rounds, "u32")},
               {"f32", "f32 in order", time_type<float>(labels, m, rounds, "f32")},
               {"u64", "", time_type<unsigned long long>(labels, m, rounds, "u64")},
               {"f64", "f64 in order", time_type<double>(labels, m, rounds, "f64")},
               {"bf16", "", time_type<__nv_bfloat16, float>(labels, m, rounds, "bf16")},
               {"16", "16 whole",
                time_type<TwoSums, TwoSums, SumOfParts<TwoSums, unsigned long long>>(
                    labels, m, rounds, "16")}};
    std::string ours;
    std::string atomics;
    const auto append = [](std::string& to, const std::string& name, double ns) {
      char text[64];
      std::snprintf(text, sizeof text, "%s\"%s\": %.5f", to.empty() ? "" : ", ", name.c_str(), ns);
      to += text;
    };
    for (const auto& [name, other, times] : all) {
      append(ours, name, times.ours);
      append(atomics, name, times.atomics);
      if (times.in_order > 0) {
        append(ours, other, times.in_order);
      }
    }
    std::printf("{\"n\": %zu, \"m\": %zu, \"labels\": \"%s\", \"ours\": {%s}, \"atomics\": {%s}}\n",
                static_cast<size_t>(n), static_cast<size_t>(m), draw.label_name(), ours.c_str(),
                atomics.c_str());
  };
  return bench::time_draws("gpu_type_draws", argc, argv, {.takes_least = true}, run);
}
