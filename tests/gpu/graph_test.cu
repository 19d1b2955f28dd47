// Tests that GPU operations can be captured in a CUDA graph: they allocate nothing and wait for
// nothing.
#include <algorithm>

#include "presort/gpu/gather.cuh"
#include "presort/gpu/histogram.cuh"
#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/partial_sort.cuh"
#include "presort/gpu/plan/ordered_plans.h"
#include "presort/gpu/scatter.cuh"
#include "presort/gpu/segmented_reduce.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

constexpr size_t kInputs = 100003;

// Captures the work that `run` puts on a stream, and launches it `times` times.
template <class Run>
void launch_captured(int times, const Run& run) {
  cudaStream_t stream{};
  cudaGraph_t graph{};
  cudaGraphExec_t executable{};
  PRESORT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  PRESORT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  run(stream);
  PRESORT_CUDA(cudaStreamEndCapture(stream, &graph));
  PRESORT_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < times; ++i) {
    PRESORT_CUDA(cudaGraphLaunch(executable, stream));
  }
  PRESORT_CUDA(cudaStreamSynchronize(stream));
  PRESORT_CUDA(cudaGraphExecDestroy(executable));
  PRESORT_CUDA(cudaGraphDestroy(graph));
  PRESORT_CUDA(cudaStreamDestroy(stream));
}

struct Case {
  std::vector<uint32_t> labels;
  std::vector<uint32_t> values;
  DeviceArray<uint32_t> device_labels;
  DeviceArray<uint32_t> device_values;

  Case(uint64_t m, std::mt19937_64& random)
      : labels(make_labels<uint32_t>(Kind::uniform, kInputs, m, random)),
        values(make_values<uint32_t>(kInputs, random)),
        device_labels(labels),
        device_values(values) {}
};

}  // namespace

TEST_CASE("a captured multireduce and histogram add as often as the graph is launched") {
  std::mt19937_64 random(21);
  const uint64_t m = 70000;
  const Case inputs(m, random);
  constexpr int kTimes = 3;
  std::vector<uint32_t> sums(m);
  std::vector<uint32_t> counts(m);
  for (size_t i = 0; i < kInputs; ++i) {
    sums[inputs.labels[i]] += kTimes * inputs.values[i];
    counts[inputs.labels[i]] += kTimes;
  }
  for (const char* text :
       {"strategy=sharedSets", "strategy=globalSets", "strategy=sharedSets,sortBits=1",
        "strategy=sharedSets,sortBits=8", "strategy=sharedSets,sortBits=14,passes=2"}) {
    const GpuPlan plan = parse_gpu_plan(text);
    CAPTURE(text);
    const DeviceArray<uint32_t> buckets(std::vector<uint32_t>(m, 0));
    const DeviceArray<std::byte> scratch(
        poison(multireduce_scratch_bytes<uint32_t, uint32_t>(plan, kInputs, m)));
    launch_captured(kTimes, [&](cudaStream_t stream) {
      multireduce(stream, inputs.device_labels.read_only(), inputs.device_values.read_only(),
                  buckets.span(), Sum<uint32_t>{}, plan, scratch.span());
    });
    CHECK(buckets.host() == sums);
    const DeviceArray<uint32_t> counted(std::vector<uint32_t>(m, 0));
    launch_captured(kTimes, [&](cudaStream_t stream) {
      histogram(stream, inputs.device_labels.read_only(), counted.span(), plan, scratch.span());
    });
    CHECK(counted.host() == counts);
  }
}

namespace {

// The later of two numbers that is not 0: an operator that does not commute.
struct Later {
  static constexpr bool is_commutative = false;
  constexpr uint32_t identity() const { return 0; }
  constexpr uint32_t operator()(uint32_t a, uint32_t b) const { return b == 0 ? a : b; }
};

}  // namespace

TEST_CASE("a captured multireduce that keeps the order of the inputs") {
  std::mt19937_64 random(23);
  for (const uint64_t m : {1, 1000, 70000}) {
    const Case inputs(m, random);
    std::vector<uint32_t> last(m, 7);
    for (size_t i = 0; i < kInputs; ++i) {
      last[inputs.labels[i]] = Later{}(last[inputs.labels[i]], inputs.values[i]);
    }
    const GpuPlan plan = ordered_plan({kInputs, m, sizeof(uint32_t)});
    const DeviceArray<uint32_t> buckets(std::vector<uint32_t>(m, 7));
    const DeviceArray<std::byte> scratch(
        poison(multireduce_scratch_bytes<uint32_t, uint32_t, Later>(plan, kInputs, m)));
    launch_captured(2, [&](cudaStream_t stream) {
      multireduce(stream, inputs.device_labels.read_only(), inputs.device_values.read_only(),
                  buckets.span(), Later{}, plan, scratch.span());
    });
    CHECK(buckets.host() == last);
  }
}

TEST_CASE("captured scans and reductions of segments, in one launch or several") {
  std::mt19937_64 random(24);
  for (const size_t n : {size_t{1}, size_t{3001}, size_t{70001}, size_t{1000003}}) {
    const auto values = make_values<uint32_t>(n, random);
    std::vector<uint32_t> offsets = {0};
    while (offsets.back() < n) {
      offsets.push_back(static_cast<uint32_t>(std::min<size_t>(n, offsets.back() + random() % 60)));
    }
    std::vector<uint32_t> scanned(n);
    std::vector<uint32_t> sums(offsets.size() - 1);
    for (size_t s = 0; s + 1 < offsets.size(); ++s) {
      for (size_t i = offsets[s]; i < offsets[s + 1]; ++i) {
        scanned[i] = sums[s] += values[i];
      }
    }
    CAPTURE(n);
    const DeviceArray<uint32_t> of(values);
    const DeviceArray<uint32_t> cuts(offsets);
    const DeviceArray<uint32_t> results(std::vector<uint32_t>(n, 7));
    const DeviceArray<uint32_t> reduced(std::vector<uint32_t>(sums.size(), 7));
    const DeviceArray<std::byte> scratch(
        poison(std::max(segmented_scan_scratch_bytes<uint32_t>(n),
                        segmented_reduce_scratch_bytes<uint32_t, uint32_t>(n, sums.size()))));
    // Two operations share the scratch: each finds there what the other, or the launch before, has
    // left.
    launch_captured(3, [&](cudaStream_t stream) {
      segmented_scan<Scan::inclusive>(stream, of.read_only(), cuts.read_only(), results.span(),
                                      Sum<uint32_t>{}, scratch.span());
      segmented_reduce(stream, of.read_only(), cuts.read_only(), reduced.span(), Sum<uint32_t>{},
                       scratch.span());
    });
    CHECK(results.host() == scanned);
    CHECK(reduced.host() == sums);
  }
}

TEST_CASE("a captured scatter, gather and partial sort give what the calls give") {
  std::mt19937_64 random(22);
  const uint64_t m = 30000;
  const Case inputs(m, random);
  std::vector<uint32_t> last(m, 7);
  for (size_t i = 0; i < kInputs; ++i) {
    last[inputs.labels[i]] = inputs.values[i];
  }
  const DeviceArray<uint32_t> buckets(std::vector<uint32_t>(m, 7));
  for (const char* text : {"strategy=sharedSets", "strategy=sharedSets,sortBits=12,passes=2"}) {
    const GpuPlan plan = parse_gpu_plan(text);
    const DeviceArray<std::byte> scratch(
        poison(scatter_scratch_bytes<uint32_t, uint32_t>(plan, kInputs, m)));
    launch_captured(2, [&](cudaStream_t stream) {
      scatter(stream, inputs.device_labels.read_only(), inputs.device_values.read_only(),
              buckets.span(), plan, scratch.span());
    });
    CHECK(buckets.host() == last);
  }
  const DeviceArray<uint32_t> results(std::vector<uint32_t>(kInputs, 0));
  launch_captured(2, [&](cudaStream_t stream) {
    gather(stream, inputs.device_labels.read_only(), buckets.read_only(), results.span());
  });
  std::vector<uint32_t> gathered(kInputs);
  for (size_t i = 0; i < kInputs; ++i) {
    gathered[i] = last[inputs.labels[i]];
  }
  CHECK(results.host() == gathered);

  const GpuPlan plan = parse_gpu_plan("sortBits=8");
  const DeviceArray<std::byte> scratch(
      poison(partial_sort_scratch_bytes<uint32_t, uint32_t>(plan, kInputs, m)));
  std::span<const Pair<uint32_t, uint32_t>> ordered;
  launch_captured(2, [&](cudaStream_t stream) {
    ordered = partial_sort(stream, inputs.device_labels.read_only(),
                           inputs.device_values.read_only(), m, plan, scratch.span());
  });
  std::vector<Pair<uint32_t, uint32_t>> pairs(kInputs);
  PRESORT_CUDA(
      cudaMemcpy(pairs.data(), ordered.data(), kInputs * sizeof pairs[0], cudaMemcpyDeviceToHost));
  const int rest = label_bits(m) - 8;
  size_t descents = 0;
  for (size_t i = 1; i < kInputs; ++i) {
    descents += pairs[i].label >> rest < pairs[i - 1].label >> rest;
  }
  CHECK(descents == 0);
}
