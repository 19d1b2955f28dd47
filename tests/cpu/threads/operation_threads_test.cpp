// Tests histogram, gather, multiscan, multitag and partial sort with several threads against plain loops.
#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <string>

#include "presort/core/error.h"
#include "presort/core/labels/labels.h"
#include "presort/cpu/gather.h"
#include "presort/cpu/histogram.h"
#include "presort/cpu/multiscan.h"
#include "presort/cpu/multitag.h"
#include "presort/cpu/partial_sort.h"
#include "presort/cpu/threads/shares.h"
#include "tests/cpu/support.h"
#include "tests/property_seed.h"

namespace presort::inline v0::test::operation_threads_test {
namespace {

using cpu::Scan;

constexpr size_t kTeams[] = {1, 2, 3, 5};

template <class T>
std::span<const T> in(const std::vector<T>& array) {
  return array;
}

std::string sort_plan(int bits, int passes, const std::string& rest) {
  return "sortBits=" + std::to_string(bits) + ",passes=" + std::to_string(passes) + rest;
}

// Plans of every strategy that histogram, gather, multiscan, multitag and partial sort have in common.
std::vector<std::string> plans_for(size_t m) {
  std::vector<std::string> plans = {"sortBits=0", "sortBits=0,prefetchDistance=7"};
  const int bits = label_bits(m);
  if (bits >= 2) {
    plans.push_back(sort_plan(1, 1, ",bufferBytes=64B"));
    plans.push_back(sort_plan(bits / 2, 1, ",bufferBytes=256B,layout=separate"));
    plans.push_back(sort_plan(bits, 2, ",bufferBytes=64B,streaming=false,prefetchDistance=3"));
    plans.push_back(sort_plan(bits, 2, ",bufferBytes=128B,layout=separate,streaming=false"));
  }
  return plans;
}

const std::vector<std::string> kTables = {"strategy=privateTables",
                                          "strategy=privateTables,prefetchDistance=7"};

// Runs f(plan) for each plan with each number of threads.
template <class F>
void for_plans(size_t m, const std::vector<std::string>& more, const F& f) {
  std::vector<std::string> plans = plans_for(m);
  plans.insert(plans.end(), more.begin(), more.end());
  for (const std::string& text : plans) {
    for (const size_t threads : kTeams) {
      const CpuPlan plan = parse_cpu_plan(text + ",threads=" + std::to_string(threads));
      CAPTURE(to_string(plan));
      f(plan);
    }
  }
}

template <class Value>
bool same_bits(const std::vector<Value>& a, const std::vector<Value>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0);
}

template <class Count, class Label>
void check_histogram(const std::vector<Label>& labels, size_t m) {
  std::vector<Count> expected = make_values<Count>(1, m);
  for (const Label label : labels) {
    ++expected[label];
  }
  std::vector<std::string> more = kTables;
  more.emplace_back("nSets=4");
  if (label_bits(m) >= 5) {
    more.push_back(sort_plan(label_bits(m), 5, ",bufferBytes=64B"));
  }
  for_plans(m, more, [&](const CpuPlan& plan) {
    std::vector<Count> found = make_values<Count>(1, m);
    GuardedScratch scratch(cpu::histogram_scratch_bytes<Label, Count>(plan, labels.size(), m));
    cpu::histogram(in(labels), std::span<Count>(found), plan, scratch.bytes());
    CHECK(found == expected);
    CHECK(scratch.guards_intact());
  });
}

template <class Value, class Label>
void check_gather(const std::vector<Label>& labels, size_t m) {
  const std::vector<Value> table = make_values<Value>(2, m);
  std::vector<Value> expected;
  for (const Label label : labels) {
    expected.push_back(table[label]);
  }
  for_plans(m, {}, [&](const CpuPlan& plan) {
    std::vector<Value> found(labels.size());
    GuardedScratch scratch(cpu::gather_scratch_bytes<Label, Value>(plan, labels.size(), m));
    cpu::gather(in(labels), in(table), std::span<Value>(found), plan, scratch.bytes());
    CHECK(found == expected);
    CHECK(scratch.guards_intact());
  });
}

template <Scan kScan, class Value, class Label, class M>
void check_multiscan(const std::vector<Label>& labels, size_t m, const std::vector<Value>& values,
                     const std::vector<Value>& before, const M& monoid) {
  std::vector<Value> expected_buckets = before;
  std::vector<Value> expected;
  for (size_t i = 0; i < labels.size(); ++i) {
    Value& bucket = expected_buckets[labels[i]];
    const Value old = std::exchange(bucket, monoid(bucket, values[i]));
    expected.push_back(kScan == Scan::exclusive ? old : bucket);
  }
  const std::vector<std::string> more = associates<M>() ? kTables : std::vector<std::string>{};
  for_plans(m, more, [&](const CpuPlan& plan) {
    std::vector<Value> buckets = before;
    std::vector<Value> found(labels.size());
    GuardedScratch scratch(cpu::multiscan_scratch_bytes<Label, Value>(plan, labels.size(), m));
    cpu::multiscan<kScan>(in(labels), in(values), std::span<Value>(buckets),
                          std::span<Value>(found), monoid, plan, scratch.bytes());
    CHECK(same_bits(found, expected));
    CHECK(same_bits(buckets, expected_buckets));
    CHECK(scratch.guards_intact());
  });
}

template <class Count, class Label>
void check_multitag(const std::vector<Label>& labels, size_t m) {
  std::vector<Count> expected_counts = make_values<Count>(4, m);
  std::vector<Count> expected;
  for (const Label label : labels) {
    expected.push_back(expected_counts[label]++);
  }
  for_plans(m, kTables, [&](const CpuPlan& plan) {
    std::vector<Count> counts = make_values<Count>(4, m);
    std::vector<Count> found(labels.size());
    GuardedScratch scratch(cpu::multitag_scratch_bytes<Label, Count>(plan, labels.size(), m));
    cpu::multitag(in(labels), std::span<Count>(counts), std::span<Count>(found), plan,
                  scratch.bytes());
    CHECK(found == expected);
    CHECK(counts == expected_counts);
    CHECK(scratch.guards_intact());
  });
}

template <class Label>
struct Sorted {
  std::vector<Label> labels;
  std::vector<uint32_t> values;  // each value is the position of its input
  std::vector<size_t> part_starts;
  bool operator==(const Sorted&) const = default;
};

template <class Label>
Sorted<Label> plain_partial_sort(const std::vector<Label>& labels, size_t parts, int rest) {
  Sorted<Label> sorted{{}, {}, {0}};
  for (size_t part = 0; part < parts; ++part) {
    for (size_t i = 0; i < labels.size(); ++i) {
      if (static_cast<size_t>(labels[i] >> rest) == part) {
        sorted.labels.push_back(labels[i]);
        sorted.values.push_back(static_cast<uint32_t>(i));
      }
    }
    sorted.part_starts.push_back(sorted.labels.size());
  }
  return sorted;
}

template <class Label>
void check_partial_sort(const std::vector<Label>& labels, size_t m) {
  const size_t n = labels.size();
  std::vector<uint32_t> values(n);
  std::iota(values.begin(), values.end(), 0U);
  for_plans(m, {}, [&](const CpuPlan& plan) {
    if (!plan.presort) {
      return;
    }
    const size_t parts = cpu::partial_sort_parts(plan, m);
    Sorted<Label> found{std::vector<Label>(n), std::vector<uint32_t>(n),
                        std::vector<size_t>(parts + 1, 99)};
    GuardedScratch scratch(cpu::partial_sort_scratch_bytes<Label, uint32_t>(plan, n, m));
    cpu::partial_sort(in(labels), in(values), m, std::span<Label>(found.labels),
                      std::span<uint32_t>(found.values), std::span<size_t>(found.part_starts), plan,
                      scratch.bytes());
    CHECK((found == plain_partial_sort(labels, parts, label_bits(m) - plan.presort->sort_bits)));
    CHECK(scratch.guards_intact());
  });
}

// Values whose rounded sums depend on the order of addition.
std::vector<float> rounded_values(uint64_t seed, size_t n) {
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i) {
    values[i] = 1.0F / static_cast<float>(1 + bounded(random_u64(seed, i), 1000));
  }
  return values;
}

template <class Label>
void check_all(const std::vector<Label>& labels, size_t m) {
  const size_t n = labels.size();
  CAPTURE(n);
  CAPTURE(m);
  check_histogram<uint32_t>(labels, m);
  check_gather<Text>(labels, m);
  check_multiscan<Scan::exclusive>(labels, m, make_values<Text>(3, n), make_values<Text>(4, m),
                                   Concatenate{});
  check_multiscan<Scan::inclusive>(labels, m, rounded_values(5, n), rounded_values(6, m),
                                   Sum<float>{});
  check_multitag<uint64_t>(labels, m);
  check_partial_sort(labels, m);
}

TEST_CASE("operations on fewer inputs than threads, as many, and around buffers are right") {
  for (const size_t n : {0, 1, 2, 3, 4, 5, 6, 15, 16, 17, 255, 256, 257, 2049}) {
    check_all(make_uniform_labels<uint32_t>(n, n, 37), 37);
  }
}

TEST_CASE("operations on fewer buckets than threads, and many, are right") {
  for (const size_t m : {1, 2, 3, 4, 5, 6, 64, 1023, 4097}) {
    check_all(make_uniform_labels<uint32_t>(m, 1500, m), m);
  }
}

TEST_CASE("operations on skewed labels, whose parts are of unequal size, are right") {
  for (const char* name : {"zipf:1", "clustered:16", "sorted", "degenerate"}) {
    CAPTURE(name);
    const auto source = make_labels(parse_distribution("dist", name), 3000, 700, 5);
    std::vector<uint16_t> labels(source->size());
    generate_as<uint16_t>(*source, 0, labels);
    check_all(labels, 700);
  }
}

TEST_CASE("operations on inputs of more shares than threads are right") {
  check_all(make_uniform_labels<uint32_t>(8, 5 * cpu::kLeastShare + 1, 50), 50);
}

TEST_CASE("operations on random numbers of inputs and buckets are right") {
  for (uint64_t i = 0; i < 8; ++i) {
    const uint64_t seed = property_seed() + i;
    const size_t n = bounded(random_u64(seed, 0), 4000);
    const size_t m = 1 + bounded(random_u64(seed, 1), 3000);
    check_all(make_uniform_labels<uint64_t>(seed, n, m), m);
  }
}

// Checks that a refused call writes nothing.
void check_refused(const char* text, size_t team_threads, size_t missing, uint32_t label,
                   const char* message) {
  CAPTURE(text);
  const CpuPlan plan = parse_cpu_plan(text);
  const size_t n = 300, m = 100;
  const std::vector<uint32_t> labels(n, label), values(n, 1);
  const std::vector<uint32_t> untouched(n, 7);
  std::vector<uint32_t> results = untouched, more_results = untouched, buckets(m, 7);
  std::vector<size_t> starts(5, 7);
  cpu::ThreadTeam team(team_threads);
  GuardedScratch memory(size_t{1} << 20);
  const auto scratch = [&](size_t needed) {
    return memory.bytes().first(needed - std::min(needed, missing));
  };
  const std::span<uint32_t> to(results), in_buckets(buckets);
  const auto check = [&](const auto& call) {
    CHECK_THROWS_WITH(call(), doctest::Contains(message));
    CHECK(results == untouched);
    CHECK(more_results == untouched);
    CHECK(buckets == std::vector<uint32_t>(m, 7));
    CHECK(starts == std::vector<size_t>(5, 7));
  };
  const cpu::Checks on = cpu::Checks::on;
  using Word = uint32_t;
  check([&] {
    cpu::histogram(in(labels), in_buckets, plan,
                   scratch(cpu::histogram_scratch_bytes<Word, Word>(plan, n, m)), team, on);
  });
  check([&] {
    cpu::gather(in(labels), in(buckets), to, plan,
                scratch(cpu::gather_scratch_bytes<Word, Word>(plan, n, m)), team, on);
  });
  check([&] {
    cpu::multiscan<Scan::inclusive>(in(labels), in(values), in_buckets, to, Sum<Word>{}, plan,
                                    scratch(cpu::multiscan_scratch_bytes<Word, Word>(plan, n, m)),
                                    team, on);
  });
  check([&] {
    cpu::multitag(in(labels), in_buckets, to, plan,
                  scratch(cpu::multitag_scratch_bytes<Word, Word>(plan, n, m)), team, on);
  });
  check([&] {
    cpu::partial_sort(in(labels), in(values), m, to, std::span<Word>(more_results),
                      std::span<size_t>(starts), plan,
                      scratch(cpu::partial_sort_scratch_bytes<Word, Word>(plan, n, m)), team, on);
  });
}

TEST_CASE("a team of another size, a bad label and scratch too small are refused unwritten") {
  check_refused("sortBits=2,threads=2", 3, 0, 1, "threads: found '2', accepted: 3");
  check_refused("sortBits=2,threads=2", 2, 1, 1, "scratch: found");
  check_refused("sortBits=2,threads=2", 2, 0, 100, "label 100 at index 0 is not below");
}

}  // namespace
}  // namespace presort::test::operation_threads_test
