#include "presort/core/plan/tuned.h"

#include <doctest/doctest.h>

#include "presort/core/measurement.h"

namespace tuned_test {

using namespace presort;

namespace {

TunedEntry entry_of(uint64_t n, uint64_t m, double zipf = 0) {
  TunedEntry entry;
  entry.problem.n = n;
  entry.problem.m = m;
  if (zipf > 0) {
    entry.problem.distribution = {DistributionKind::zipf, zipf, ""};
  }
  return entry;
}

struct Found {
  uint64_t n;
  uint64_t m;
  double parameter;
  bool exact;
  bool operator==(const Found&) const = default;
};

std::optional<Found> find(const Tuned& tuned, const Problem& problem) {
  const auto match = find_entry(tuned, problem);
  if (!match) {
    return std::nullopt;
  }
  const Problem& found = match->entry->problem;
  return Found{found.n, found.m, found.distribution.parameter, match->exact};
}

}  // namespace

TEST_CASE("the same problem is found exactly") {
  const Tuned tuned{"machine", {}, {}, {entry_of(1 << 20, 256), entry_of(1 << 26, 256)}};
  CHECK(find(tuned, entry_of(1 << 26, 256).problem) == Found{1 << 26, 256, 0, true});
}

TEST_CASE("the nearest entry on logarithmic scales is found, and said not to be exact") {
  const Tuned tuned{"machine",
                    {},
                    {},
                    {entry_of(1 << 20, 1 << 8), entry_of(1 << 20, 1 << 16),
                     entry_of(1 << 26, 1 << 8), entry_of(1 << 26, 1 << 16)}};
  CHECK(find(tuned, entry_of(1 << 24, 1 << 11).problem) == Found{1 << 26, 1 << 8, 0, false});
  CHECK(find(tuned, entry_of(1 << 22, 1 << 13).problem) == Found{1 << 20, 1 << 16, 0, false});
  CHECK(find(tuned, entry_of(1, 1).problem) == Found{1 << 20, 1 << 8, 0, false});
}

TEST_CASE("an entry of as many devices is found, however near one of another number is") {
  GpuTunedEntry entry;
  entry.problem = entry_of(1 << 20, 256).problem;
  Tuned tuned;
  tuned.gpu_entries.push_back(entry);
  entry.problem.n = 1 << 26;
  entry.shared.devices = 2;
  tuned.gpu_entries.push_back(entry);
  const auto runs = [](const GpuPlan&, const Problem&) { return true; };
  const Problem wanted = entry_of(1 << 20, 256).problem;
  CHECK(find_gpu_entry(tuned, wanted, runs)->entry == &tuned.gpu_entries[0]);
  CHECK(find_gpu_entry(tuned, wanted, runs, 2)->entry == &tuned.gpu_entries[1]);
  CHECK_FALSE(find_gpu_entry(tuned, wanted, runs, 4));
  CHECK(why_no_entry(tuned, Device::gpu, wanted, 4) == "no entry of devices 4, there are 1, 2");
}

TEST_CASE("a plan that cannot run the problem does not count, however near") {
  TunedEntry near = entry_of(1 << 20, 1 << 10);
  near.plan = parse_cpu_plan("sortBits=9");
  Tuned tuned{"machine", {}, {}, {near, entry_of(1 << 26, 1 << 20)}};
  CHECK(find(tuned, entry_of(1 << 20, 1 << 9).problem) == Found{1 << 20, 1 << 10, 0, false});
  CHECK(find(tuned, entry_of(1 << 20, 1 << 8).problem) == Found{1 << 26, 1 << 20, 0, false});
  tuned.entries.pop_back();
  CHECK_FALSE(find(tuned, entry_of(1 << 20, 1 << 8).problem).has_value());
}

TEST_CASE("another operation, other types or another kind of distribution do not count") {
  const Tuned tuned{"machine", {}, {}, {entry_of(1000, 1000)}};
  Problem scatter = entry_of(1000, 1000).problem;
  scatter.operation = Operation::scatter;
  CHECK_FALSE(find(tuned, scatter).has_value());
  Problem wide = entry_of(1000, 1000).problem;
  wide.types.value = ScalarType::f64;
  CHECK_FALSE(find(tuned, wide).has_value());
  CHECK_FALSE(find(tuned, entry_of(1000, 1000, 1).problem).has_value());
  CHECK_FALSE(find(Tuned{}, entry_of(1000, 1000).problem).has_value());
}

TEST_CASE("the parameter decides between equally near entries and has to agree to be exact") {
  const Tuned tuned{
      "machine",
      {},
      {},
      {entry_of(1000, 1000, 0.5), entry_of(1000, 1000, 1), entry_of(2000, 1000, 1.25)}};
  CHECK(find(tuned, entry_of(1000, 1000, 1).problem) == Found{1000, 1000, 1, true});
  CHECK(find(tuned, entry_of(1000, 1000, 1.25).problem) == Found{1000, 1000, 1, false});
  CHECK(find(tuned, entry_of(1000, 1000, 0.6).problem) == Found{1000, 1000, 0.5, false});
}

TEST_CASE("the seed does not matter") {
  const Tuned tuned{"machine", {}, {}, {entry_of(1000, 1000)}};
  Problem problem = entry_of(1000, 1000).problem;
  problem.seed = 77;
  CHECK(find(tuned, problem) == Found{1000, 1000, 0, true});
}

TEST_CASE("the crossover is the smallest m from which on the pre-sort wins by 5 %") {
  CHECK(crossover({{256, 0.5}, {1024, 1.04}, {4096, 1.05}, {16384, 2}}) == 4096);
  CHECK(crossover({{16384, 2}, {256, 0.5}, {4096, 1.05}, {1024, 1.04}}) == 4096);
  CHECK(crossover({{256, 1.1}, {1024, 1.2}}) == 256);
}

TEST_CASE("a pre-sort pays at each m where it wins by 5 %, at the worst of its points") {
  using List = std::vector<uint64_t>;
  CHECK(paying_m({{4096, 2}, {256, 1.05}, {1024, 1.04}}) == List{256, 4096});
  CHECK(paying_m({{256, 1.2}, {256, 1.0}}).empty());
  CHECK(paying_m({{256, 1.0}, {256, 1.2}}).empty());
  CHECK(paying_m({}).empty());
}

TEST_CASE("a win that is lost again is no crossover") {
  CHECK(crossover({{256, 2}, {1024, 1.0}, {4096, 2}}) == 4096);
  CHECK_FALSE(crossover({{256, 2}, {1024, 1.0}}).has_value());
  CHECK_FALSE(crossover({}).has_value());
  CHECK_FALSE(crossover({{256, 1.2}, {256, 1.0}}).has_value());
  CHECK_FALSE(crossover({{256, 1.0}, {256, 1.2}}).has_value());
}

TEST_CASE("the median is the middle, or the mean of the two in the middle") {
  CHECK(median({3}) == 3);
  CHECK(median({5, 1, 3}) == 3);
  CHECK(median({4, 1, 3, 2}) == 2.5);
  CHECK(median({1, 1, 1, 100}) == 1);
}

TEST_CASE("the median absolute deviation ignores one outlier") {
  CHECK(median_absolute_deviation({7}) == 0);
  CHECK(median_absolute_deviation({1, 2, 3, 4, 1000}) == 1);
  CHECK(median_absolute_deviation({1, 1, 2, 2, 4, 6, 9}) == 1);
}

TEST_CASE("the margin is how much longer the runner-up takes") {
  TunedEntry entry;
  CHECK(entry.margin() == 0);
  entry.predicted_ns_per_input = 4;
  CHECK(entry.margin() == 0);
  entry.runner_up_ns_per_input = 5;
  CHECK(entry.margin() == doctest::Approx(0.25));
  // A negative margin: the surer plan of a near tie was taken
  entry.runner_up_ns_per_input = 3;
  CHECK(entry.margin() == doctest::Approx(-0.25));
}

TEST_CASE("why nothing was found is said by the first trait that no entry has") {
  Tuned tuned{"machine", {}, {}, {}};
  Problem wanted = entry_of(1 << 20, 256, 1.25).problem;
  const auto why = [&] { return why_no_entry(tuned, Device::cpu, wanted); };
  CHECK(why() == "the table is empty");
  TunedEntry scatter = entry_of(1 << 20, 256);
  scatter.problem.operation = Operation::scatter;
  tuned.entries = {scatter, entry_of(1 << 20, 256), entry_of(1 << 24, 256)};
  wanted.operation = Operation::gather;
  CHECK(why() == "no entry of op gather, there are scatter, multireduce");
  wanted.operation = Operation::multireduce;
  wanted.types.value = ScalarType::f64;
  CHECK(why() == "no entry of types u32+f64, there are u32+u32");
  wanted.types.value = ScalarType::u32;
  CHECK(why() == "no entry of labels zipf, there are uniform");
  wanted.distribution = {};
  for (TunedEntry& entry : tuned.entries) {
    entry.plan = parse_cpu_plan("sortBits=12");
  }
  CHECK(
      why().starts_with("no plan of its can run multireduce n=2^20 m=256 uniform u32+u32; "
                        "sortBits=12,"));
  CHECK(
      why().ends_with(": sortBits: found '12', accepted: 0 to 8; labels below m=256 have 8 bits"));
  CHECK_FALSE(find_entry(tuned, wanted).has_value());
}

}  // namespace tuned_test
