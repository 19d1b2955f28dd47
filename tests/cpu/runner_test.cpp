// Tests the runner of problems: every type, its memory and its timing.
#include <doctest/doctest.h>

#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/cpu/pages.h"
#include "presort/cpu/runner/runner.h"

namespace presort::inline v0::test::runner_test {
namespace {

Problem small_problem(Operation operation, const Types& types) {
  Problem problem;
  problem.operation = operation;
  problem.n = 5000;
  problem.m = 300;
  problem.types = types;
  return problem;
}

std::shared_ptr<const LabelSource> labels_of(const Problem& problem) {
  return make_labels(problem.distribution, problem.n, problem.m, problem.seed);
}

TEST_CASE("every type of labels and values runs and is right, with every kind of plan") {
  using enum ScalarType;
  for (const char* text :
       {"sortBits=0,pageSize=4KiB", "sortBits=5,pageSize=4KiB",
        "sortBits=5,passes=2,layout=separate,streaming=false,pageSize=4KiB",
        "sortBits=5,passes=2,strategy=plainRadix,pageSize=4KiB",
        "sortBits=0,threads=3,pageSize=4KiB", "sortBits=5,passes=2,threads=2,pageSize=4KiB"}) {
    const CpuPlan plan = parse_cpu_plan(text);
    for (const Operation operation : {Operation::multireduce, Operation::scatter}) {
      for (const ScalarType label : {u32, u64}) {
        for (const ScalarType value : {u32, u64, i32, i64, f32, f64}) {
          const Problem problem = small_problem(operation, {label, value});
          CAPTURE(to_string(problem));
          CAPTURE(text);
          const Measurement measurement = cpu::measure(problem, plan, labels_of(problem), 2, true);
          CHECK(measurement.checked);
          CHECK(measurement.samples_ns_per_input.size() == 2);
          CHECK(measurement.samples_ns_per_input[0] > 0);
          CHECK(measurement.initialise_ns_per_input > 0);
        }
      }
    }
  }
}

TEST_CASE("operations with results or labels alone run and are right") {
  using enum ScalarType;
  for (const char* text :
       {"sortBits=0,pageSize=4KiB", "sortBits=0,prefetchDistance=16,pageSize=4KiB",
        "sortBits=5,pageSize=4KiB",
        "sortBits=5,passes=2,layout=separate,streaming=false,pageSize=4KiB"}) {
    const CpuPlan plan = parse_cpu_plan(text);
    for (const Operation operation :
         {Operation::gather, Operation::histogram, Operation::multiscan, Operation::multitag}) {
      for (const ScalarType label : {u32, u64}) {
        for (const ScalarType value : {u32, u64, f64}) {
          if (counts_labels(operation) && value == f64) {
            continue;
          }
          const Problem problem = small_problem(operation, {label, value});
          CAPTURE(to_string(problem));
          CAPTURE(text);
          CHECK(cpu::measure(problem, plan, labels_of(problem), 1, true).checked);
        }
      }
    }
  }
}

TEST_CASE("sorts and segments run and are right") {
  using enum ScalarType;
  for (const char* text :
       {"sortBits=0,pageSize=4KiB", "sortBits=9,pageSize=4KiB",
        "sortBits=9,passes=2,layout=separate,streaming=false,pageSize=4KiB",
        "sortBits=9,passes=3,threads=3,pageSize=4KiB", "sortBits=0,threads=3,pageSize=4KiB"}) {
    const CpuPlan plan = parse_cpu_plan(text);
    for (const Operation operation :
         {Operation::partialSort, Operation::segmentedReduce, Operation::segmentedScan}) {
      for (const ScalarType label : {u32, u64}) {
        for (const ScalarType value : {u32, u64, i32, f32, f64}) {
          for (const char* labels : {"uniform", "zipf:1", "degenerate"}) {
            Problem problem = small_problem(operation, {label, value});
            problem.distribution = parse_distribution("dist", labels);
            if (!can_run(plan, problem)) {
              continue;
            }
            CAPTURE(to_string(problem));
            CAPTURE(text);
            CHECK(cpu::measure(problem, plan, labels_of(problem), 1, true).checked);
          }
        }
      }
    }
  }
}

TEST_CASE("scans of all values and reductions over axes run and are right") {
  using enum ScalarType;
  for (const char* text : {"sortBits=0,pageSize=4KiB", "sortBits=0,threads=3,pageSize=4KiB"}) {
    const CpuPlan plan = parse_cpu_plan(text);
    for (const ScalarType value : {u32, u64, i32, f32, f64}) {
      Problem problem = small_problem(Operation::scan, {u32, value});
      problem.m = 1;
      CAPTURE(to_string(problem));
      CHECK(cpu::measure(problem, plan, labels_of(problem), 1, true).checked);
      problem.operation = Operation::reduceAxes;
      for (const char* shape : {"5000", "1x5000", "20x50x5", "3x1x7x11"}) {
        problem.shape = parse_extents("shape", shape);
        for (uint32_t axes = 1; axes < 1u << problem.shape.count; ++axes) {
          problem.axes = {axes};
          problem.n = element_count(problem.shape);
          problem.m = kept_count(problem.shape, problem.axes);
          CAPTURE(to_string(problem));
          CHECK(cpu::measure(problem, plan, labels_of(problem), 1, true).checked);
        }
      }
    }
  }
}

TEST_CASE("required bytes of sorts and segments are those of their own arrays") {
  Problem problem;
  problem.n = 4096;
  problem.m = 1024;
  problem.operation = Operation::segmentedReduce;
  const CpuPlan plan = parse_cpu_plan("sortBits=0,pageSize=4KiB");
  // Arrays of a run are staggered: values begin 5 KiB into their pages, results 20 KiB, (empty) scratch 15
  // KiB.
  CHECK(cpu::required_bytes(problem, plan, false) == 24576 + 8192 + 24576 + 16384);
  CHECK(cpu::required_bytes(problem, plan, true) == 24576 + 8192 + 2 * 24576 + 16384);
  problem.operation = Operation::partialSort;
  // Arrays of a partial sort are staggered: sorted labels begin 25 KiB, part starts 10 KiB into their pages.
  const uint64_t outputs = 36864 + 45056 + 20480;
  CHECK(cpu::required_bytes(problem, plan, false) == 16384 + 24576 + outputs + 16384);
}

TEST_CASE("a runner refuses plans of another page size, and those that need more scratch") {
  const Problem problem = small_problem(Operation::multireduce, {});
  const CpuPlan small = parse_cpu_plan("sortBits=2,bufferBytes=64B,pageSize=4KiB");
  cpu::Runner runner(problem, PageSize::k4KiB, labels_of(problem),
                     cpu::Runner::scratch_bytes(problem, small));
  CHECK(runner.check(small));
  CHECK_THROWS_AS(runner.run_once(parse_cpu_plan("sortBits=8,pageSize=4KiB")), PlanError);
  CHECK_THROWS_AS(runner.run_once(parse_cpu_plan("sortBits=2,bufferBytes=64B,pageSize=2MiB")),
                  PlanError);
  CHECK(runner.check(small));
}

TEST_CASE("a runner refuses label types that it has no kernel for") {
  Problem problem = small_problem(Operation::multireduce, {});
  problem.types.label = ScalarType::u8;
  problem.m = 100;
  CHECK_THROWS_AS(cpu::Runner(problem, PageSize::k4KiB, labels_of(problem), 0), InputError);
}

TEST_CASE("too large a problem is refused before any of it is allocated") {
  Problem problem = small_problem(Operation::multireduce, {});
  const auto labels = labels_of(problem);
  problem.n = uint64_t{1} << 44;
  const CpuPlan plan = parse_cpu_plan("sortBits=0,pageSize=4KiB");
  CHECK(cpu::required_bytes(problem, plan, false) >= problem.n * 8);
  CHECK_THROWS_AS(cpu::measure(problem, plan, labels, 1, false), EnvironmentError);
}

TEST_CASE("required bytes count inputs, buckets, scratch and, with a check, the buckets twice") {
  Problem problem;
  problem.n = 4096;
  problem.m = 8192;
  const CpuPlan plan = parse_cpu_plan("sortBits=0,pageSize=4KiB");
  // Arrays in 4 KiB pages: values, buckets and scratch begin 5, 10 and 15 KiB into their first page.
  CHECK(cpu::required_bytes(problem, plan, false) == 16384 + 24576 + 45056 + 16384);
  CHECK(cpu::required_bytes(problem, plan, true) == 16384 + 24576 + 2 * 45056 + 16384);
  const CpuPlan sorted = parse_cpu_plan("sortBits=4,pageSize=4KiB");
  CHECK(cpu::required_bytes(problem, sorted, false) >=
        65536 + cpu::Runner::scratch_bytes(problem, sorted));
}

TEST_CASE("pages are aligned, zero and writable to the last byte") {
  for (const PageSize size : {PageSize::k4KiB, PageSize::k2MiB}) {
    cpu::PageBuffer buffer(5000, size);
    CHECK(reinterpret_cast<uintptr_t>(buffer.data()) % page_bytes(size) == 0);
    CHECK(buffer.size() == 5000);
    CHECK(buffer.data()[4999] == std::byte{0});
    buffer.data()[4999] = std::byte{1};
    cpu::PageBuffer moved = std::move(buffer);
    CHECK(moved.data()[4999] == std::byte{1});
    CHECK(buffer.size() == 0);
  }
}

TEST_CASE("4 KiB pages are not huge; 2 MiB pages are as huge as the kernel says") {
  const size_t bytes = size_t{8} << 20;
  CHECK(cpu::PageBuffer(bytes, PageSize::k4KiB).huge_bytes() == 0);
  const uint64_t huge = cpu::PageBuffer(bytes, PageSize::k2MiB).huge_bytes();
  MESSAGE(format_bytes(huge) << " of 8MiB in huge pages");
  CHECK(huge <= bytes);
}

TEST_CASE("more memory than there is is an EnvironmentError") {
  CHECK_THROWS_AS(cpu::PageBuffer(size_t{1} << 50, PageSize::k4KiB), EnvironmentError);
}

}  // namespace
}  // namespace presort::test::runner_test
