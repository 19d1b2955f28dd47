// Tests how long a line takes that another core has written.
#include <doctest/doctest.h>

#include <vector>

#include "presort/sim/multi_core.h"
#include "tests/sim/random_machine.h"
#include "tests/sim/several_cores.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::sim::line_transfer_test {
namespace {

using doctest::Approx;
using test::between;
using test::holds;
using test::load;
using test::record;
using test::Records;
using test::run_timed;

const AddressSpace kSpace(4096);
constexpr uint64_t kLine = 5;

// small_machine with two cores, which share the L3 and hand lines over in `transfer_ns`.
Machine two_cores(double transfer_ns) {
  Machine machine = test::small_machine();
  machine.cores = 2;
  machine.caches.back().shared_by = 2;
  machine.line_transfer_ns = transfer_ns;
  return machine;
}

// Loads of lines of their own, each of which waits for the one before: 100 ns each.
Records loads_in_turn(int count) {
  Records records = {load(1000)};
  for (int i = 1; i < count; ++i) {
    records.push_back(load(1000 + static_cast<uint64_t>(i), 0, 1));
  }
  return records;
}

// The records, then loads of a line of the core's own in the first level, each of which waits for the
// one before: more than the window holds, so that the time of the records is seen.
Records and_wait(Records records) {
  constexpr int kLoads = 300;
  for (int i = 0; i < kLoads; ++i) {
    records.push_back(load(1000, 0, 1));
  }
  return records;
}

// Time, ns, that core 1 takes for `last` and a chain of loads behind, after core 0 has done `before`
// and core 1 has loaded other lines.
double ns_of_last(double transfer_ns, const Records& before, const Records& last) {
  MultiCore cores(two_cores(transfer_ns), 2, kSpace);
  run_timed(cores, {before, loads_in_turn(5)});
  cores.reset_statistics();
  run_timed(cores, {{}, and_wait(last)});
  return cores.statistics(1).ns;
}

const Records kStore = {record(AccessKind::store, kLine)};
const Records kRead = {load(kLine)};
// Accesses of core 1, which wait for its last load
const Records kLoad = {load(kLine, 0, 1)};
const Records kStoreAndLoad = {record(AccessKind::store, kLine, 0, 1),
                               {kLine * 64 + 32, AccessKind::load, 4, 0, 2, 0}};

TEST_CASE("a load of a line that another core has written takes the time of a transfer") {
  const double where_they_meet = ns_of_last(0, kStore, kLoad);
  for (const double transfer_ns : {41.0, 60.0, 90.0, 250.0}) {
    CHECK(ns_of_last(transfer_ns, kStore, kLoad) == Approx(where_they_meet + transfer_ns - 40));
  }
  // A transfer is never faster than a hit in the level where the cores meet
  CHECK(ns_of_last(1, kStore, kLoad) == Approx(where_they_meet));
  CHECK(ns_of_last(40, kStore, kLoad) == Approx(where_they_meet));
}

TEST_CASE("a store to a line that another core has written waits for the transfer") {
  const double where_they_meet = ns_of_last(0, kStore, kStoreAndLoad);
  CHECK(ns_of_last(90, kStore, kStoreAndLoad) == Approx(where_they_meet + 50));
}

TEST_CASE("lines that no other core has written take no transfer") {
  CHECK(ns_of_last(500, kRead, kLoad) == Approx(ns_of_last(0, kRead, kLoad)));
  CHECK(ns_of_last(500, {}, kLoad) == Approx(ns_of_last(0, {}, kLoad)));
  // The second load finds the copy that the first has brought
  MultiCore cores(two_cores(500), 2, kSpace);
  run_timed(cores, {kStore, loads_in_turn(5)});
  run_timed(cores, {{}, kLoad});
  cores.reset_statistics();
  run_timed(cores, {{}, kLoad});
  CHECK(cores.statistics(1).ns <= 5);
}

TEST_CASE("a line that its writer has dropped is found below, without a transfer") {
  Records before = kStore;
  for (uint64_t i = 1; i <= 16; ++i) {  // as many lines of the L1's and the L2's set as push it out
    before.push_back(load(kLine + 16 * i));
  }
  CHECK(ns_of_last(500, before, kLoad) == Approx(ns_of_last(0, before, kLoad)));
}

TEST_CASE("a line is handed over once it has come to its writer") {
  const auto ns = [](double transfer_ns) {
    Machine machine = two_cores(transfer_ns);
    machine.window.stores_ahead = 8;  // the store asks for its line at once
    MultiCore cores(machine, 2, kSpace);
    // The load begins 50 cycles behind the store
    run_timed(cores, {and_wait(kStore), and_wait({load(kLine, 200)})});
    return cores.statistics(1).ns;
  };
  CHECK(ns(60) >= 160 + 1200);  // 100 ns from memory, the transfer, 300 loads of 4 ns
  CHECK(ns(90) - ns(60) == Approx(30));
}

TEST_CASE("a core uses a line that another has asked for until the request arrives") {
  constexpr int kStores = 1000;
  const Records stores(kStores, record(AccessKind::store, kLine));
  const auto ns = [&](double transfer_ns) {
    MultiCore cores(two_cores(transfer_ns), 2, kSpace);
    run_timed(cores, {stores, stores});
    return std::max(cores.now_ns(0), cores.now_ns(1));
  };
  // At least 50 stores of a cycle each come to a core between two transfers
  CHECK(ns(100) < 2 * kStores * (1 + 100.0 / 50) + 500);
  CHECK(ns(100) > 1.5 * kStores);
}

TEST_CASE("transfers never make cores faster, nor change what the caches count") {
  holds("random records of two cores", [] {
    const int count = between(1, 60);
    std::vector<Records> records;
    for (int core = 0; core < 2; ++core) {
      records.push_back({});
      for (int i = 0; i < count; ++i) {
        const auto kind = between(0, 1) == 0 ? AccessKind::load : AccessKind::store;
        records.back().push_back(record(kind, static_cast<uint64_t>(between(0, 7)), 0, i > 0));
      }
    }
    // The second core runs behind the first, so that their order is the same with any transfer
    const auto run = [&](double transfer_ns) {
      MultiCore cores(two_cores(transfer_ns), 2, kSpace);
      run_timed(cores, {records[0], {}});
      run_timed(cores, {{}, records[1]});
      return cores.statistics(1);
    };
    const Statistics without = run(0);
    const Statistics with = run(static_cast<double>(between(1, 300)));
    RC_ASSERT(with.ns >= without.ns - 1e-9);
    for (size_t i = 0; i < with.levels.size(); ++i) {
      RC_ASSERT(with.levels[i].hits == without.levels[i].hits);
      RC_ASSERT(with.levels[i].accesses == without.levels[i].accesses);
    }
  });
}

}  // namespace
}  // namespace presort::sim::line_transfer_test
