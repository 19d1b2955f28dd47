// Tests GPU calls that choose their plan: results against plain loops.
#include "presort/gpu/calls.cuh"

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>

#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using test::Kind;
using test::kKinds;

namespace {

constexpr size_t kSizes[] = {0, 1, 31, 33, 1000, 70001, 300007};
constexpr uint64_t kBuckets[] = {1, 2, 100, 5000, 300000};

template <class Label, class Value>
void check_multireduce(std::mt19937_64& random) {
  for (const size_t n : kSizes) {
    for (const uint64_t m : kBuckets) {
      for (const Kind kind : kKinds) {
        CAPTURE(n);
        CAPTURE(m);
        CAPTURE(static_cast<int>(kind));
        const auto labels = test::make_labels<Label>(kind, n, m, random);
        const auto values = test::make_values<Value>(n, random);
        std::vector<Value> expected = test::make_values<Value>(m, random);
        const test::DeviceArray<Value> buckets(expected);
        for (size_t i = 0; i < n; ++i) {
          expected[static_cast<size_t>(labels[i])] += values[i];
        }
        const GpuPlan plan =
            multireduce(test::DeviceArray<Label>(labels).span(),
                        test::DeviceArray<Value>(values).read_only(), buckets.span());
        CAPTURE(to_string(plan));
        CHECK(buckets.host() == expected);
      }
    }
  }
}

constexpr size_t kLookedInputs = kFewestInputsOfLook + 100003;
constexpr uint64_t kLookedBuckets = 150000;

// Multireduces labels by plans with ways of their own for frequent ones.
void check_plans_of_hot(const std::vector<uint32_t>& labels, std::mt19937_64& random) {
  const size_t n = labels.size();
  const uint64_t m = kLookedBuckets;
  const test::DeviceArray<uint32_t> device_labels(labels);
  const auto check = [&]<class Value>(Value) {
    const auto values = test::make_values<Value>(n, random);
    const test::DeviceArray<Value> device_values(values);
    std::vector<Value> expected(m);
    for (size_t i = 0; i < n; ++i) {
      expected[labels[i]] += values[i];
    }
    // With a range for each multiprocessor, a block has inputs enough to count its hot buckets.
    const int ranges = current_device_limits().multiprocessors;
    const std::string counted = "strategy=sharedSets,rangePasses=" + std::to_string(ranges);
    for (const std::string& plan :
         {std::string("strategy=globalSets"), std::string("strategy=sharedSets"), counted,
          std::string("strategy=sharedSets,rangePasses=16"), std::string("sortBits=5"),
          std::string("sortBits=8,passes=2"), std::string("sortBits=6,strategy=globalSets")}) {
      CAPTURE(plan);
      const test::DeviceArray<Value> buckets(std::vector<Value>(m, Value{}));
      multireduce(device_labels.read_only(), device_values.read_only(), buckets.span(),
                  Sum<Value>{}, {.plan = parse_gpu_plan(plan)});
      CHECK(buckets.host() == expected);
    }
  };
  check(0u);
  check(0.0f);
  check(0.0);
  check(0ull);
}

// Half of the labels are among `hot` buckets.
void check_hot_buckets(uint64_t hot, std::mt19937_64& random) {
  constexpr uint64_t m = kLookedBuckets;
  std::vector<uint32_t> labels(kLookedInputs);
  for (uint32_t& label : labels) {
    label = static_cast<uint32_t>(random() % 2 == 0 ? random() % hot * (m / hot) : random() % m);
  }
  check_plans_of_hot(labels, random);
}

// Labels in runs of up to `longest`, a third of the runs of one bucket.
void check_runs(uint64_t longest, std::mt19937_64& random) {
  std::vector<uint32_t> labels;
  while (labels.size() < kLookedInputs) {
    const uint64_t length =
        std::min<uint64_t>(1 + random() % longest, kLookedInputs - labels.size());
    const uint64_t label = random() % 3 == 0 ? 77 : random() % kLookedBuckets;
    labels.insert(labels.end(), length, static_cast<uint32_t>(label));
  }
  check_plans_of_hot(labels, random);
}

}  // namespace

TEST_CASE("a multireduce without a plan gives what a plain loop gives") {
  std::mt19937_64 random(31);
  check_multireduce<uint32_t, uint32_t>(random);
  check_multireduce<int, float>(random);
  check_multireduce<int64_t, double>(random);
  check_multireduce<uint32_t, unsigned long long>(random);
}

TEST_CASE("every plan adds to hot buckets what a plain loop adds") {
  std::mt19937_64 random(32);
  check_hot_buckets(1, random);
  check_hot_buckets(7, random);
  check_hot_buckets(90, random);  // more than there are places for
}

TEST_CASE("every plan adds runs of equal labels as a plain loop does") {
  std::mt19937_64 random(35);
  check_runs(3, random);
  check_runs(40, random);
  check_runs(5000, random);
}

TEST_CASE("histogram, scatter, gather, multiscan and multitag without a plan") {
  std::mt19937_64 random(33);
  for (const size_t n : kSizes) {
    for (const uint64_t m : kBuckets) {
      CAPTURE(n);
      CAPTURE(m);
      const auto labels = test::make_labels<uint32_t>(Kind::skewed, n, m, random);
      const auto values = test::make_values<uint32_t>(n, random);
      const test::DeviceArray<uint32_t> in(labels);
      const test::DeviceArray<uint32_t> of(values);
      std::vector<uint32_t> counts(m), last(m, 7), sums(m), read(n), before(n), number(n);
      for (size_t i = 0; i < n; ++i) {
        number[i] = counts[labels[i]]++;
        before[i] = sums[labels[i]];
        sums[labels[i]] += values[i];
        last[labels[i]] = values[i];
      }
      const test::DeviceArray<uint32_t> count_buckets(std::vector<uint32_t>(m, 0));
      histogram(in.span(), count_buckets.span());
      CHECK(count_buckets.host() == counts);
      const test::DeviceArray<uint32_t> scattered(std::vector<uint32_t>(m, 7));
      scatter(in.span(), of.span(), scattered.span());
      CHECK(scattered.host() == last);
      const test::DeviceArray<uint32_t> results(std::vector<uint32_t>(n, 9));
      gather(in.span(), scattered.span(), results.span());
      for (size_t i = 0; i < n; ++i) {
        read[i] = last[labels[i]];
      }
      CHECK(results.host() == read);
      const test::DeviceArray<uint32_t> scanned(std::vector<uint32_t>(m, 0));
      multiscan<Scan::exclusive>(in.span(), of.span(), scanned.span(), results.span());
      CHECK(results.host() == before);
      CHECK(scanned.host() == sums);
      const test::DeviceArray<uint32_t> tagged(std::vector<uint32_t>(m, 0));
      multitag(in.span(), tagged.span(), results.span());
      CHECK(results.host() == number);
      CHECK(tagged.host() == counts);
    }
  }
}

TEST_CASE("a captured scatter in one launch of a whole grid leaves the last values") {
  std::mt19937_64 random(35);
  const size_t n = 5003;
  const uint64_t m = 70001;
  REQUIRE(scatters_in_grid(current_device_limits(), n, m));
  REQUIRE(!scatters_in_block<uint32_t>(current_device_limits(), n, m));
  const auto labels = test::make_labels<uint32_t>(Kind::skewed, n, m, random);
  const auto values = test::make_values<uint32_t>(n, random);
  std::vector<uint32_t> expected(m, 7);
  for (size_t i = 0; i < n; ++i) {
    expected[labels[i]] = values[i];
  }
  const test::DeviceArray<uint32_t> in(labels);
  const test::DeviceArray<uint32_t> of(values);
  const test::DeviceArray<uint32_t> buckets(std::vector<uint32_t>(m, 7));
  cudaStream_t stream{};
  cudaGraph_t graph{};
  cudaGraphExec_t executable{};
  PRESORT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  PRESORT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  scatter(in.span(), of.span(), buckets.span(), {.stream = stream});
  PRESORT_CUDA(cudaStreamEndCapture(stream, &graph));
  PRESORT_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 2; ++i) {
    PRESORT_CUDA(cudaGraphLaunch(executable, stream));
  }
  PRESORT_CUDA(cudaStreamSynchronize(stream));
  CHECK(buckets.host() == expected);
  PRESORT_CUDA(cudaGraphExecDestroy(executable));
  PRESORT_CUDA(cudaGraphDestroy(graph));
  PRESORT_CUDA(cudaStreamDestroy(stream));
}

TEST_CASE("a call is captured with its scratch, and adds as often as the graph is launched") {
  std::mt19937_64 random(34);
  const size_t n = size_t{1} << 20;
  const uint64_t m = 1 << 22;
  const auto labels = test::make_labels<uint32_t>(Kind::uniform, n, m, random);
  const auto values = test::make_values<uint32_t>(n, random);
  const test::DeviceArray<uint32_t> in(labels);
  const test::DeviceArray<uint32_t> of(values);
  const test::DeviceArray<uint32_t> buckets(std::vector<uint32_t>(m, 0));
  cudaStream_t stream{};
  cudaGraph_t graph{};
  cudaGraphExec_t executable{};
  PRESORT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  PRESORT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  multireduce(in.span(), of.span(), buckets.span(), Sum<uint32_t>{},
              {.stream = stream, .plan = parse_gpu_plan("sortBits=8")});
  PRESORT_CUDA(cudaStreamEndCapture(stream, &graph));
  PRESORT_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; ++i) {
    PRESORT_CUDA(cudaGraphLaunch(executable, stream));
  }
  PRESORT_CUDA(cudaStreamSynchronize(stream));
  std::vector<uint32_t> expected(m);
  for (size_t i = 0; i < n; ++i) {
    expected[labels[i]] += 3 * values[i];
  }
  CHECK(buckets.host() == expected);
  PRESORT_CUDA(cudaGraphExecDestroy(executable));
  PRESORT_CUDA(cudaGraphDestroy(graph));
  PRESORT_CUDA(cudaStreamDestroy(stream));
}

TEST_CASE("a workspace of the caller is used, or refused when it is too small") {
  const test::DeviceArray<uint32_t> labels(std::vector<uint32_t>(1000, 5));
  const test::DeviceArray<uint32_t> values(std::vector<uint32_t>(1000, 2));
  const test::DeviceArray<uint32_t> buckets(std::vector<uint32_t>(4096, 0));
  const GpuPlan plan = parse_gpu_plan("sortBits=4");
  const size_t bytes = multireduce_scratch_bytes<uint32_t, uint32_t>(plan, 1000, 4096);
  const test::DeviceArray<std::byte> room(test::poison(bytes));
  Call call = {.plan = plan, .workspace = room.span()};
  multireduce(labels.span(), values.span(), buckets.span(), Sum<uint32_t>{}, call);
  CHECK(buckets.host()[5] == 2000);
  call.workspace = room.span().subspan(0, bytes - 1);
  CHECK_THROWS_AS(multireduce(labels.span(), values.span(), buckets.span(), Sum<uint32_t>{}, call),
                  PlanError);
  CHECK(buckets.host()[5] == 2000);
}

TEST_CASE("a label without a bucket, and a negative one, are named where labels are checked") {
  const test::DeviceArray<int> labels({0, 1, -1, 9});
  const test::DeviceArray<float> values(std::vector<float>(4, 1));
  const test::DeviceArray<float> buckets(std::vector<float>(2, 0));
  CHECK_THROWS_AS(multireduce(labels.span(), values.span(), buckets.span(), Sum<float>{},
                              {.checks_labels = true}),
                  LabelError);
  CHECK(buckets.host() == std::vector<float>(2, 0));
  CHECK_THROWS_AS(multireduce(labels.span(), values.span().subspan(1), buckets.span()), PlanError);
}

TEST_CASE("a plan that was chosen once is remembered, and another size has another one") {
  const GpuPlan few = multireduce_plan<uint32_t, uint32_t>(1 << 12, 1 << 20);
  const Call spread = {.labels = Distribution{.kind = DistributionKind::uniform}};
  const GpuPlan many = multireduce_plan<uint32_t, uint32_t>(1 << 28, 1 << 26, spread);
  CHECK(few.strategy == GpuStrategy::globalSets);
  CHECK(many.presort);
  CHECK(multireduce_plan<uint32_t, uint32_t>(1 << 12, 1 << 20) == few);
  CHECK(multireduce_plan<uint32_t, uint32_t>(1 << 28, 1 << 26, spread) == many);
}

TEST_CASE("a call that looks at the labels gives what a plain loop gives") {
  std::mt19937_64 random(35);
  for (const Kind kind : kKinds) {
    for (const size_t n : {size_t{0}, size_t{1}, size_t{70001}}) {
      const uint64_t m = 50000;
      const auto labels = test::make_labels<uint32_t>(kind, n, m, random);
      const auto values = test::make_values<float>(n, random);
      std::vector<float> expected(m);
      for (size_t i = 0; i < n; ++i) {
        expected[labels[i]] += values[i];
      }
      const test::DeviceArray<float> buckets(std::vector<float>(m, 0));
      multireduce(test::DeviceArray<uint32_t>(labels).span(),
                  test::DeviceArray<float>(values).read_only(), buckets.span(), Sum<float>{},
                  {.looks_at_labels = true});
      CHECK(buckets.host() == expected);
    }
  }
}

// Sums of floats that round, in the order of the inputs.
template <class Value>
void check_bits(uint64_t seed) {
  std::mt19937_64 random(seed);
  for (const size_t n : {size_t{1}, size_t{70001}, size_t{1300007}}) {
    for (const uint64_t m : {2, 5000, 300000}) {
      for (const Kind kind : kKinds) {
        CAPTURE(n);
        CAPTURE(m);
        const auto labels = test::make_labels<uint32_t>(kind, n, m, random);
        std::vector<Value> values(n);
        for (Value& value : values) {
          value = std::normal_distribution<Value>()(random);
        }
        const test::DeviceArray<uint32_t> in(labels);
        const test::DeviceArray<Value> of(values);
        std::vector<Value> first;
        for (int run = 0; run < 10; ++run) {
          const test::DeviceArray<Value> buckets(std::vector<Value>(m, Value{1}));
          multireduce(in.span(), of.span(), buckets.span(), InOrder<Sum<Value>>{});
          const std::vector<Value> found = buckets.host();
          if (run == 0) {
            first = found;
          }
          REQUIRE(found == first);
        }
        std::vector<double> exact(m, 1);
        std::vector<double> sizes(m, 1);
        for (size_t i = 0; i < n; ++i) {
          exact[labels[i]] += values[i];
          sizes[labels[i]] += std::abs(values[i]);
        }
        const double rounding = std::numeric_limits<Value>::epsilon() * 64;
        for (uint64_t k = 0; k < m; ++k) {
          REQUIRE(std::abs(first[k] - exact[k]) <= sizes[k] * rounding);
        }
      }
    }
  }
}

TEST_CASE("in order, sums that round are the same bits in ten runs") {
  check_bits<float>(51);
  check_bits<double>(52);
}

TEST_CASE("16-bit values are summed as float, by every kind of plan") {
  std::mt19937_64 random(53);
  const auto check = [&]<class Half>(Half) {
    for (const size_t n : {size_t{0}, size_t{1}, size_t{4097}, size_t{300007}}) {
      for (const uint64_t m : {1, 3000, 200000}) {
        const auto labels = test::make_labels<uint32_t>(Kind::skewed, n, m, random);
        std::vector<Half> values;
        std::vector<float> expected(m, 3);
        for (size_t i = 0; i < n; ++i) {
          values.push_back(Half(static_cast<float>(random() % 16)));
          expected[labels[i]] += static_cast<float>(values.back());
        }
        const test::DeviceArray<uint32_t> in(labels, n % 2);
        const test::DeviceArray<Half> of(values, n % 3);
        std::vector<Call> calls(1);
        for (const char* plan :
             {"strategy=globalSets", "strategy=sharedSets", "sortBits=1,strategy=globalSets"}) {
          if (m > 1) {
            calls.push_back({.plan = parse_gpu_plan(plan)});
          }
        }
        for (const Call& call : calls) {
          CAPTURE(n);
          CAPTURE(m);
          const test::DeviceArray<float> buckets(std::vector<float>(m, 3));
          multireduce(in.span(), of.span(), buckets.span(), Sum<float>{}, call);
          CHECK(buckets.host() == expected);
        }
      }
    }
  };
  check(__half{});
  check(__nv_bfloat16{});
}
