// Tests operations that choose their plan, against plain loops.
#include "presort/cpu/choose.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "presort/core/labels/labels.h"
#include "tests/cpu/support.h"

namespace presort::inline v0::test::choose_test {
namespace {

constexpr const char* kKinds[] = {"uniform", "zipf:1",      "clustered:16", "sequential",
                                  "sorted",  "permutation", "degenerate"};

TunedEntry entry_of(size_t n, size_t m, const char* distribution, const std::string& plan) {
  TunedEntry entry;
  entry.problem.n = n;
  entry.problem.m = m;
  entry.problem.distribution = parse_distribution("", distribution);
  entry.plan = parse_cpu_plan(plan);
  return entry;
}

// A sum that does not associate, so that plans may not group its inputs.
struct InOrderSum {
  static constexpr bool is_commutative = true;
  static constexpr bool is_associative = false;
  uint32_t identity() const { return 0; }
  uint32_t operator()(uint32_t a, uint32_t b) const { return a + b; }
};

template <class Label>
std::vector<Label> labels_of(const std::string& kind, size_t n, size_t m) {
  std::vector<Label> labels(n);
  if (n > 0) {
    generate_as<Label>(*make_labels(parse_distribution("labels", kind), n, m, 1), 0, labels);
  }
  return labels;
}

// A tuned table with an entry for every operation, each entry with a different plan that most problems
// can run.
Tuned some_table(uint64_t seed, Operation operation) {
  Tuned tuned;
  for (const char* kind : kKinds) {
    for (const char* types : {"u32+u32", "u32+f64", "u64+u64"}) {
      for (const int bits : {4, 9, 14}) {
        TunedEntry& entry = tuned.entries.emplace_back();
        entry.problem = {.operation = operation,
                         .n = 1 << 12,
                         .m = uint64_t{1} << bits,
                         .distribution = parse_distribution("", kind),
                         .types = parse_types("", types),
                         .seed = 1};
        do {
          entry.plan = random_plan(seed++, entry.problem.m);
          entry.plan.resources.page_size = PageSize::k4KiB;
        } while (!can_run(entry.plan, entry.problem));
      }
    }
  }
  return tuned;
}

template <class Label, class Value>
void check_all(const std::string& kind, size_t n, size_t m, uint64_t seed) {
  const auto labels = labels_of<Label>(kind, n, m);
  const auto values = make_values<Value>(1, n);
  const auto before = make_values<Value>(2, m);

  auto expected = before;
  plain_multireduce(labels, values, expected, Sum<Value>{});
  auto buckets = before;
  multireduce(labels, values, buckets, some_table(seed, Operation::multireduce));
  RC_ASSERT(buckets == expected);

  expected = before;
  plain_scatter(labels, values, expected);
  buckets = before;
  scatter(labels, values, buckets, some_table(seed, Operation::scatter));
  RC_ASSERT(buckets == expected);

  expected.assign(n, Value{});
  for (size_t i = 0; i < n; ++i) {
    expected[i] = before[labels[i]];
  }
  std::vector<Value> results(n);
  gather(labels, before, results, some_table(seed, Operation::gather));
  RC_ASSERT(results == expected);

  std::vector<uint32_t> counted(m, 7);
  std::vector<uint32_t> counts(m, 7);
  for (size_t i = 0; i < n; ++i) {
    ++counted[labels[i]];
  }
  histogram(labels, counts, some_table(seed, Operation::histogram));
  RC_ASSERT(counts == counted);
}

TEST_CASE("whatever is chosen, the results are those of the plain loops") {
  CHECK(rc::check("chosen plans equal the plain loops", [] {
    const auto seed = *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<uint64_t>());
    const std::string kind = kKinds[bounded(random_u64(seed, 0), std::size(kKinds))];
    const size_t m =
        1 + bounded(random_u64(seed, 1), size_t{1} << bounded(random_u64(seed, 2), 17));
    const size_t n = bounded(random_u64(seed, 3), size_t{1} << bounded(random_u64(seed, 4), 15));
    RC_LOG() << kind << " n " << n << " m " << m;
    check_all<uint32_t, uint32_t>(kind, n, m, seed);
    check_all<uint32_t, double>(kind, n, m, seed);
    check_all<uint64_t, int64_t>(kind, n, m, seed);
  }));
}

TEST_CASE("a few inputs, or none, and without a table") {
  for (const size_t n : {0, 1, 2, 3, 15, 16, 17, 33}) {
    for (const size_t m : {1, 2, 3, 100}) {
      const auto labels = labels_of<uint32_t>("uniform", n, m);
      const auto values = make_values<uint32_t>(1, n);
      std::vector<uint32_t> expected(m), found(m);
      plain_multireduce(labels, values, expected, Sum<uint32_t>{});
      const PlanChoice choice = multireduce(labels, values, found, Tuned{});
      CHECK(found == expected);
      CHECK_FALSE(choice.entry);
    }
  }
  std::vector<uint32_t> none;
  CHECK_NOTHROW(multireduce(none, none, none, Tuned{}));
  CHECK_NOTHROW(scatter(none, none, none, Tuned{}));
  CHECK_NOTHROW(gather(none, none, none, Tuned{}));
  CHECK_NOTHROW(histogram(none, none, Tuned{}));
}

TEST_CASE("the choice is that of the labels, and says where it is from") {
  Tuned tuned;
  for (const auto& [kind, bits] : {std::pair("uniform", 9), {"zipf:1", 8}, {"clustered:16", 7}}) {
    tuned.entries.push_back(entry_of(1 << 20, 1 << 16, kind, "sortBits=" + std::to_string(bits)));
  }
  const std::vector<uint32_t> values(1 << 20, 1);
  std::vector<uint32_t> sums(1 << 16);
  const auto bits_for = [&](const char* kind) {
    const PlanChoice choice =
        multireduce(labels_of<uint32_t>(kind, values.size(), sums.size()), values, sums, tuned);
    CHECK(choice.entry.has_value());
    return choice.plan.presort->sort_bits;
  };
  CHECK(bits_for("uniform") == 9);
  CHECK(bits_for("permutation") == 9);
  CHECK(bits_for("zipf:0.9") == 8);
  CHECK(bits_for("clustered:12") == 7);
}

TEST_CASE("a small choice needs no table for labels of 8 bits and values of 12 bytes") {
  const auto labels = make_uniform_labels<uint8_t>(1, 5000, 200);
  const auto values = make_values<Text>(2, labels.size());
  std::vector<Text> expected(200), found(200);
  plain_multireduce(labels, values, expected, Concatenate{});
  multireduce(labels, values, found, Tuned{}, Concatenate{});
  CHECK(found == expected);
}

TEST_CASE("a monoid that does not associate runs without tables on as many threads") {
  Tuned tuned;
  tuned.entries = {entry_of(1 << 13, 100, "uniform", "threads=2,strategy=privateTables")};
  const auto labels = labels_of<uint32_t>("uniform", 1 << 13, 100);
  const auto values = make_values<uint32_t>(1, labels.size());
  std::vector<uint32_t> expected(100), found(100);
  plain_multireduce(labels, values, expected, InOrderSum{});
  const PlanChoice choice = multireduce(labels, values, found, tuned, InOrderSum{});
  CHECK(found == expected);
  CHECK(choice.plan.base.strategy == CpuStrategy::direct);
  CHECK(choice.plan.resources.threads == 2);
  CHECK(multireduce(labels, values, found, tuned).plan.base.strategy == CpuStrategy::privateTables);
}

TEST_CASE("on more threads than its own a plan does without chunks") {
  const CpuPlan one = parse_cpu_plan("sortBits=8,chunkBytes=64KiB");
  CHECK(to_string(cpu::on_team(one, 1)) == to_string(one));
  CHECK(to_string(cpu::on_team(one, 2)) == to_string(parse_cpu_plan("sortBits=8,threads=2")));
  const CpuPlan two = parse_cpu_plan("sortBits=8,chunkBytes=64KiB,threads=2");
  CHECK(to_string(cpu::on_team(two, 2)) == to_string(two));
  CHECK(to_string(cpu::on_team(CpuPlan{}, 3)) == to_string(parse_cpu_plan("sortBits=0,threads=3")));
}

TEST_CASE("what does not fit is refused before anything is written") {
  const std::vector<uint32_t> values(1000, 1);
  std::vector<uint32_t> labels(1000, 3);
  std::vector<uint32_t> sums(100, 5);
  CHECK_THROWS_AS(multireduce(labels, std::vector<uint32_t>(999), sums, Tuned{}), PlanError);
  CHECK_THROWS_AS(scatter(labels, std::vector<uint32_t>(999), sums, Tuned{}), PlanError);
  CHECK_THROWS_AS(gather(labels, sums, std::vector<uint32_t>(999), Tuned{}), PlanError);
  labels[700] = 100;
  const CallOptions checked{.checks = cpu::Checks::on};
  CHECK_THROWS_AS(multireduce(labels, values, sums, Tuned{}, Sum<uint32_t>{}, checked), LabelError);
  CHECK_THROWS_AS(histogram(labels, sums, Tuned{}, checked), LabelError);
  CHECK_THROWS_AS(histogram(std::vector<uint8_t>(10), std::vector<uint32_t>(257), Tuned{}),
                  PlanError);
  CHECK(sums == std::vector<uint32_t>(100, 5));
}

TEST_CASE("scratch is kept, grows, and changes its pages") {
  cpu::Scratch scratch;
  CHECK(scratch.reserve(0, PageSize::k2MiB).empty());
  std::byte* const small = scratch.reserve(1000, PageSize::k4KiB).data();
  CHECK(reinterpret_cast<uintptr_t>(small) % kLineBytes == 0);
  CHECK(scratch.reserve(10, PageSize::k4KiB).data() == small);
  CHECK(scratch.reserve(10, PageSize::k4KiB).size() == 10);
  const auto large = scratch.reserve(size_t{3} << 20, PageSize::k2MiB);
  CHECK(large.size() == size_t{3} << 20);
  std::ranges::fill(large, std::byte{1});
  CHECK_THROWS_AS(scratch.reserve(size_t{1} << 60, PageSize::k2MiB), EnvironmentError);
  CHECK(scratch.reserve(10, PageSize::k2MiB).size() == 10);
}

TEST_CASE("a pre-sort runs in scratch that is handed in") {
  cpu::Scratch scratch;
  Tuned tuned;
  tuned.entries = {entry_of(1 << 13, 1 << 10, "uniform", "sortBits=5,pageSize=4KiB")};
  const auto labels = labels_of<uint32_t>("uniform", 1 << 13, 1 << 10);
  const auto values = make_values<uint32_t>(1, labels.size());
  std::vector<uint32_t> expected(1 << 10);
  plain_multireduce(labels, values, expected, Sum<uint32_t>{});
  for (int call = 0; call < 2; ++call) {
    std::vector<uint32_t> found(1 << 10);
    const CallOptions options{.scratch = &scratch};
    CHECK(multireduce(labels, values, found, tuned, Sum<uint32_t>{}, options).exact());
    CHECK(found == expected);
  }
}

TEST_CASE("scans, tags and partial sorts that choose their plan give what plain loops give") {
  for (const size_t n : {size_t{0}, size_t{1}, size_t{1000}, size_t{1} << 13}) {
    for (const size_t m : {size_t{1}, size_t{100}, size_t{1} << 14}) {
      const auto labels = labels_of<uint32_t>("uniform", n, m);
      const auto values = make_values<Affine<uint32_t>>(1, n);
      std::vector<Affine<uint32_t>> scanned(n), expected(n), buckets(m), through(m);
      std::vector<uint32_t> tags(n), expected_tags(n), counts(m), counted(m);
      for (size_t i = 0; i < n; ++i) {
        through[labels[i]] = Compose<uint32_t>{}(through[labels[i]], values[i]);
        expected[i] = through[labels[i]];
        expected_tags[i] = counted[labels[i]]++;
      }
      multiscan<cpu::Scan::inclusive>(labels, values, buckets, scanned,
                                      some_table(n, Operation::multiscan), Compose<uint32_t>{});
      CHECK((scanned == expected && buckets == through));
      multitag(labels, counts, tags, some_table(n, Operation::multitag));
      CHECK((tags == expected_tags && counts == counted));
    }
  }
}

TEST_CASE("a partial sort by all bits in two passes sorts") {
  const auto labels = labels_of<uint32_t>("uniform", 5000, 1 << 14);
  std::vector<uint32_t> numbers(labels.size()), sorted(labels.size()), order(labels.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  std::vector<size_t> starts((1 << 14) + 1);
  const PlanChoice choice = partial_sort(labels, numbers, 1 << 14, sorted, order, starts, 14);
  CHECK(choice.plan.presort->passes == 2);
  std::ranges::stable_sort(numbers, {}, [&](uint32_t i) { return labels[i]; });
  CHECK(order == numbers);
  CHECK(std::ranges::is_sorted(sorted));
  cpu::ThreadTeam team(3);
  std::vector<uint32_t> by_team(order.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  CHECK(partial_sort(labels, numbers, 1 << 14, sorted, by_team, starts, 14, {.threads = &team})
            .plan.resources.threads == 3);
  CHECK(by_team == order);
  CHECK_THROWS_AS(partial_sort(labels, numbers, 1 << 14, sorted, order, starts, 0), PlanError);
  CHECK_THROWS_AS(partial_sort(labels, numbers, 1 << 14, sorted, order, starts, 15), PlanError);
}

TEST_CASE("a team that is handed in runs whatever plan is chosen, if it can") {
  const auto labels = labels_of<uint32_t>("uniform", 1 << 13, 100);
  const auto values = make_values<uint32_t>(1, labels.size());
  std::vector<uint32_t> expected(100);
  plain_multireduce(labels, values, expected, Sum<uint32_t>{});
  cpu::ThreadTeam team(3);
  const CallOptions options{.threads = &team};
  for (const char* plan : {"sortBits=0", "sortBits=4", "threads=2,strategy=privateTables"}) {
    Tuned tuned;
    tuned.entries = {entry_of(1 << 13, 100, "uniform", plan)};
    std::vector<uint32_t> found(100);
    CHECK(multireduce(labels, values, found, tuned, Sum<uint32_t>{}, options)
              .plan.resources.threads == 3);
    CHECK(found == expected);
  }
  Tuned sorting;
  sorting.entries = {entry_of(1 << 13, 100, "uniform", "strategy=plainRadix,sortBits=4")};
  std::vector<uint32_t> found(100);
  CHECK(multireduce(labels, values, found, sorting, Sum<uint32_t>{}, options)
            .plan.resources.threads == 1);
  CHECK(found == expected);
}

TEST_CASE("fresh scratch is taken only where the pre-sort gains more than its first touch") {
  const auto labels = labels_of<uint32_t>("uniform", 1 << 13, 1 << 10);
  const auto values = make_values<uint32_t>(1, labels.size());
  Tuned tuned;
  tuned.entries = {entry_of(1 << 13, 1 << 10, "uniform", "sortBits=5,bufferBytes=64B")};
  TunedEntry& entry = tuned.entries.front();
  entry.direct_plan = parse_cpu_plan("prefetchDistance=16");
  entry.predicted_ns_per_input = 3;
  cpu::Scratch scratch;
  const auto presorts = [&](double direct_ns, cpu::Scratch* kept) {
    entry.direct_ns_per_input = direct_ns;
    std::vector<uint32_t> found(1 << 10);
    const CallOptions options{.scratch = kept};
    return multireduce(labels, values, found, tuned, Sum<uint32_t>{}, options)
        .plan.presort.has_value();
  };
  CHECK(presorts(3.5, &scratch));
  CHECK_FALSE(presorts(
      3.5, nullptr));  // fresh scratch: 9 bytes an input, whose first touch takes 0.125 ns a byte
  CHECK(presorts(6, nullptr));
}

}  // namespace
}  // namespace presort::test::choose_test
