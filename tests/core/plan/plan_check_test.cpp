#include <doctest/doctest.h>

#include "presort/core/plan/cpu_plan.h"
#include "tests/core/refusal.h"

namespace plan_check_test {

using namespace presort;
using namespace presort::test;

namespace {

std::string check_refusal(const CpuPlan& plan, uint64_t m) {
  Problem problem;
  problem.n = 1000;
  problem.m = m;
  return refusal<PlanError>([&] { check_plan(plan, problem); });
}

std::string check_refusal(const std::string& plan, uint64_t m) {
  return check_refusal(parse_cpu_plan(plan), m);
}

std::string operation_refusal(Operation operation, uint64_t m, const std::string& plan) {
  Problem problem;
  problem.operation = operation;
  problem.n = 1000;
  problem.m = m;
  return refusal<PlanError>([&] { check_plan(parse_cpu_plan(plan), problem); });
}

}  // namespace

TEST_CASE("the pre-sort orders by at most the bits that labels have") {
  CHECK(check_refusal("sortBits=20", 1 << 20) == "");
  CHECK(check_refusal("sortBits=21", 1 << 20) ==
        "sortBits: found '21', accepted: 0 to 20; labels below m=2^20 have 20 bits");
  CHECK(check_refusal("sortBits=21", (1 << 20) + 1) == "");
}

TEST_CASE("one bucket leaves nothing to sort by") {
  CHECK(check_refusal("sortBits=0", 1) == "");
  CHECK(check_refusal("sortBits=1", 1) ==
        "sortBits: found '1', accepted: 0; labels below m=1 have no bits to sort by");
}

TEST_CASE("a pass orders by 1 to 12 bits") {
  CHECK(check_refusal("sortBits=12,passes=1", 1 << 20) == "");
  CHECK(check_refusal("sortBits=13,passes=1", 1 << 20)
            .starts_with("passes: found '1', accepted: 2 to 13; "));
  CHECK(check_refusal("sortBits=4,passes=4", 1 << 20) == "");
  CHECK(check_refusal("sortBits=4,passes=5", 1 << 20).starts_with("passes: found '5'"));
  CHECK(check_refusal("sortBits=4,passes=0", 1 << 20).starts_with("passes: found '0'"));
}

TEST_CASE("chunks are of one streamed pass of pairs, of operations on buckets alone") {
  const std::string chunks = "sortBits=4,chunkBytes=";
  for (const std::string bytes : {"16KiB", "64KiB", "1MiB"}) {
    CHECK(check_refusal(chunks + bytes, 1 << 20) == "");
    CHECK(operation_refusal(Operation::histogram, 1 << 20, chunks + bytes) == "");
    CHECK(operation_refusal(Operation::scatter, 1 << 20, chunks + bytes) == "");
  }
  CHECK(check_refusal("sortBits=4,passes=2,chunkBytes=0", 1 << 20) == "");
  for (const std::string bytes : {"8KiB", "48KiB", "2MiB"}) {
    CHECK(check_refusal(chunks + bytes, 1 << 20) ==
          "chunkBytes: found '" + bytes +
              "', accepted: 0 and powers of two from 16KiB to 1MiB; a chunk is filled many buffers "
              "long");
  }
  for (const std::string key : {"passes=2", "layout=separate", "streaming=false", "isa=avx2"}) {
    CHECK(check_refusal(chunks + "64KiB," + key, 1 << 20)
              .starts_with("chunkBytes: found '64KiB', accepted: 0; chunks are of "));
  }
  for (const Operation operation : {Operation::gather, Operation::multiscan, Operation::multitag}) {
    CHECK(operation_refusal(operation, 1 << 20, chunks + "64KiB")
              .starts_with("chunkBytes: found '64KiB', accepted: 0; what "));
  }
  CHECK(operation_refusal(Operation::partialSort, 16, chunks + "64KiB")
            .starts_with("chunkBytes: found '64KiB', accepted: 0; what partialSort"));
}

TEST_CASE("chunkBytes is written unless it is 0, and has no meaning without buffers") {
  CHECK(to_string(parse_cpu_plan("sortBits=4")).find("chunkBytes") == std::string::npos);
  const std::string text = to_string(parse_cpu_plan("sortBits=4,chunkBytes=64KiB"));
  CHECK(text.find(",chunkBytes=64KiB,") != std::string::npos);
  CHECK(parse_cpu_plan(text).presort->chunk_bytes == 65536);
  CHECK(parse_cpu_plan("sortBits=4,chunkBytes=65536") == parse_cpu_plan(text));
  CHECK_THROWS_AS(parse_cpu_plan("sortBits=0,chunkBytes=64KiB"), PlanError);
  CHECK_THROWS_AS(parse_cpu_plan("sortBits=4,strategy=plainRadix,chunkBytes=64KiB"), PlanError);
}

TEST_CASE("a buffer is a power of two from a line to 1 KiB") {
  for (const std::string bytes : {"64B", "128B", "1KiB"}) {
    CHECK(check_refusal("sortBits=4,bufferBytes=" + bytes, 1 << 20) == "");
  }
  for (const std::string bytes : {"0B", "32B", "96B", "2KiB"}) {
    CHECK(check_refusal("sortBits=4,bufferBytes=" + bytes, 1 << 20)
              .starts_with("bufferBytes: found '" + bytes + "', accepted: 64B, 128B, "));
  }
}

TEST_CASE("the plain radix sort needs bits to sort by, and ignores buffers") {
  CpuPlan plan = parse_cpu_plan("strategy=plainRadix,sortBits=8");
  CHECK(check_refusal(plan, 1 << 20) == "");
  plan.presort->buffer_bytes = 3;
  CHECK(check_refusal(plan, 1 << 20) == "");
  plan.presort.reset();
  CHECK(check_refusal(plan, 1 << 20).starts_with("sortBits: found '0'"));
}

TEST_CASE("range passes are 1 to 64") {
  for (const uint64_t m : {1, 2, 63, 1 << 20}) {
    for (const std::string value : {"1", "2", "3", "64"}) {
      CHECK(check_refusal("rangePasses=" + value, m) == "");
      CHECK(check_refusal("threads=3,prefetchDistance=16,rangePasses=" + value, m) == "");
    }
    for (const std::string value : {"0", "65"}) {
      CHECK(check_refusal("rangePasses=" + value, m) ==
            "rangePasses: found '" + value + "', accepted: 1 to 64; each goes over all inputs");
    }
  }
}

TEST_CASE("range passes are of loops whose only results are buckets, each refused with a reason") {
  const auto refusal = [](Operation operation, const std::string& plan) {
    Problem problem;
    problem.operation = operation;
    problem.m = 1 << 12;
    return test::refusal<PlanError>(
        [&] { check_plan(parse_cpu_plan("rangePasses=2" + plan), problem); });
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.starts_with("rangePasses: found '2', accepted: 1; ") &&
           text.find(part) != std::string::npos;
  };
  for (const Operation operation :
       {Operation::multireduce, Operation::scatter, Operation::histogram}) {
    CHECK(refusal(operation, "") == "");
    CHECK(refusal(operation, ",inputDistance=512") == "");
    CHECK(has(refusal(operation, ",sortBits=4"), "a pre-sort divides the buckets"));
    CHECK(has(refusal(operation, ",strategy=privateTables,threads=2"), "a table for all buckets"));
  }
  CHECK(has(refusal(Operation::multireduce, ",nSets=4"), "several sets are of buckets so few"));
  for (const Operation operation : {Operation::gather, Operation::multiscan, Operation::multitag}) {
    CHECK(has(refusal(operation, ""), "in the order of the inputs, and every pass would"));
  }
  for (const Operation operation :
       {Operation::partialSort, Operation::segmentedReduce, Operation::segmentedScan}) {
    CHECK(has(refusal(operation, ""), "has no buckets"));
  }
}

TEST_CASE("histograms and sums of few buckets may have four sets of them, nothing else") {
  const auto refusal = [](Operation operation, uint64_t m, const std::string& plan,
                          ScalarType value = ScalarType::u32) {
    Problem problem;
    problem.types.value = value;
    problem.operation = operation;
    problem.m = m;
    return test::refusal<PlanError>([&] { check_plan(parse_cpu_plan(plan), problem); });
  };
  CHECK(refusal(Operation::histogram, kMaxSetBuckets, "nSets=4") == "");
  CHECK(
      refusal(Operation::histogram, kMaxSetBuckets + 1, "nSets=4").starts_with("nSets: found '4'"));
  CHECK(refusal(Operation::histogram, 256, "nSets=1") == "");
  for (const std::string sets : {"0", "2", "5"}) {
    CHECK(refusal(Operation::histogram, 256, "nSets=" + sets)
              .starts_with("nSets: found '" + sets + "', accepted: 1 or 4; "));
  }
  CHECK(refusal(Operation::histogram, 256, "nSets=4,sortBits=4").starts_with("nSets: found '4'"));
  CHECK(refusal(Operation::histogram, 256, "nSets=4,prefetchDistance=8")
            .starts_with("nSets: found '4'"));
  const Operation sum = Operation::multireduce;
  CHECK(refusal(sum, kMaxSetBuckets, "nSets=4") == "");
  CHECK(refusal(sum, kMaxSetBuckets + 1, "nSets=4").starts_with("nSets: found '4'"));
  CHECK(refusal(sum, 256, "nSets=2").starts_with("nSets: found '2', accepted: 1 or 4; "));
  CHECK(refusal(sum, 256, "nSets=4,threads=2").starts_with("nSets: found '4', accepted: 1; "));
  CHECK(refusal(sum, 256, "nSets=4,strategy=privateTables").starts_with("nSets: found '4'"));
  CHECK(refusal(sum, 256, "nSets=4", ScalarType::f64)
            .starts_with("nSets: found '4', accepted: 1; a sum of f64"));
  for (const auto& [name, operation] : kOperations) {
    if (operation != Operation::histogram && operation != Operation::multireduce &&
        operation != Operation::compact && operation != Operation::multireduceInOrder) {
      CHECK(refusal(operation, 256, "nSets=4").starts_with("nSets: found '4', accepted: 1; "));
    }
  }
}

TEST_CASE(
    "a CPU has no compact and no operation in order; scans and reductions over axes have the plain "
    "loop alone") {
  const auto refusal = [](Operation operation, const std::string& plan) {
    Problem problem;
    problem.operation = operation;
    problem.m = 1;
    return test::refusal<PlanError>([&] { check_plan(parse_cpu_plan(plan), problem); });
  };
  CHECK(refusal(Operation::compact, "sortBits=0") ==
        "op: found 'compact' on a CPU, accepted: any other; a GPU has compact (--device gpu)");
  CHECK(refusal(Operation::multireduceInOrder, "sortBits=0") ==
        "op: found 'multireduceInOrder' on a CPU, accepted: any other; a GPU has "
        "multireduceInOrder (--device gpu)");
  for (const Operation operation : {Operation::scan, Operation::reduceAxes}) {
    CHECK(refusal(operation, "sortBits=0,threads=3") == "");
    CHECK(refusal(operation, "prefetchDistance=8").starts_with("prefetchDistance: found '8'"));
    CHECK(refusal(operation, "strategy=privateTables").starts_with("strategy: found"));
  }
}

TEST_CASE("every plan but the plain radix sort runs on several threads") {
  CHECK(check_refusal("threads=2", 1 << 20) == "");
  CHECK(check_refusal("threads=1024,sortBits=8", 1 << 20) == "");
  CHECK(check_refusal("threads=3,strategy=privateTables", 1 << 20) == "");
  CHECK(check_refusal("threads=0", 1 << 20).starts_with("threads: found '0', accepted: 1 to 1024"));
  CHECK(check_refusal("threads=1025", 1 << 20).starts_with("threads: found '1025', accepted: "));
  CHECK(check_refusal("threads=2,strategy=plainRadix,sortBits=8", 1 << 20)
            .starts_with("threads: found '2', accepted: 1; "));
}

TEST_CASE("private tables are of few buckets, do not sort, and do not regroup rounded sums") {
  const std::string plan = "strategy=privateTables";
  CHECK(check_refusal(plan, kMaxPrivateBuckets) == "");
  CHECK(check_refusal(plan, kMaxPrivateBuckets + 1)
            .starts_with("strategy: found 'privateTables', accepted: direct; there are m="));
  CHECK_THROWS_AS(parse_cpu_plan(plan + ",sortBits=4"), PlanError);
  CpuPlan sorting = parse_cpu_plan("sortBits=4");
  sorting.base.strategy = CpuStrategy::privateTables;
  CHECK(check_refusal(sorting, 1 << 10).starts_with("sortBits: found '4', accepted: 0; "));
  Problem sums{.operation = Operation::multireduce,
               .n = 1000,
               .m = 10,
               .distribution = {},
               .types = {ScalarType::u32, ScalarType::f32}};
  CHECK(refusal<PlanError>([&] {
          check_plan(parse_cpu_plan(plan), sums);
        }).starts_with("strategy: found 'privateTables', accepted: direct; a sum of f32"));
  sums.operation = Operation::scatter;
  CHECK_NOTHROW(check_plan(parse_cpu_plan(plan), sums));
}

TEST_CASE("how far ahead inputs are fetched is of the plain loop, and limited") {
  CHECK(check_refusal("inputDistance=4096", 1) == "");
  CHECK(check_refusal("inputDistance=512,threads=2,strategy=privateTables", 1) == "");
  CHECK(check_refusal("inputDistance=4097", 1)
            .starts_with("inputDistance: found '4097', accepted: 0 to 4096"));
  for (const std::string plan : {"sortBits=4,", "prefetchDistance=8,", "nSets=4,"}) {
    CHECK_THROWS_AS(parse_cpu_plan(plan + "inputDistance=512"), PlanError);
    CpuPlan made = parse_cpu_plan(plan.substr(0, plan.size() - 1));
    made.base.input_distance = 512;
    CHECK(check_refusal(made, 1 << 8).starts_with("inputDistance: found '512', accepted: 0; "));
  }
}

TEST_CASE("the prefetch distance is limited") {
  CHECK(check_refusal("prefetchDistance=4096", 1) == "");
  CHECK(check_refusal("prefetchDistance=4097", 1)
            .starts_with("prefetchDistance: found '4097', accepted: 0 to 4096"));
  CpuPlan plan;
  plan.base.prefetch_distance = -1;
  CHECK(check_refusal(plan, 1).starts_with("prefetchDistance: found '-1'"));
}

TEST_CASE("a partial sort is by all bits of its parts, or a counting sort of one thread") {
  const Operation sort = Operation::partialSort;
  CHECK(operation_refusal(sort, 300, "sortBits=9") == "");
  CHECK(operation_refusal(sort, 300, "sortBits=9,threads=4,passes=3") == "");
  CHECK(operation_refusal(sort, 300, "sortBits=0") == "");
  CHECK(operation_refusal(sort, 1, "sortBits=0") == "");
  CHECK(operation_refusal(sort, 300, "sortBits=8") ==
        "sortBits: found '8', accepted: 0 or 9; a partialSort into m=300 parts is by all of their "
        "bits");
  CHECK(operation_refusal(sort, 300, "threads=2") ==
        "threads: found '2', accepted: 1; a partialSort with sortBits=0 runs on one thread");
  for (const char* plan : {"strategy=privateTables", "strategy=plainRadix,sortBits=9"}) {
    CHECK(operation_refusal(sort, 300, plan).starts_with("strategy: found '"));
  }
  CHECK(operation_refusal(sort, 300, "prefetchDistance=8") ==
        "prefetchDistance: found '8', accepted: 0; partialSort fetches nothing ahead");
  CHECK(operation_refusal(sort, 300, "inputDistance=8")
            .starts_with("inputDistance: found '8', accepted: 0"));
}

TEST_CASE("segments are not sorted, nor is anything fetched for them; threads divide them") {
  for (const Operation operation : {Operation::segmentedReduce, Operation::segmentedScan}) {
    CHECK(operation_refusal(operation, 300, "threads=8") == "");
    CHECK(operation_refusal(operation, 300, "sortBits=4")
              .starts_with("sortBits: found '4', accepted: 0; the segments of segmented"));
    CHECK(operation_refusal(operation, 300, "strategy=privateTables")
              .starts_with("strategy: found '"));
    CHECK(operation_refusal(operation, 300, "strategy=plainRadix,sortBits=9")
              .starts_with("strategy: "));
    CHECK(operation_refusal(operation, 300, "inputDistance=8")
              .starts_with("inputDistance: found '8'"));
  }
}

}  // namespace plan_check_test
