// Tests that calls learn the kind of labels from earlier calls with the same array, without waiting,
// and that their results are right before and after.
#include "presort/gpu/plan/labels/learned_labels.cuh"

#include <algorithm>
#include <thread>

#include "presort/gpu/calls.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

constexpr uint64_t kLeast = kFewestInputsOfLearning;

// Sums per bucket by a plain loop.
std::vector<uint32_t> plain_sums(const std::vector<uint32_t>& labels,
                                 const std::vector<uint32_t>& values, uint64_t m) {
  std::vector<uint32_t> sums(m);
  for (size_t i = 0; i < labels.size(); ++i) {
    sums[labels[i]] += values[i];
  }
  return sums;
}

// The distribution that calls with these labels learn, once a sample has arrived.
std::optional<Distribution> learnt(const DeviceArray<uint32_t>& labels, uint64_t m) {
  learned_labels<uint32_t>(nullptr, labels.read_only(), m);
  PRESORT_CUDA(cudaDeviceSynchronize());
  return learned_labels<uint32_t>(nullptr, labels.read_only(), m);
}

}  // namespace

TEST_CASE("labels are learnt by the second call, as a call that looks at them sees them") {
  std::mt19937_64 random(61);
  const DeviceArray<std::byte> scratch(poison(kSampleBytes));
  // Arrays that are freed leave their addresses to later ones, so each has a number of buckets of
  // its own.
  uint64_t m = 300007;
  for (const Kind kind : kKinds) {
    for (const uint64_t n : {kLeast, kLeast + 1, 3 * kLeast / 2}) {
      ++m;
      const DeviceArray<uint32_t> labels(make_labels<uint32_t>(kind, n, m, random));
      CHECK(learnt(labels, m) ==
            sampled_distribution(nullptr, labels.read_only(), m, scratch.span()));
    }
  }
}

TEST_CASE("few labels are not learnt") {
  std::mt19937_64 random(62);
  for (const uint64_t n : {uint64_t{0}, uint64_t{1}, kLeast - 1}) {
    const DeviceArray<uint32_t> labels(make_labels<uint32_t>(Kind::sorted, n, 1000, random));
    CHECK_FALSE(learnt(labels, 1000));
  }
}

TEST_CASE("labels that have changed are learnt anew after some calls") {
  std::mt19937_64 random(63);
  const uint64_t m = 300007;
  const DeviceArray<uint32_t> labels(make_labels<uint32_t>(Kind::uniform, kLeast, m, random));
  CHECK(learnt(labels, m)->kind == DistributionKind::uniform);
  const auto equal = make_labels<uint32_t>(Kind::degenerate, kLeast, m, random);
  PRESORT_CUDA(cudaMemcpy(labels.span().data(), equal.data(), equal.size() * sizeof(uint32_t),
                          cudaMemcpyHostToDevice));
  for (int call = 0; call < 2 * gpu::detail::LearnedLabels::kCallsOfSample; ++call) {
    learned_labels<uint32_t>(nullptr, labels.read_only(), m);
    PRESORT_CUDA(cudaDeviceSynchronize());
  }
  CHECK(learned_labels<uint32_t>(nullptr, labels.read_only(), m)->kind ==
        DistributionKind::degenerate);
}

TEST_CASE("calls give what a plain loop gives, whatever they have learnt") {
  std::mt19937_64 random(64);
  for (const Kind kind : kKinds) {
    for (const uint64_t m : {uint64_t{1}, uint64_t{5003}, uint64_t{1} << 20, uint64_t{9000001}}) {
      const auto labels = make_labels<uint32_t>(kind, kLeast + 77, m, random);
      const auto values = make_values<uint32_t>(labels.size(), random);
      const auto expected = plain_sums(labels, values, m);
      const DeviceArray<uint32_t> in(labels);
      const DeviceArray<uint32_t> of(values);
      for (int call = 0; call < 3; ++call) {
        const DeviceArray<uint32_t> buckets(std::vector<uint32_t>(m, 0));
        multireduce(in.span(), of.span(), buckets.span());
        CHECK(buckets.host() == expected);
      }
    }
  }
}

// Checks sums of a call that is told of a distribution, whatever the labels are.
template <class Value>
void check_told(const std::vector<uint32_t>& labels, uint64_t m, const char* told,
                std::mt19937_64& random) {
  const auto values = make_values<uint32_t>(labels.size(), random);
  std::vector<Value> wide(values.size());
  std::ranges::transform(values, wide.begin(), [](uint32_t v) { return Value(v % 1024); });
  std::vector<Value> expected(m);
  for (size_t i = 0; i < labels.size(); ++i) {
    expected[labels[i]] += wide[i];
  }
  const DeviceArray<uint32_t> in(labels);
  const DeviceArray<Value> of(wide);
  const DeviceArray<Value> buckets(std::vector<Value>(m, 0));
  const GpuPlan plan = multireduce(in.span(), of.span(), buckets.span(), Sum<Value>{},
                                   {.labels = parse_distribution("told", told)});
  CAPTURE(told);
  CAPTURE(labels.size());
  CHECK(plan == GpuPlan{.presort = {}, .strategy = GpuStrategy::globalSets});
  CHECK(buckets.host() == expected);
}

TEST_CASE("sums are right where labels are not spread as the call was told") {
  std::mt19937_64 random(69);
  const uint64_t m = uint64_t{1} << 22;
  for (const uint64_t more : {0, 1, 31, 32, 33, 255, 256, 70001}) {
    const uint64_t n = kFewestInputsOfLook + more;
    for (const Kind kind : kKinds) {
      const auto labels = make_labels<uint32_t>(kind, n, m, random);
      for (const char* told : {"uniform", "cells:2", "sequential"}) {
        REQUIRE(are_spread(parse_distribution("told", told), n, m));
        check_told<uint32_t>(labels, m, told, random);
        check_told<double>(labels, m, told, random);
      }
    }
  }
}

TEST_CASE("sums are right where labels that were learnt as spread have changed") {
  std::mt19937_64 random(70);
  const uint64_t m = uint64_t{1} << 25;
  const DeviceArray<uint32_t> labels(make_labels<uint32_t>(Kind::sorted, kLeast, m, random));
  const auto values = make_values<uint32_t>(kLeast, random);
  const DeviceArray<uint32_t> of(values);
  REQUIRE(are_spread(*learnt(labels, m), kLeast, m));
  for (const Kind kind : kKinds) {
    const auto changed = make_labels<uint32_t>(kind, kLeast, m, random);
    PRESORT_CUDA(cudaMemcpy(labels.span().data(), changed.data(), kLeast * sizeof(uint32_t),
                            cudaMemcpyHostToDevice));
    const DeviceArray<uint32_t> buckets(std::vector<uint32_t>(m, 0));
    multireduce(labels.span(), of.span(), buckets.span());
    CHECK(buckets.host() == plain_sums(changed, values, m));
  }
}

TEST_CASE("a caller's workspace has room in every call") {
  std::mt19937_64 random(65);
  const uint64_t n = uint64_t{1} << 24;
  const uint64_t m = uint64_t{1} << 21;
  const auto labels = make_labels<uint32_t>(Kind::sorted, n, m, random);
  const auto values = make_values<uint32_t>(n, random);
  const auto expected = plain_sums(labels, values, m);
  const DeviceArray<uint32_t> in(labels);
  const DeviceArray<uint32_t> of(values);
  const GpuPlan plan = multireduce_plan<uint32_t, uint32_t>(n, m);
  const DeviceArray<std::byte> room(
      poison(multireduce_scratch_bytes<uint32_t, uint32_t>(plan, n, m)));
  for (int call = 0; call < 3; ++call) {
    const DeviceArray<uint32_t> buckets(std::vector<uint32_t>(m, 0));
    CHECK(multireduce(in.span(), of.span(), buckets.span(), Sum<uint32_t>{},
                      {.workspace = room.span()}) == plan);
    CHECK(buckets.host() == expected);
  }
}

TEST_CASE("while a graph captures the stream nothing is learnt, and other threads learn") {
  std::mt19937_64 random(66);
  const uint64_t m = 300007;
  const auto labels = make_labels<uint32_t>(Kind::sorted, kLeast, m, random);
  const auto values = make_values<uint32_t>(kLeast, random);
  const DeviceArray<uint32_t> in(labels);
  const DeviceArray<uint32_t> of(values);
  const DeviceArray<uint32_t> buckets(std::vector<uint32_t>(m, 0));
  cudaStream_t stream{};
  cudaGraph_t graph{};
  cudaGraphExec_t executable{};
  PRESORT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  multireduce(in.span(), of.span(), buckets.span(), Sum<uint32_t>{}, {.stream = stream});
  PRESORT_CUDA(cudaStreamSynchronize(stream));
  PRESORT_CUDA(cudaMemset(buckets.span().data(), 0, m * sizeof(uint32_t)));
  PRESORT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_FALSE(learned_labels<uint32_t>(stream, in.read_only(), m));
  std::thread([] {  // takes memory of the host, which this capture forbids other calls
    gpu::detail::SampleRooms::all().give(gpu::detail::SampleRooms::all().take());
  })
      .join();
  multireduce(in.span(), of.span(), buckets.span(), Sum<uint32_t>{}, {.stream = stream});
  PRESORT_CUDA(cudaStreamEndCapture(stream, &graph));
  PRESORT_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  PRESORT_CUDA(cudaGraphLaunch(executable, stream));
  PRESORT_CUDA(cudaStreamSynchronize(stream));
  CHECK(buckets.host() == plain_sums(labels, values, m));
  PRESORT_CUDA(cudaGraphExecDestroy(executable));
  PRESORT_CUDA(cudaGraphDestroy(graph));
  PRESORT_CUDA(cudaStreamDestroy(stream));
}

TEST_CASE("more arrays than are kept, and several threads, are learnt right") {
  constexpr uint64_t kBuckets = 300007;
  const auto learn = [](uint64_t seed) {
    std::mt19937_64 random(seed);
    bool right = true;
    const DeviceArray<uint32_t> sorted(
        make_labels<uint32_t>(Kind::sorted, kLeast, kBuckets, random));
    const DeviceArray<uint32_t> equal(
        make_labels<uint32_t>(Kind::degenerate, kLeast, kBuckets, random));
    for (uint64_t more = 0; more < 2 * gpu::detail::LearnedLabels::kArrays; ++more) {
      // A number of buckets of its own makes each of these an array of its own.
      right &=
          learned_labels<uint32_t>(nullptr, sorted.read_only(), kBuckets + more) == std::nullopt;
    }
    right &= learnt(sorted, kBuckets) == Distribution{.kind = DistributionKind::sequential};
    right &= learnt(equal, kBuckets) == Distribution{.kind = DistributionKind::degenerate};
    return right;
  };
  bool first = false;
  bool second = false;
  std::thread one([&] { first = learn(67); });
  std::thread two([&] { second = learn(68); });
  one.join();
  two.join();
  CHECK(first);
  CHECK(second);
}
