// Tests every operation and strategy with several threads against the plain loop of one thread.
#include <doctest/doctest.h>

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <thread>

#include "presort/core/error.h"
#include "presort/core/labels/labels.h"
#include "presort/cpu/thread_team.h"
#include "presort/cpu/threads/shares.h"
#include "presort/cpu/threads/work_in_turn.h"
#include "tests/cpu/support.h"

namespace presort::inline v0::test::threads_test {
namespace {

constexpr size_t kTeams[] = {1, 2, 3, 8};

std::vector<std::string> plans_for(size_t m, bool tables) {
  std::vector<std::string> plans = {"sortBits=0", "sortBits=0,prefetchDistance=7",
                                    "inputDistance=9", "rangePasses=3",
                                    "rangePasses=5,prefetchDistance=7"};
  if (tables) {
    plans.emplace_back("strategy=privateTables");
    plans.emplace_back("strategy=privateTables,prefetchDistance=7");
  }
  const int bits = label_bits(m);
  const auto add = [&](int sort_bits, int passes, const std::string& rest) {
    if (sort_bits >= passes && sort_bits <= bits) {
      plans.push_back("sortBits=" + std::to_string(sort_bits) +
                      ",passes=" + std::to_string(passes) + rest);
    }
  };
  add(1, 1, ",bufferBytes=64B");
  add(bits / 2, 1, ",bufferBytes=256B,layout=separate");
  add(bits, 2, ",bufferBytes=64B,streaming=false");
  add(bits, 3, ",bufferBytes=128B,layout=separate,streaming=false");
  add(bits, 5, ",bufferBytes=64B,prefetchDistance=3");
  return plans;
}

// Values whose rounded sums depend on the order of addition.
template <class Real>
std::vector<Real> rounded_values(size_t n) {
  std::vector<Real> values(n);
  for (size_t i = 0; i < n; ++i) {
    values[i] = Real{1} / static_cast<Real>(1 + bounded(random_u64(5, i), 1000));
  }
  return values;
}

template <class Value>
bool same_bits(const std::vector<Value>& a, const std::vector<Value>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0;
}

template <class Label>
void check_real_sums(const std::vector<Label>& labels, size_t m, const CpuPlan& plan) {
  const std::vector<float> values = rounded_values<float>(labels.size());
  std::vector<float> found = rounded_values<float>(m);
  std::vector<float> expected = found;
  plain_multireduce(labels, values, expected, Sum<float>{});
  GuardedScratch scratch(cpu::multireduce_scratch_bytes<Label, float>(plan, labels.size(), m));
  cpu::multireduce(std::span<const Label>(labels), std::span<const float>(values),
                   std::span<float>(found), Sum<float>{}, plan, scratch.bytes());
  CHECK(same_bits(found, expected));
}

void check_all(const std::vector<uint32_t>& labels, size_t m) {
  for (const size_t threads : kTeams) {
    for (const std::string& text : plans_for(m, true)) {
      const CpuPlan plan = parse_cpu_plan(text + ",threads=" + std::to_string(threads));
      CAPTURE(to_string(plan));
      CAPTURE(labels.size());
      CAPTURE(m);
      CHECK(multireduce_is_right<uint32_t, uint64_t>(plan, labels, m, Sum<uint64_t>{}));
      CHECK(multireduce_is_right<uint32_t, Text>(plan, labels, m, Concatenate{}));
      CHECK(scatter_is_right<uint32_t, double>(plan, labels, m));
      if (plan.base.strategy != CpuStrategy::privateTables) {
        check_real_sums(labels, m, plan);
      }
    }
  }
}

TEST_CASE("inputs fewer than threads, as many, and around buffers are reduced right") {
  for (const size_t n : {1, 2, 3, 7, 8, 9, 15, 16, 17, 255, 256, 257, 2047, 2049}) {
    check_all(make_uniform_labels<uint32_t>(n, n, 37), 37);
  }
}

TEST_CASE("buckets fewer than threads, and many, are reduced right") {
  for (const size_t m : {1, 2, 3, 7, 8, 9, 64, 1023, 4097}) {
    check_all(make_uniform_labels<uint32_t>(m, 1500, m), m);
  }
}

TEST_CASE("skewed labels, whose parts are of unequal size, are reduced right") {
  for (const char* name : {"zipf:1", "clustered:16", "sorted", "degenerate"}) {
    CAPTURE(name);
    const auto source = make_labels(parse_distribution("dist", name), 3000, 700, 5);
    std::vector<uint32_t> labels(source->size());
    generate_as<uint32_t>(*source, 0, labels);
    check_all(labels, 700);
  }
}

TEST_CASE("many inputs of labels of 64 bits are the same with any number of threads") {
  const size_t n = 100000, m = 30000;
  const auto labels = make_uniform_labels<uint64_t>(3, n, m);
  for (const size_t threads : kTeams) {
    for (const std::string& text : plans_for(m, true)) {
      const CpuPlan plan = parse_cpu_plan(text + ",threads=" + std::to_string(threads));
      CAPTURE(to_string(plan));
      CHECK(multireduce_is_right<uint64_t, Affine<uint32_t>>(plan, labels, m, Compose<uint32_t>{}));
      CHECK(scatter_is_right<uint64_t, uint32_t>(plan, labels, m));
    }
  }
}

TEST_CASE("inputs of more shares than threads are the same with any number of threads") {
  const size_t n = 5 * cpu::kLeastShare + 1, m = 3000;
  REQUIRE(cpu::share_count(n, 2) == 4);
  const auto labels = make_uniform_labels<uint32_t>(7, n, m);
  for (const size_t threads : {2, 3}) {
    for (const std::string& text : plans_for(m, false)) {
      const CpuPlan plan = parse_cpu_plan(text + ",threads=" + std::to_string(threads));
      CAPTURE(to_string(plan));
      CHECK(multireduce_is_right<uint32_t, Affine<uint32_t>>(plan, labels, m, Compose<uint32_t>{}));
      CHECK(scatter_is_right<uint32_t, uint32_t>(plan, labels, m));
      check_real_sums(labels, m, plan);
    }
  }
}

TEST_CASE("no inputs with several threads change nothing") {
  std::vector<uint32_t> buckets = {1, 2, 3};
  for (const char* text :
       {"threads=3", "threads=3,strategy=privateTables", "threads=3,sortBits=2"}) {
    cpu::scatter(std::span<const uint32_t>(), std::span<const uint32_t>(),
                 std::span<uint32_t>(buckets), parse_cpu_plan(text), {});
  }
  CHECK(buckets == std::vector<uint32_t>{1, 2, 3});
}

TEST_CASE("the extremes of floating-point numbers survive private tables") {
  const std::vector<uint32_t> labels = {0, 1};
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> values = {-infinity, -infinity};
  std::vector<float> buckets = {-infinity, -1};
  const CpuPlan plan = parse_cpu_plan("strategy=privateTables,threads=2");
  GuardedScratch scratch(cpu::multireduce_scratch_bytes<uint32_t, float>(plan, 2, 2));
  cpu::multireduce(std::span<const uint32_t>(labels), std::span<const float>(values),
                   std::span<float>(buckets), Max<float>{}, plan, scratch.bytes());
  CHECK(buckets == std::vector<float>{-infinity, -1});
}

// A sum that throws at one value.
struct Refusing : Sum<uint32_t> {
  uint32_t operator()(uint32_t a, uint32_t b) const {
    if (b == 12345) {
      throw std::domain_error("12345");
    }
    return a + b;
  }
};

TEST_CASE("what an operator throws in any thread reaches the caller, and the team goes on") {
  const size_t n = 5000, m = 100;
  const auto labels = make_uniform_labels<uint32_t>(1, n, m);
  for (const std::string& text : plans_for(m, true)) {
    CAPTURE(text);
    const CpuPlan plan = parse_cpu_plan(text + ",threads=3");
    cpu::ThreadTeam team(3);
    GuardedScratch scratch(cpu::multireduce_scratch_bytes<uint32_t, uint32_t>(plan, n, m));
    const auto reduce = [&](const std::vector<uint32_t>& values, std::vector<uint32_t>& buckets) {
      cpu::multireduce(std::span<const uint32_t>(labels), std::span<const uint32_t>(values),
                       std::span<uint32_t>(buckets), Refusing{}, plan, scratch.bytes(), team);
    };
    for (const size_t place : {size_t{0}, n / 2, n - 1}) {
      std::vector<uint32_t> values(n, 1);
      std::vector<uint32_t> buckets(m);
      values[place] = 12345;
      CHECK_THROWS_AS(reduce(values, buckets), std::domain_error);
    }
    const std::vector<uint32_t> values(n, 1);
    std::vector<uint32_t> found(m), expected(m);
    plain_multireduce(labels, values, expected, Sum<uint32_t>{});
    reduce(values, found);
    CHECK(found == expected);
  }
}

TEST_CASE(
    "a team of another size, a sum that rounds, and scratch too small are refused unwritten") {
  const std::vector<uint32_t> labels(100, 1);
  const std::vector<float> values(100, 1);
  std::vector<float> buckets(10, 7);
  const auto reduce = [&](const char* text, size_t threads, size_t missing) {
    const CpuPlan plan = parse_cpu_plan(text);
    cpu::ThreadTeam team(threads);
    GuardedScratch scratch(cpu::multireduce_scratch_bytes<uint32_t, float>(plan, 100, 10) + 64);
    cpu::multireduce(std::span<const uint32_t>(labels), std::span<const float>(values),
                     std::span<float>(buckets), Sum<float>{}, plan,
                     scratch.bytes().first(scratch.bytes().size() - 64 - missing), team);
  };
  CHECK_THROWS_AS(reduce("threads=2", 3, 0), PlanError);
  CHECK_THROWS_AS(reduce("threads=2,strategy=privateTables", 2, 0), PlanError);
  CHECK_THROWS_AS(reduce("threads=2,sortBits=2", 2, 1), PlanError);
  CHECK(buckets == std::vector<float>(10, 7));
  CHECK_NOTHROW(reduce("threads=2,sortBits=2", 2, 0));
}

TEST_CASE("threads work at the same time, and all see what each has written") {
  for (const size_t size : {2, 5}) {
    cpu::ThreadTeam team(size);
    std::atomic<size_t> here{0};
    std::vector<size_t> seen(size);
    team.run([&](size_t t) {
      ++here;
      while (here < size) {
        std::this_thread::yield();
      }
      seen[t] = t + 1;
    });
    for (size_t t = 0; t < size; ++t) {
      CHECK(seen[t] == t + 1);
    }
  }
}

TEST_CASE("threads run on the CPUs that they are given") {
  cpu_set_t allowed;
  REQUIRE(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &allowed)) {
      cpus.push_back(cpu);
    }
  }
  cpus.push_back(cpus.front());
  const size_t threads = cpus.size();
  cpu::ThreadTeam team(threads, cpus);
  std::vector<int> found(threads, -1);
  team.run([&](size_t t) { found[t] = sched_getcpu(); });
  CHECK(found == cpus);
}

TEST_CASE("a thread that cannot be pinned is an EnvironmentError") {
  const std::vector<int> cpus = {CPU_SETSIZE - 1, CPU_SETSIZE - 1};
  CHECK_THROWS_AS(cpu::ThreadTeam(2, cpus), EnvironmentError);
  CHECK_NOTHROW(cpu::ThreadTeam(3, cpus));  // too few CPUs: no thread is pinned
}

TEST_CASE("scratch of several threads is at most that of one and the padding of their shares") {
  const size_t n = size_t{1} << 24, m = size_t{1} << 20;
  const auto bytes = [&](const std::string& text) {
    return cpu::multireduce_scratch_bytes<uint32_t, uint32_t>(parse_cpu_plan(text), n, m);
  };
  const std::string plan = "sortBits=8,passes=1,bufferBytes=256B";
  for (const size_t threads : {2, 16}) {
    const size_t shares = cpu::share_count(n, threads);
    const size_t padding =
        shares * (256 + 2) * 256 * 2;  // scratch has room for pieces and buffers of all threads
    const size_t tables = shares * 256 * (sizeof(size_t) + 4 * sizeof(uint32_t) + 64);
    CHECK(bytes(plan + ",threads=" + std::to_string(threads)) <= n * 8 + padding + tables);
  }
}

TEST_CASE("pieces of work are all done, once each, though one thread be slow") {
  for (const size_t count : {0, 1, 2, 3, 4, 100}) {
    cpu::ThreadTeam team(3);
    std::vector<std::atomic<int>> done(count);
    cpu::run_in_turn(team, count, [&](size_t i) {
      if (i == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
      ++done[i];
    });
    CHECK(std::all_of(done.begin(), done.end(), [](const auto& times) { return times == 1; }));
  }
}

TEST_CASE("what a piece of work throws is thrown") {
  cpu::ThreadTeam team(2);
  CHECK_THROWS_WITH(cpu::run_in_turn(team, 5,
                                     [](size_t i) {
                                       if (i == 3) {
                                         throw std::runtime_error("3");
                                       }
                                     }),
                    "3");
}

TEST_CASE("threads take several shares each, none of them short") {
  CHECK(cpu::share_count(size_t{1} << 40, 1) == 1);
  CHECK(cpu::share_count(0, 4) == 4);
  CHECK(cpu::share_count(2 * 4 * cpu::kLeastShare - 1, 4) == 4);
  CHECK(cpu::share_count(2 * 4 * cpu::kLeastShare, 4) == 8);
  CHECK(cpu::share_count(size_t{1} << 40, 4) == 4 * cpu::kSharesPerThread);
}

TEST_CASE("shares cover everything once, and parts go to threads in order") {
  for (const size_t count : {0, 1, 7, 8, 9, 1000}) {
    for (const size_t threads : {1, 3, 8}) {
      size_t at = 0;
      for (size_t t = 0; t < threads; ++t) {
        const cpu::Share share = cpu::share_of(count, t, threads);
        CHECK(share.first == at);
        CHECK(share.count() <= count / threads + 1);
        at = share.last;
      }
      CHECK(at == count);
    }
  }
  CHECK(cpu::owner_of_part(0, 10, 100, 10) == 0);
  CHECK(cpu::owner_of_part(90, 10, 100, 10) == 9);
  CHECK(cpu::owner_of_part(0, 100, 100, 10) == 5);  // group of parts: one part with all inputs
  CHECK(cpu::owner_of_part(100, 0, 100, 10) == 9);  // group of parts: an empty part at the end
}

}  // namespace
}  // namespace presort::test::threads_test
