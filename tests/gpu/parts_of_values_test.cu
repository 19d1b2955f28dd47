// Tests sums of values in parts, the calls that repeat a size, and few labels, against plain loops.
#include <array>
#include <numeric>
#include <random>

#include "presort/gpu/calls.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using test::Kind;
using test::kKinds;

namespace {

// A value of kParts parts, of which nobody says that it can be added.
template <class PartType, size_t kParts>
struct Several {
  using Part = PartType;
  std::array<Part, kParts> items;
  bool operator==(const Several&) const = default;
};

struct Whole {
  uint64_t a, b;
  friend __host__ __device__ constexpr Whole operator+(Whole x, Whole y) {
    return {x.a + y.a, x.b + y.b};
  }
};

static_assert(kReducesInOrder<Sum<Whole>, Whole>);
static_assert(!kReducesInOrder<SumOfParts<Whole, uint64_t>, Whole>);
static_assert(kReducesInOrder<SumOfParts<Several<double, 4>, double>, Several<double, 4>>);

template <class Value>
std::vector<Value> make_parts(size_t n, std::mt19937_64& random) {
  std::vector<Value> values(n);
  for (Value& value : values) {
    for (auto& part : value.items) {
      part = static_cast<typename Value::Part>(random() % 16);
    }
  }
  return values;
}

template <class Label, class Value>
void check_parts(std::mt19937_64& random) {
  using M = SumOfParts<Value, typename Value::Part>;
  for (const size_t n : {size_t{0}, size_t{1}, size_t{33}, size_t{65536}, size_t{1100003}}) {
    for (const uint64_t m : {1, 33, 5000, 100003}) {
      for (const Kind kind : kKinds) {
        const auto labels = test::make_labels<Label>(kind, n, m, random);
        const auto values = make_parts<Value>(n, random);
        std::vector<Value> expected = make_parts<Value>(m, random);
        const std::vector<Value> before = expected;
        for (size_t i = 0; i < n; ++i) {
          for (size_t part = 0; part < values[i].items.size(); ++part) {
            expected[labels[i]].items[part] += values[i].items[part];
          }
        }
        const size_t skip = n % 2;  // odd sizes begin at a misaligned address
        const test::DeviceArray<Label> in(labels, skip);
        const test::DeviceArray<Value> of(values, skip);
        std::vector<Call> calls(1);
        for (const char* plan :
             {"strategy=globalSets", "strategy=sharedSets", "strategy=sharedSets,rangePasses=9",
              "sortBits=4", "sortBits=5,strategy=globalSets", "sortBits=6,passes=2"}) {
          const GpuPlan parsed = parse_gpu_plan(plan);
          if (!parsed.presort || parsed.presort->sort_bits <= label_bits(m)) {
            calls.push_back({.plan = parsed});
          }
        }
        for (const Call& call : calls) {
          CAPTURE(n);
          CAPTURE(m);
          CAPTURE(static_cast<int>(kind));
          const test::DeviceArray<Value> buckets(before, skip);
          multireduce(in.span(), of.read_only(), buckets.span(), M{}, call);
          REQUIRE((buckets.host() == expected));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("values are summed by parts as by a plain loop, by atomics and in tables") {
  std::mt19937_64 random(61);
  check_parts<uint32_t, Several<unsigned long long, 2>>(random);
  check_parts<uint32_t, Several<double, 2>>(random);
  check_parts<uint64_t, Several<float, 2>>(random);
  check_parts<uint32_t, Several<float, 3>>(random);
  check_parts<uint32_t, Several<uint32_t, 4>>(random);
}

TEST_CASE("carries of one part do not reach the next") {
  using Value = Several<uint32_t, 2>;
  const std::vector<uint32_t> labels(70001, 3);
  const std::vector<Value> values(labels.size(), Value{{0xffffffff, 0x80000000}});
  for (const char* plan : {"strategy=globalSets", "strategy=sharedSets", "sortBits=3"}) {
    const test::DeviceArray<Value> buckets(std::vector<Value>(2000, Value{}));
    multireduce(test::DeviceArray<uint32_t>(labels).span(),
                test::DeviceArray<Value>(values).read_only(), buckets.span(),
                SumOfParts<Value, uint32_t>{}, {.plan = parse_gpu_plan(plan)});
    const auto found = buckets.host();
    CHECK(found[3].items[0] == static_cast<uint32_t>(-70001));
    CHECK(found[3].items[1] == 0x80000000);  // an odd number of halves of 2^32
    CHECK((found[2] == Value{}));
  }
}

TEST_CASE("values of 16 bytes in parts are pre-sorted into rooms that a sample makes") {
  using Value = Several<unsigned long long, 2>;
  std::mt19937_64 random(65);
  // A sample makes the rooms from kFewestSampled inputs on.
  for (const size_t n : {kFewestSampled - 1, kFewestSampled, kFewestSampled + 1}) {
    const uint64_t m = 1000003;
    for (const Kind kind : kKinds) {
      const auto labels = test::make_labels<uint32_t>(kind, n, m, random);
      const auto values = make_parts<Value>(n, random);
      std::vector<Value> expected(m, Value{});
      for (size_t i = 0; i < n; ++i) {
        expected[labels[i]].items[0] += values[i].items[0];
        expected[labels[i]].items[1] += values[i].items[1];
      }
      const test::DeviceArray<Value> buckets(std::vector<Value>(m, Value{}));
      multireduce(test::DeviceArray<uint32_t>(labels).span(),
                  test::DeviceArray<Value>(values).read_only(), buckets.span(),
                  SumOfParts<Value, unsigned long long>{}, {.plan = parse_gpu_plan("sortBits=7")});
      CAPTURE(n);
      CAPTURE(static_cast<int>(kind));
      CHECK((buckets.host() == expected));
    }
  }
}

TEST_CASE("calls that repeat a size add once each, and are checked each time") {
  std::mt19937_64 random(62);
  for (const size_t n : {size_t{1}, size_t{1000}, size_t{70001}}) {
    const uint64_t m = 1 << 18;
    const auto labels = test::make_labels<uint32_t>(Kind::skewed, n, m, random);
    const test::DeviceArray<uint32_t> in(labels);
    const test::DeviceArray<float> of(test::make_values<float>(n, random));
    const test::DeviceArray<float> buckets(std::vector<float>(m, 0));
    const test::DeviceArray<uint32_t> counts(std::vector<uint32_t>(m, 0));
    const std::vector<float> values = of.host();
    std::vector<float> sums(m);
    std::vector<uint32_t> expected(m);
    for (int call = 1; call <= 3; ++call) {
      const GpuPlan plan = multireduce(in.span(), of.span(), buckets.span());
      CHECK(plan == GpuPlan{.presort = {}, .strategy = GpuStrategy::globalSets});
      CHECK(histogram(in.span(), counts.span()) == plan);
      for (size_t i = 0; i < n; ++i) {
        sums[labels[i]] += values[i];
        expected[labels[i]] += 1;
      }
      CHECK(buckets.host() == sums);
      CHECK(counts.host() == expected);
      CHECK_THROWS_AS(multireduce(in.span(), of.span().subspan(1), buckets.span()), PlanError);
    }
    // A call with a plan, and one that checks labels, after calls of the same size
    const Call tables = {.plan = parse_gpu_plan("strategy=sharedSets,rangePasses=8")};
    CHECK(multireduce(in.span(), of.span(), buckets.span(), Sum<float>{}, tables) == *tables.plan);
    const test::DeviceArray<uint32_t> beyond(std::vector<uint32_t>(n, static_cast<uint32_t>(m)));
    CHECK_THROWS_AS(histogram(beyond.span(), counts.span(), {.checks_labels = true}), LabelError);
    CHECK(counts.host() == expected);
  }
}

TEST_CASE("a scatter of few inputs leaves the last value of each label") {
  std::mt19937_64 random(64);
  const auto check = [&]<class Label>(Label) {
    for (const size_t n :
         {size_t{1}, size_t{2}, size_t{1023}, size_t{1025}, size_t{kMostInputsOfScatterBlock - 1},
          size_t{kMostInputsOfScatterBlock}, size_t{kMostInputsOfScatterBlock + 1}}) {
      for (const uint64_t m : {1, 7, 5000, 1 << 20}) {
        for (const Kind kind : kKinds) {
          const auto labels = test::make_labels<Label>(kind, n, m, random);
          const auto values = make_parts<Several<uint32_t, 3>>(n, random);
          auto expected = make_parts<Several<uint32_t, 3>>(m, random);
          const test::DeviceArray<Several<uint32_t, 3>> buckets(expected);
          for (size_t i = 0; i < n; ++i) {
            expected[labels[i]] = values[i];
          }
          scatter(test::DeviceArray<Label>(labels).span(),
                  test::DeviceArray<Several<uint32_t, 3>>(values).read_only(), buckets.span());
          CAPTURE(n);
          CAPTURE(m);
          CHECK((buckets.host() == expected));
        }
      }
    }
  };
  check(uint32_t{});
  check(uint64_t{});
  // Labels 2^14 apart crowd at every second place of the table of few inputs.
  std::vector<uint32_t> labels(4096);
  std::vector<uint32_t> expected(uint64_t{1} << 24, 5);
  for (uint32_t i = 0; i < labels.size(); ++i) {
    labels[i] = i % 1000 << 14;
    expected[labels[i]] = i;
  }
  std::vector<uint32_t> numbers(labels.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  const test::DeviceArray<uint32_t> buckets(std::vector<uint32_t>(expected.size(), 5));
  scatter(test::DeviceArray<uint32_t>(labels).span(), test::DeviceArray<uint32_t>(numbers).span(),
          buckets.span());
  CHECK(buckets.host() == expected);
}

TEST_CASE("few labels are gathered as many are") {
  std::mt19937_64 random(63);
  for (const size_t n : {size_t{1}, size_t{255}, size_t{257}, kMostLabelsOfFew - 1,
                         size_t{kMostLabelsOfFew}, kMostLabelsOfFew + 1}) {
    for (const size_t skip : {0, 1}) {
      const auto labels = test::make_labels<uint32_t>(Kind::uniform, n, 1000, random);
      const auto table = make_parts<Several<uint32_t, 3>>(1000, random);
      const test::DeviceArray<uint32_t> in(labels, skip);
      const test::DeviceArray<Several<uint32_t, 3>> buckets(table, skip);
      const test::DeviceArray<Several<uint32_t, 3>> results(
          std::vector<Several<uint32_t, 3>>(n, Several<uint32_t, 3>{}), skip);
      gather(in.span(), buckets.read_only(), results.span());
      const auto found = results.host();
      size_t wrong = 0;
      for (size_t i = 0; i < n; ++i) {
        wrong += found[i] == table[labels[i]] ? 0 : 1;
      }
      CAPTURE(n);
      CHECK(wrong == 0);
    }
  }
}
