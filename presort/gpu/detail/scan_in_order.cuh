// A scan per bucket in the order of the inputs. Few buckets are scanned in one pass, with tables of
// them all (gpu/device/ordered/scan_tables.cuh). With more buckets, few inputs are sorted tile by
// tile (gpu/device/ordered/sorted_tiles.cuh); otherwise inputs are ordered, stably, by all bits of
// their labels, the runs of equal labels are scanned (gpu/device/ordered/scan_runs.cuh), and the
// results go back pass by pass to where each pass says that its inputs came from. Values of more
// than kMostSortedBytes stay where they are: their indices are ordered.
// Source: Eilers 2014, alg. 2.6 and §5.2
#pragma once

#include <array>
#include <span>

#include "presort/gpu/detail/reduce_in_order.cuh"
#include "presort/gpu/device/gather_tiles.cuh"
#include "presort/gpu/device/ordered/scan_runs.cuh"
#include "presort/gpu/device/ordered/scan_tables.cuh"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

// Arrays in device memory of a scan per bucket.
template <class Label, class Value>
struct ScanArrays {
  using Item = OrderedItem<Value>;
  using Presort = PresortArrays<Label, Item, GaplessOutput<Label, Item>>;
  ChainTree<Value> chains;    // look-back for a scan with tables of all buckets
  LookBack<Value> look_back;  // look-back for a scan of runs of equal labels
  SortedTiles<Label, Value> tiles;
  Presort presort;  // used, like the members below, only by plans with a pre-sort
  // places[n] of each pass: index to which the pass moved each input
  std::array<uint32_t*, kMostScanPasses> places = {};
  // results[n], ordered as the inputs are after a pass; two arrays used by turns
  std::array<Value*, 2> results = {};

  // Takes the scratch arrays of a scan per bucket. Requires: n >= 1; check_gpu_scan accepts the
  // plan
  static ScanArrays take(Carver& carver, const GpuPlan& plan, uint64_t n, uint64_t m) {
    ScanArrays arrays;
    if (sorts_tiles(plan, m)) {
      arrays.tiles = SortedTiles<Label, Value>::take(carver, n, m, true);
    } else if (plan.presort || m == 1) {
      arrays.look_back = LookBack<Value>::take(carver, run_tiles<Label, Value>(n));
    } else {
      arrays.chains = ChainTree<Value>::take(carver, scan_table_tiles<Value>(n), m);
    }
    if (plan.presort) {
      arrays.presort = Presort::take(carver, plan, n, Order::stable);
      for (int pass = 0; pass < plan.presort->passes; ++pass) {
        arrays.places[pass] = carver.take<uint32_t>(n);
      }
      arrays.results[0] = carver.take<Value>(n);
      arrays.results[1] = plan.presort->passes > 1 ? carver.take<Value>(n) : nullptr;
    }
    return arrays;
  }

  static bool sorts_tiles(const GpuPlan& plan, uint64_t m) {
    return m > 1 &&
           gpu::sorts_tiles(plan, m, scan_table_bits(current_device_limits(), sizeof(Value)));
  }
};

// Orders the inputs by all bits of their labels and returns them; places[pass] then says where a
// pass put each of its inputs.
// Requires: n >= 1
template <class Input, class Arrays>
typename Arrays::Presort::Output run_traced_presort(cudaStream_t stream, const Input& input,
                                                    uint64_t n, const Arrays& arrays,
                                                    const GpuPlan& plan) {
  using Output = typename Arrays::Presort::Output;
  const auto& presort = arrays.presort;
  const std::vector<int> bits = bits_per_pass(plan);
  Digit digit = {.shift = 0, .bits = bits[0]};
  const auto traced = [&](size_t pass) {
    return TracedOutput<Output>{presort.outputs[pass % 2], arrays.places[pass]};
  };
  run_stable_pass<AtomicLaneRanks>(stream, input, input, n, presort, traced(0), digit, digit);
  for (size_t pass = 1; pass < bits.size(); ++pass) {
    digit = {digit.shift + digit.bits, bits[pass]};
    const auto from = presort.outputs[(pass - 1) % 2].input();
    run_stable_pass<AtomicLaneRanks>(stream, from, from, n, presort, traced(pass), digit, digit);
  }
  return presort.outputs[(bits.size() - 1) % 2];
}

// Takes results back to the order of the inputs, through the places that the passes gave each
// input.
template <class Arrays, class Value>
void take_results_back(cudaStream_t stream, const Arrays& arrays, int passes, uint64_t n,
                       Value* results) {
  int from = 0;
  for (int pass = passes - 1; pass >= 0; --pass) {
    Value* to = pass == 0 ? results : arrays.results[1 - from];
    gather_tiles(stream, arrays.places[pass], n, arrays.results[from], to);
    from = 1 - from;
  }
}

// Runs a scan in order with checked arguments. Requires: 1 <= n <= 2^31; check_gpu_scan accepts the
// plan; scratch as large as ScanArrays say
template <Scan kScan, class Input, class M>
void scan_in_order(cudaStream_t stream, const Input& input, uint64_t n,
                   std::span<typename Input::Value> buckets, typename Input::Value* results,
                   const M& monoid, const GpuPlan& plan, std::span<std::byte> scratch) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  Carver carver(scratch.data());
  const auto arrays = ScanArrays<Label, Value>::take(carver, plan, n, buckets.size());
  if (buckets.size() == 1) {
    return scan_runs<kScan>(stream, input, n, buckets.data(), results, arrays.look_back, monoid);
  }
  if (arrays.sorts_tiles(plan, buckets.size())) {
    if constexpr (sizeof(Value) <= kMostTabledBytes) {
      reduce_sorted_tiles<tile_results(kScan)>(stream, input, n, buckets.data(), buckets.size(),
                                               label_bits(buckets.size()), results, arrays.tiles,
                                               monoid);
    }
    return;
  }
  if (!plan.presort) {
    return scan_tables<kScan>(stream, input, n, buckets, results, arrays.chains,
                              PartBits{label_bits(buckets.size())}, monoid);
  }
  const auto scan = [&](const auto& ordered) {
    scan_runs<kScan>(stream, ordered, n, buckets.data(), arrays.results[0], arrays.look_back,
                     monoid);
  };
  if constexpr (sizeof(Value) <= kMostSortedBytes) {
    scan(typed_input<Value>(run_traced_presort(stream, as_words(input), n, arrays, plan)));
  } else {
    const IndexedInput<Label, uint32_t> indices{input.labels};
    const auto numbers = run_traced_presort(stream, indices, n, arrays, plan).input();
    scan(NumberedInput<std::remove_const_t<decltype(numbers)>, Value>{numbers, input.values});
  }
  take_results_back(stream, arrays, plan.presort->passes, n, results);
}

}  // namespace presort::gpu
