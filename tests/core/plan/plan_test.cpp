#include "presort/core/plan/cpu_plan.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "presort/core/plan/gpu_plan.h"
#include "tests/core/refusal.h"

namespace plan_test {

using namespace presort;
using namespace presort::test;

namespace {

std::string plan_refusal(const std::string& text) {
  return refusal<PlanError>([&] { parse_cpu_plan(text); });
}

std::string input_refusal(const std::string& text) {
  return refusal<InputError>([&] { parse_cpu_plan(text); });
}

CpuPlan legal_plan(int label_bits) {
  CpuPlan plan;
  plan.base.strategy = *rc::gen::element(CpuStrategy::direct, CpuStrategy::plainRadix);
  const bool sorts = plan.base.strategy == CpuStrategy::plainRadix;
  const int sort_bits = *rc::gen::inRange(sorts ? 1 : 0, label_bits + 1);
  if (sort_bits > 0) {
    plan.presort.emplace();
    plan.presort->sort_bits = sort_bits;
    const int least = (sort_bits + kMaxBitsPerPass - 1) / kMaxBitsPerPass;
    plan.presort->passes = *rc::gen::inRange(least, sort_bits + 1);
    if (!sorts) {
      plan.presort->buffer_bytes = uint64_t{64} << *rc::gen::inRange(0, 5);
      plan.presort->layout = *rc::gen::element(Layout::pairs, Layout::separate);
      plan.presort->streaming = *rc::gen::arbitrary<bool>();
    }
  }
  plan.base.prefetch_distance = *rc::gen::element(0, 1, 16, 4096);
  if (!plan.presort && plan.base.prefetch_distance == 0) {
    plan.base.input_distance = *rc::gen::inRange(0, 4097);
  }
  plan.resources.page_size = *rc::gen::element(PageSize::k4KiB, PageSize::k2MiB);
  return plan;
}

}  // namespace

TEST_CASE("a plan is written with its resolved keys, in order") {
  CHECK(to_string(CpuPlan{}) ==
        "sortBits=0,strategy=direct,rangePasses=1,nSets=1,prefetchDistance=0,inputDistance=0,"
        "threads=1,pageSize=2MiB,isa=generic");
  CpuPlan plan;
  plan.presort.emplace();
  plan.presort->sort_bits = 9;
  CHECK(to_string(plan) ==
        "sortBits=9,passes=1,bufferBytes=256B,layout=pairs,streaming=true,strategy=direct,"
        "rangePasses=1,nSets=1,prefetchDistance=0,threads=1,pageSize=2MiB,isa=generic");
  plan.base.strategy = CpuStrategy::plainRadix;
  CHECK(to_string(plan) ==
        "sortBits=9,passes=1,strategy=plainRadix,rangePasses=1,nSets=1,prefetchDistance=0,"
        "threads=1,pageSize=2MiB,isa=generic");
}

TEST_CASE("absent keys take the default") {
  CHECK(parse_cpu_plan("") == CpuPlan{});
  CHECK(parse_cpu_plan("sortBits=0") == CpuPlan{});
  const CpuPlan plan = parse_cpu_plan("sortBits=9,pageSize=4KiB");
  REQUIRE(plan.presort.has_value());
  CHECK(plan.presort->sort_bits == 9);
  CHECK(plan.presort->passes == 1);
  CHECK(plan.presort->buffer_bytes == 256);
  CHECK(plan.resources.page_size == PageSize::k4KiB);
}

TEST_CASE("absent passes are as few as the bits allow") {
  CHECK(parse_cpu_plan("sortBits=12").presort->passes == 1);
  CHECK(parse_cpu_plan("sortBits=13").presort->passes == 2);
  CHECK(parse_cpu_plan("sortBits=25").presort->passes == 3);
}

TEST_CASE("keys may come in any order") {
  const CpuPlan plan =
      parse_cpu_plan("streaming=false,bufferBytes=1KiB,strategy=direct,sortBits=10");
  CHECK_FALSE(plan.presort->streaming);
  CHECK(plan.presort->buffer_bytes == 1024);
  CHECK(parse_cpu_plan("passes=2,strategy=plainRadix,sortBits=10").presort->passes == 2);
  CHECK(parse_cpu_plan("sortBits=9,bufferBytes=512").presort->buffer_bytes == 512);
}

TEST_CASE("every legal plan survives being written and read") {
  CHECK(rc::check("round trip", [] {
    const int bits = *rc::gen::inRange(1, 33);
    const CpuPlan plan = legal_plan(bits);
    RC_ASSERT(parse_cpu_plan(to_string(plan)) == plan);
    RC_ASSERT(cpu_plan_from_fields(plan_fields(plan)) == plan);
    Problem problem;
    problem.n = 1;
    problem.m = uint64_t{1} << bits;
    check_plan(plan, problem);
  }));
}

TEST_CASE("an unknown key is refused with the nearest spelling") {
  CHECK(input_refusal("sortBit=9").ends_with("(did you mean 'sortBits'?)"));
  CHECK(input_refusal("prefetch=9").starts_with("plan: found 'prefetch', accepted: sortBits, "));
  CHECK(input_refusal("pagesize=4KiB").ends_with("(did you mean 'pageSize'?)"));
}

TEST_CASE("a doubled key is refused") {
  CHECK(input_refusal("sortBits=9,sortBits=9") == "sortBits: found twice, accepted: once");
}

TEST_CASE("a malformed list is refused") {
  for (const std::string text : {"sortBits", "=9", "sortBits=9,", ",sortBits=9", "sortBits=9,,",
                                 "sortBits=9;passes=1", "sortBits 9"}) {
    CAPTURE(text);
    CHECK(input_refusal(text) != "");
  }
}

TEST_CASE("a bad value is refused with its key") {
  for (const std::string text :
       {"sortBits=", "sortBits=-1", "sortBits=x", "sortBits=1.5", "sortBits=2^40", "strategy=fast",
        "pageSize=1GiB", "pageSize=4096", "isa=avx9", "threads=two", "sortBits=4,layout=rows",
        "sortBits=4,streaming=yes", "sortBits=4,bufferBytes=0x40", "sortBits=4,passes=1e",
        "strategy="}) {
    CAPTURE(text);
    const size_t comma = text.rfind(',');
    const size_t start = comma == std::string::npos ? 0 : comma + 1;
    const std::string key = text.substr(start, text.find('=', start) - start);
    CHECK(input_refusal(text).starts_with(key + ": found '"));
  }
}

TEST_CASE("whole numbers that no plan could have are refused before anything is computed of them") {
  struct Case {
    std::string text;
    std::string message;
  };
  const Case cases[] = {
      {"sortBits=65", "sortBits: found '65', accepted: 0 to 64"},
      {"sortBits=2147483647", "sortBits: found '2147483647', accepted: 0 to 64"},
      {"sortBits=8,passes=2147483647", "passes: found '2147483647', accepted: 0 to 64"},
      {"rangePasses=65537", "rangePasses: found '65537', accepted: 0 to 65536"},
      {"nSets=2^31", "nSets: found '2^31', accepted: 0 to 65536"},
      {"prefetchDistance=1e9", "prefetchDistance: found '1e9', accepted: 0 to 65536"},
      {"inputDistance=65537", "inputDistance: found '65537', accepted: 0 to 65536"},
      {"threads=2^62", "threads: found '2^62', accepted: 0 to 65536"},
  };
  for (const Case& each : cases) {
    CHECK(input_refusal(each.text) == each.message);
  }
}

TEST_CASE("a key without meaning for the plan is a contradiction") {
  for (const std::string text :
       {"passes=1", "sortBits=0,passes=1", "layout=pairs", "streaming=true", "bufferBytes=256"}) {
    CAPTURE(text);
    CHECK(plan_refusal(text).ends_with("accepted: only with a pre-sort (sortBits of at least 1)"));
  }
  for (const std::string key : {"bufferBytes=256", "layout=pairs", "streaming=true"}) {
    CHECK(plan_refusal("strategy=plainRadix,sortBits=8," + key)
              .ends_with("only without strategy=plainRadix, which has no buffers"));
  }
  CHECK(plan_refusal("strategy=plainRadix").starts_with("sortBits: found '0'"));
  CHECK(plan_refusal("strategy=plainRadix,sortBits=0").starts_with("sortBits: found '0'"));
}

TEST_CASE("a plan has the keys and the strategies of its device alone") {
  CHECK(input_refusal("strategy=sharedSets")
            .starts_with("strategy: found 'sharedSets', accepted: "
                         "direct, privateTables, plainRadix"));
  const auto gpu_refusal = [](const std::string& text) {
    return refusal<InputError>([&] { parse_gpu_plan(text); });
  };
  CHECK(gpu_refusal("strategy=direct")
            .starts_with("strategy: found 'direct', accepted: sharedSets, globalSets"));
  for (const std::string key : {"threads", "pageSize", "bufferBytes", "prefetchDistance", "isa"}) {
    CHECK(gpu_refusal(key + "=1").starts_with("plan: found '" + key + "'"));
  }
  for (const std::string key : {"blocks", "threadsPerBlock"}) {
    CHECK(gpu_refusal(key + "=1").starts_with("plan: found '" + key + "'"));
    CHECK(input_refusal(key + "=1").starts_with("plan: found '" + key + "'"));
  }
}

TEST_CASE("a plan for a GPU is written with its keys, in order, and read again") {
  CHECK(to_string(GpuPlan{}) == "sortBits=0,strategy=sharedSets,rangePasses=1,nSets=1");
  CHECK(rc::check("round trip", [] {
    GpuPlan plan;
    plan.strategy = *rc::gen::element(GpuStrategy::sharedSets, GpuStrategy::globalSets);
    plan.range_passes = *rc::gen::inRange(0, 65537);
    plan.n_sets = *rc::gen::inRange(0, 65537);
    if (const int bits = *rc::gen::inRange(0, 65); bits > 0) {
      plan.presort = GpuPresort{.sort_bits = bits, .passes = *rc::gen::inRange(0, 65)};
    }
    RC_ASSERT(parse_gpu_plan(to_string(plan)) == plan);
  }));
  CHECK(refusal<PlanError>([] { parse_gpu_plan("passes=2"); }).starts_with("passes: found '2'"));
}

TEST_CASE("the bits are split evenly over the passes, the larger parts first") {
  CHECK(bits_per_pass(CpuPlan{}).empty());
  CHECK(bits_per_pass(parse_cpu_plan("sortBits=9,passes=1")) == std::vector<int>{9});
  CHECK(bits_per_pass(parse_cpu_plan("sortBits=10,passes=3")) == std::vector<int>{4, 3, 3});
  CHECK(bits_per_pass(parse_cpu_plan("sortBits=11,passes=3")) == std::vector<int>{4, 4, 3});
  CHECK(rc::check("sum and spread", [] {
    const CpuPlan plan = parse_cpu_plan("sortBits=" + std::to_string(*rc::gen::inRange(1, 33)));
    const auto bits = bits_per_pass(plan);
    RC_ASSERT(std::accumulate(bits.begin(), bits.end(), 0) == plan.presort->sort_bits);
    RC_ASSERT(bits.front() - bits.back() <= 1);
    RC_ASSERT(bits.front() <= kMaxBitsPerPass);
    RC_ASSERT(std::is_sorted(bits.rbegin(), bits.rend()));
  }));
}

}  // namespace plan_test
