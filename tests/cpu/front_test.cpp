// Tests the public header presort/presort.h: calls that deduce types, plan and scratch, against plain
// loops.
#include "presort/presort.h"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory_resource>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace presort::inline v0::test::front_test {
namespace {

// Labels that are not uniform; every bucket of the lower half has some.
template <class Label>
std::vector<Label> some_labels(size_t n, size_t m) {
  std::vector<Label> labels(n);
  for (size_t i = 0; i < n; ++i) {
    labels[i] = static_cast<Label>(i * i % m);
  }
  return labels;
}

template <class Label, class Value>
std::vector<Value> plain_sums(const std::vector<Label>& labels, const std::vector<Value>& values,
                              size_t m) {
  std::vector<Value> sums(m);
  for (size_t i = 0; i < labels.size(); ++i) {
    sums[static_cast<size_t>(labels[i])] += values[i];
  }
  return sums;
}

template <class Label, class Value>
void check_sums() {
  for (const size_t n : {0, 1, 2, 4095, 4096, 4097, 100003}) {
    for (const size_t m : {1, 2, 127}) {
      const auto labels = some_labels<Label>(n, m);
      std::vector<Value> values(n);
      std::iota(values.begin(), values.end(), Value{1});
      std::vector<Value> sums(m);
      multireduce(labels, values, sums);
      CHECK(sums == plain_sums(labels, values, m));
    }
  }
}

TEST_CASE("labels are integers of any width, signed or not") {
  check_sums<int, double>();
  check_sums<int64_t, int64_t>();
  check_sums<unsigned long long, float>();
  check_sums<uint32_t, int>();
}

TEST_CASE("a negative label is above every bucket") {
  const std::vector<int> labels = {0, -1, 1};
  const std::vector<int> values(3, 1);
  std::vector<int> sums(2);
  CHECK_THROWS_AS(multireduce(labels, values, sums, {.checks = cpu::Checks::on}), LabelError);
  CHECK(sums == std::vector<int>(2));
}

TEST_CASE("arrays are whatever lies in one piece") {
  const std::array<int, 4> labels = {2, 0, 2, 1};
  const int values[] = {10, 20, 30, 40};
  std::vector<int> sums(3);
  multireduce(labels, values, std::span(sums));
  CHECK(sums == std::vector<int>{20, 40, 40});
}

TEST_CASE("after the arrays come a plan, a table, an operator or options, each or none") {
  const auto labels = some_labels<uint32_t>(5000, 300);
  std::vector<uint32_t> values(labels.size());
  std::iota(values.begin(), values.end(), 1);
  const auto sums_of = [&](const auto&... more) {
    std::vector<uint32_t> sums(300);
    multireduce(labels, values, sums, more...);
    return sums;
  };
  const std::vector<uint32_t> sums = plain_sums(labels, values, 300);
  const CpuPlan plan = parse_cpu_plan("sortBits=4,threads=2");
  CHECK(sums_of() == sums);
  CHECK(sums_of(Tuned{}) == sums);
  CHECK(sums_of(plan) == sums);
  CHECK(sums_of(plan, Sum<uint32_t>{}, CallOptions{}) == sums);
  CHECK(sums_of(CallOptions{.checks = cpu::Checks::on}) == sums);
  std::vector<uint32_t> most(300);
  for (size_t i = 0; i < labels.size(); ++i) {
    most[labels[i]] = std::max(most[labels[i]], values[i]);
  }
  CHECK(sums_of(Max<uint32_t>{}) == most);
  CHECK(sums_of(Max<uint32_t>{}, CallOptions{}) == most);
  CHECK(sums_of(plan, Max<uint32_t>{}) == most);
}

TEST_CASE("the plan that is given is the plan that runs, or is refused") {
  const auto labels = some_labels<int>(5000, 300);
  std::vector<uint32_t> counts(300);
  const CpuPlan plan = parse_cpu_plan("sortBits=3,passes=1");
  CHECK(histogram(labels, counts, plan).plan == plan);
  CHECK_THROWS_AS(histogram(labels, counts, parse_cpu_plan("sortBits=40,passes=4")), PlanError);
  std::vector<int> found(labels.size()), table(300);
  std::iota(table.begin(), table.end(), 0);
  CHECK(gather(labels, table, found, plan).plan == plan);
  CHECK(found == labels);
}

TEST_CASE("every operation goes by its arrays alone") {
  const std::vector<int> labels = {3, 1, 3, 0};
  const std::vector<int> values = {10, 20, 30, 40};
  std::vector<int> last(4, 7), found(4), before(4), results(4), sorted(4), moved(4);
  std::vector<uint32_t> counts(4), tags(4), seen(4);
  std::vector<size_t> starts(5);
  scatter(labels, values, last);
  CHECK(last == std::vector<int>{40, 20, 7, 30});
  gather(labels, last, found);
  CHECK(found == std::vector<int>{30, 20, 30, 40});
  histogram(labels, counts);
  CHECK(counts == std::vector<uint32_t>{1, 1, 0, 2});
  multiscan<cpu::Scan::exclusive>(labels, values, before, results);
  CHECK(results == std::vector<int>{0, 0, 10, 0});
  multitag(labels, seen, tags);
  CHECK(tags == std::vector<uint32_t>{0, 0, 1, 0});
  partial_sort(labels, values, 4, sorted, moved, starts, 2);
  CHECK(sorted == std::vector<int>{0, 1, 3, 3});
  CHECK(moved == std::vector<int>{40, 20, 10, 30});
}

// A caller's thread pool: starts a thread for each task, or runs all tasks itself, last task first.
TEST_CASE("threads of somebody else's pool do the work") {
  const auto labels = some_labels<uint32_t>(100000, 5000);
  std::vector<uint64_t> values(labels.size());
  std::iota(values.begin(), values.end(), 1);
  std::atomic<size_t> calls{0};
  const auto threads = [&](size_t count, const std::function<void(size_t)>& work) {
    std::vector<std::thread> started;
    for (size_t t = 0; t < count; ++t) {
      started.emplace_back([&, t] { work(t), ++calls; });
    }
    for (std::thread& thread : started) {
      thread.join();
    }
  };
  const auto one_by_one = [&](size_t count, const std::function<void(size_t)>& work) {
    for (size_t t = count; t-- > 0; ++calls) {
      work(t);
    }
  };
  for (const cpu::ThreadTeam::RunAll& run_all :
       {cpu::ThreadTeam::RunAll(threads), cpu::ThreadTeam::RunAll(one_by_one)}) {
    for (const char* plan : {"threads=3", "sortBits=5,threads=3", "sortBits=8,passes=2,threads=3",
                             "strategy=privateTables,threads=3"}) {
      cpu::ThreadTeam team(3, run_all);
      calls = 0;
      std::vector<uint64_t> sums(5000);
      multireduce(labels, values, sums, parse_cpu_plan(plan), Sum<uint64_t>{}, {.threads = &team});
      CHECK(sums == plain_sums(labels, values, 5000));
      CHECK(calls >= 3);
      CHECK(calls % 3 == 0);
    }
  }
}

TEST_CASE("what a pool throws, and what its tasks throw, arrives") {
  cpu::ThreadTeam broken(2, [](size_t, const auto&) { throw std::runtime_error("no threads"); });
  CHECK_THROWS_AS(broken.run([](size_t) {}), std::runtime_error);
  cpu::ThreadTeam team(2, [](size_t count, const auto& work) {
    for (size_t t = 0; t < count; ++t) {
      work(t);
    }
  });
  CHECK_THROWS_WITH(team.run([](size_t t) { throw std::runtime_error(t == 0 ? "first" : "next"); }),
                    "first");
}

// A memory resource that counts allocations and releases, and refuses more than `most` bytes.
struct Counted : std::pmr::memory_resource {
  size_t taken = 0;
  size_t held = 0;
  size_t most = ~size_t{0};

 private:
  void* do_allocate(size_t bytes, size_t alignment) override {
    if (held + bytes > most) {
      throw std::bad_alloc();
    }
    ++taken;
    held += bytes;
    return ::operator new(bytes, std::align_val_t(alignment));
  }
  void do_deallocate(void* memory, size_t bytes, size_t alignment) override {
    held -= bytes;
    ::operator delete(memory, std::align_val_t(alignment));
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

TEST_CASE("scratch is of the caller's memory where it is handed in") {
  const auto labels = some_labels<uint32_t>(5000, 300);
  const std::vector<uint32_t> values(labels.size(), 1);
  const CpuPlan plan = parse_cpu_plan("sortBits=4");
  Counted memory;
  {
    cpu::Scratch scratch(memory);
    for (int call = 0; call < 3; ++call) {
      std::vector<uint32_t> sums(300);
      multireduce(labels, values, sums, plan, Sum<uint32_t>{}, {.scratch = &scratch});
      CHECK(sums == plain_sums(labels, values, 300));
      CHECK(memory.taken == 1);
    }
    CHECK(memory.held >= cpu::multireduce_scratch_bytes<uint32_t, uint32_t>(plan, 5000, 300));
  }
  CHECK(memory.held == 0);
  memory.most = 100;
  cpu::Scratch scratch(memory);
  std::vector<uint32_t> sums(300, 5);
  CHECK_THROWS_AS(multireduce(labels, values, sums, plan, Sum<uint32_t>{}, {.scratch = &scratch}),
                  EnvironmentError);
  CHECK(sums == std::vector<uint32_t>(300, 5));
}

TEST_CASE("errors can be had as values") {
  const std::vector<int> labels = {0, 5};
  const std::vector<int> values = {1, 2};
  std::vector<int> sums(2);
  const auto code_of = [](const auto& call) { return status_of(call).code; };
  CHECK(status_of([&] { multireduce(std::vector<int>{1, 1}, values, sums); }));
  CHECK(sums == std::vector<int>{0, 3});
  const Status wrong =
      status_of([&] { multireduce(labels, values, sums, {.checks = cpu::Checks::on}); });
  CHECK(wrong.code == StatusCode::label);
  CHECK(wrong.message == "label 5 at index 1 is not below the number of buckets, 2");
  CHECK(code_of([&] { multireduce(labels, sums, sums, parse_cpu_plan("sortBits=9")); }) ==
        StatusCode::input);
  CHECK(code_of([] { throw EnvironmentError("no memory"); }) == StatusCode::environment);
  CHECK(code_of([] { throw std::bad_alloc(); }) == StatusCode::environment);
  CHECK(code_of([] { throw Stopped(); }) == StatusCode::stopped);
  CHECK(code_of([] { throw std::out_of_range("a"); }) == StatusCode::other);
  CHECK(code_of([] { throw 1; }) == StatusCode::other);
}

}  // namespace
}  // namespace presort::test::front_test
