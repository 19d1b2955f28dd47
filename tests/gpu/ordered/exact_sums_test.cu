// Tests scans and reductions by key against plain loops: as many integers as CUB is used for, and
// one fewer, where our own kernels run.
#include <numeric>

#include "presort/gpu/reduce_by_key.cuh"
#include "presort/gpu/scan.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using test::DeviceArray;

namespace {

template <class Value>
void check_scans(uint64_t n, std::mt19937_64& random) {
  const auto values = test::make_values<Value>(n, random);
  std::vector<Value> inclusive(n);
  std::partial_sum(values.begin(), values.end(), inclusive.begin(),
                   [](Value a, Value b) { return static_cast<Value>(a + b); });
  std::vector<Value> exclusive(n);
  std::copy(inclusive.begin(), inclusive.end() - 1, exclusive.begin() + 1);
  const DeviceArray<Value> in(values);
  const DeviceArray<Value> out(std::vector<Value>(n, Value{99}));
  const DeviceArray<std::byte> scratch(test::poison(scan_scratch_bytes<Value>(n)));
  scan<Scan::exclusive>(nullptr, in.read_only(), out.span(), Sum<Value>{}, scratch.span());
  CHECK(out.host() == exclusive);
  scan<Scan::inclusive>(nullptr, in.read_only(), in.span(), Sum<Value>{}, scratch.span());
  CHECK(in.host() == inclusive);
}

template <class Key, class Value>
void check_runs(uint64_t n, std::mt19937_64& random) {
  const auto values = test::make_values<Value>(n, random);
  std::vector<Key> keys(n);
  std::vector<Key> run_keys;
  std::vector<Value> sums;
  for (uint64_t i = 0; i < n; ++i) {
    const bool begins = i == 0 || random() % 10 == 0;
    keys[i] = begins ? static_cast<Key>(random()) : keys[i - 1];
    if (i == 0 || keys[i] != keys[i - 1]) {
      run_keys.push_back(keys[i]);
      sums.push_back(Value{});
    }
    sums.back() += values[i];
  }
  const DeviceArray<Key> in(keys);
  const DeviceArray<Value> of(values);
  const DeviceArray<Key> found_keys(std::vector<Key>(n, Key{}));
  const DeviceArray<Value> found(std::vector<Value>(n, Value{}));
  const DeviceArray<uint64_t> count(std::vector<uint64_t>(1));
  const DeviceArray<std::byte> scratch(test::poison(reduce_by_key_scratch_bytes<Key, Value>(n)));
  reduce_by_key(nullptr, in.read_only(), of.read_only(), found_keys.span(), found.span(),
                count.span().data(), Sum<Value>{}, scratch.span());
  const size_t runs = sums.size();
  REQUIRE(count.host()[0] == runs);
  auto host_keys = found_keys.host();
  auto host_sums = found.host();
  host_keys.resize(runs);
  host_sums.resize(runs);
  CHECK(host_keys == run_keys);
  CHECK(host_sums == sums);
}

}  // namespace

TEST_CASE("scans of many integers") {
  std::mt19937_64 random(41);
  for (const uint64_t n : {kFewestOfCub - 1, kFewestOfCub, kFewestOfCub + 12345}) {
    CAPTURE(n);
    check_scans<uint32_t>(n, random);
    check_scans<uint64_t>(n, random);
    check_scans<uint8_t>(n, random);
  }
}

TEST_CASE("runs of many integers") {
  std::mt19937_64 random(42);
  for (const uint64_t n : {kFewestOfCub - 1, kFewestOfCub, kFewestOfCub + 12345}) {
    CAPTURE(n);
    check_runs<uint32_t, uint32_t>(n, random);
    check_runs<uint64_t, uint64_t>(n, random);
  }
  check_runs<uint32_t, uint32_t>(kFewestOfOwnRuns - 1, random);
  check_runs<uint32_t, uint32_t>(kFewestOfOwnRuns, random);
}

TEST_CASE("an answer is remembered for the last n alone, and a refusal is not") {
  int asked = 0;
  bool refuses = false;
  const auto ask = [&](uint64_t n) {
    ++asked;
    if (refuses) {
      throw EnvironmentError("refused");
    }
    return static_cast<size_t>(2 * n);
  };
  CHECK(remembered_bytes(5, ask) == 10);
  CHECK(remembered_bytes(5, ask) == 10);
  CHECK(asked == 1);
  CHECK(remembered_bytes(6, ask) == 12);
  CHECK(remembered_bytes(5, ask) == 10);
  CHECK(asked == 3);
  refuses = true;
  CHECK_THROWS_AS(remembered_bytes(7, ask), EnvironmentError);
  CHECK(remembered_bytes(5, ask) == 10);
  CHECK_THROWS_AS(remembered_bytes(7, ask), EnvironmentError);
  CHECK(asked == 5);
}
