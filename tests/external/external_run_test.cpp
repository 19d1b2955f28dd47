#include "presort/external/external_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <random>
#include <set>

#include "tests/external/files.h"
#include "tests/io/fixtures.h"
#include "tests/property_seed.h"

namespace presort::inline v0::external::external_run_test {

using namespace presort::external::test;
using presort::io::test::TemporaryFolder;

namespace {

struct Case {
  Operation operation;
  uint64_t n;
  uint64_t m;
  ExternalPlan plan;
  Means means = Means::automatic;
};

// The plain loops, in memory.
template <class Label, class Value>
std::vector<Value> plain(const Case& c, const std::vector<Label>& labels,
                         const std::vector<Value>& values) {
  const bool gathers = c.operation == Operation::gather;
  std::vector<Value> out(gathers ? c.n : c.m);
  for (uint64_t j = 0; j < c.n; ++j) {
    switch (c.operation) {
      case Operation::gather:
        out[j] = values[labels[j]];
        break;
      case Operation::scatter:
        out[labels[j]] = values[j];
        break;
      case Operation::histogram:
        out[labels[j]] += 1;
        break;
      default:
        out[labels[j]] += values[j];
    }
  }
  return out;
}

template <class Label, class Value>
void check_case(const Case& c, Types types, uint64_t seed) {
  // Every fourth case is on a disk, where a file's end takes its time
  const TemporaryFolder folder(seed % 4 == 0 ? std::filesystem::temp_directory_path()
                                             : presort::io::test::folder_in_memory());
  std::mt19937_64 random(seed);
  std::vector<Label> labels(c.n);
  for (Label& label : labels) {
    // A square: low labels, and so the first parts, have more inputs
    const double u = std::uniform_real_distribution<>(0, 1)(random);
    label = static_cast<Label>(
        std::min<double>(u * u * static_cast<double>(c.m), static_cast<double>(c.m - 1)));
  }
  labels[0] = static_cast<Label>(c.m - 1);
  std::vector<Value> values(c.operation == Operation::gather ? c.m : c.n);
  for (Value& value : values) {
    value = static_cast<Value>(static_cast<double>(random() % 100000) / 7);
  }
  const ExternalFiles files{folder.file("l"), folder.file("v"), folder.file("out"), ""};
  write_elements(files.labels, labels);
  write_elements(files.values, values);
  const Problem problem = external_problem(problem_of(c.operation, c.m, types), files);
  REQUIRE(problem.n == c.n);
  const ExternalReport report = run_external(problem, c.plan, files, {c.means, {}});
  const size_t passes = c.operation == Operation::gather ? 3 : 2;
  const size_t expected_passes = part_count(c.m, c.plan) == 1 ? 1 : passes;
  CHECK(report.passes.size() == expected_passes);
  const std::vector<Value> expected = plain(c, labels, values);
  const auto found = read_elements<Value>(files.out);
  CAPTURE(to_string(problem));
  CAPTURE(to_string(c.plan));
  REQUIRE(found.size() == expected.size());
  const int difference = std::memcmp(found.data(), expected.data(), found.size() * sizeof(Value));
  CHECK(difference == 0);
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.file("."))) {
    names.insert(entry.path().filename());
  }
  CHECK(names == std::set<std::string>{"l", "out", "v"});
}

void check_types(const Case& c, int types, uint64_t seed) {
  using T = ScalarType;
  switch (c.operation == Operation::histogram ? types % 2 : types % 4) {
    case 0:
      return check_case<uint32_t, uint32_t>(c, {T::u32, T::u32}, seed);
    case 1:
      return check_case<uint64_t, uint64_t>(c, {T::u64, T::u64}, seed);
    case 2:
      return check_case<uint64_t, float>(c, {T::u64, T::f32}, seed);
    default:
      return check_case<uint32_t, double>(c, {T::u32, T::f64}, seed);
  }
}

constexpr Operation kTested[] = {Operation::multireduce, Operation::scatter, Operation::gather,
                                 Operation::histogram};

}  // namespace

TEST_CASE("results on files are those of the plain loop, bit by bit, for random cases") {
  std::mt19937_64 random(presort::test::property_seed());
  for (int i = 0; i < 40; ++i) {
    const int bits = static_cast<int>(random() % 7);
    const uint64_t m =
        bits == 0 ? 1 + random() % 5000
                  : (uint64_t{1024} << (bits - 1)) + random() % 4096 + (uint64_t{1024} << bits);
    const Case c{kTested[random() % 4],
                 1 + random() % (uint64_t{1} << (random() % 18)),
                 m,
                 {std::min(bits, label_bits(m) - 10 > 0 ? label_bits(m) - 10 : 0), kLeastBlockBytes,
                  static_cast<int>(2 + random() % 6)},
                 random() % 2 == 0 ? Means::automatic : Means::threads};
    check_types(c, static_cast<int>(random() % 4), random());
  }
}

TEST_CASE("sizes around those of blocks and parts") {
  const ExternalPlan plan{3, kLeastBlockBytes, 2};
  for (const Operation operation : kTested) {
    const Problem problem = problem_of(operation, 8192);
    const uint64_t block = block_records(plan, input_bytes(problem));
    for (const uint64_t n :
         {uint64_t{1}, uint64_t{2}, block - 1, block, block + 1, 8 * block + 1}) {
      for (const uint64_t m : {uint64_t{8191}, uint64_t{8192}, uint64_t{8193}}) {
        check_types({operation, n, m, plan}, 0, n + m);
        check_types({operation, n, 1, {0, kLeastBlockBytes, 2}}, 3, n);
      }
    }
  }
}

TEST_CASE("2^20 inputs in 64 parts, and by the rule in little memory") {
  for (const Operation operation : kTested) {
    Problem problem = problem_of(operation, 1 << 20);
    problem.n = 1 << 20;
    check_types({operation, problem.n, problem.m, {6, 64 << 10, 8}}, 0, 1);
    const ExternalPlan by_rule = external_plan_by_rule(problem, 3 << 20);
    CHECK(external_memory_bytes(problem, by_rule) <= (3 << 20));
    CHECK(part_count(problem.m, by_rule) > 1);
    check_types({operation, problem.n, problem.m, by_rule}, 0, 2);
  }
}

TEST_CASE("files without direct I/O, on a file system in memory") {
  if (!std::filesystem::exists("/dev/shm")) {
    return;
  }
  const ExternalFiles files{"/dev/shm/presort-external-test-l", "/dev/shm/presort-external-test-v",
                            "/dev/shm/presort-external-test-out", ""};
  const std::vector<uint32_t> labels(100001, 4321);
  write_elements(files.labels, labels);
  write_elements(files.values, std::vector<uint32_t>(labels.size(), 3));
  const Problem problem = external_problem(problem_of(Operation::multireduce, 8192), files);
  run_external(problem, {2, kLeastBlockBytes, 2}, files);
  const auto out = read_elements<uint32_t>(files.out);
  CHECK(out[4321] == 300003);
  CHECK(std::accumulate(out.begin(), out.end(), uint64_t{0}) == 300003);
  for (const std::string& path : {files.labels, files.values, files.out}) {
    std::filesystem::remove(path);
  }
}

}  // namespace presort::external::external_run_test
