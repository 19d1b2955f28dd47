// Every row of the table of ranges: what is accepted at its bounds, and refused beyond them.
#include "presort/core/machine/machine_ranges.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>
#include <type_traits>
#include <vector>

#include "full_machine.h"
#include "presort/core/machine/machine_numbers.h"

using namespace presort;
using presort::test::full_machine;

namespace {

// A machine with the number of `key`, all of them where it stands in a list, set to `value`.
Machine machine_with(const Machine& machine, std::string_view key, double value) {
  Machine changed = machine;
  for_each_number(changed, [&](std::string_view at, size_t, auto& number) {
    if (at == key) {
      number = static_cast<std::remove_reference_t<decltype(number)>>(value);
    }
  });
  return changed;
}

bool is_whole(const Machine& machine, std::string_view key) {
  bool whole = false;
  for_each_number(machine, [&](std::string_view at, size_t, const auto& number) {
    whole = whole || (at == key && !std::is_same_v<std::decay_t<decltype(number)>, double>);
  });
  return whole;
}

// The next number below or above that the machine could hold.
double next(double value, double towards, bool whole) {
  return whole ? value + (towards > value ? 1 : -1) : std::nextafter(value, towards);
}

std::string refusal_of(const Machine& machine) {
  const auto problem = find_machine_problem(machine);
  return problem ? problem->key_path + ": " + problem->message : "";
}

void check_row(const Machine& machine, const MachineRange& row) {
  CAPTURE(row.key);
  const Range& range = row.range;
  const double huge = std::numeric_limits<double>::max();
  const bool whole = is_whole(machine, row.key);
  const auto in_range = [&](double value) {
    return !find_range_problem(machine_with(machine, row.key, value));
  };
  CHECK(in_range(range.lowest));
  CHECK(in_range(range.highest));
  CHECK_FALSE(in_range(next(range.highest, huge, whole)));
  const bool has_less = !whole || range.lowest > 0;  // whole numbers are not below 0
  if (has_less) {
    CHECK(in_range(next(range.lowest, -huge, whole)) ==
          (next(range.lowest, -huge, whole) == 0 && !range.zero.empty()));
  }
  CHECK(in_range(0) == contains(range, 0));
  const std::vector<double> absurd =
      whole ? std::vector<double>{2147483647}
            : std::vector<double>{1e300, huge, std::numeric_limits<double>::infinity(),
                                  std::numeric_limits<double>::quiet_NaN(), -1e300};
  for (const double value : absurd) {
    CAPTURE(value);
    const bool refused = !in_range(value);
    CHECK(refused == !contains(range, value));
    if (refused) {  // by the machine's check too, before any rule that joins several keys
      const std::string message = refusal_of(machine_with(machine, row.key, value));
      CHECK(message.find("accepted: " + accepted_text(range)) != std::string::npos);
      CHECK(message.find("': found") == std::string::npos);
      CHECK(&machine_range(message.substr(0, message.find(':'))) == &row);
    }
  }
}

}  // namespace

TEST_CASE("every row of the table is accepted to its bounds and not beyond") {
  for (const DeviceKind kind : {DeviceKind::disk, DeviceKind::ssd}) {
    const Machine machine = full_machine(kind);
    REQUIRE_FALSE(find_machine_problem(machine).has_value());
    for_each_number(machine, [&](std::string_view key, size_t index, const auto&) {
      if (index == 0) {
        check_row(machine, machine_range(key));
      }
    });
  }
}

TEST_CASE("the table has a row for every number of a machine, and no other") {
  std::set<std::string_view> numbers;
  for (const DeviceKind kind : {DeviceKind::disk, DeviceKind::ssd}) {
    const Machine machine = full_machine(kind);
    for_each_number(machine,
                    [&](std::string_view key, size_t, const auto&) { numbers.insert(key); });
  }
  std::set<std::string_view> rows;
  for (const MachineRange& row : machine_ranges()) {
    CAPTURE(row.key);
    CHECK(rows.insert(row.key).second);
    CHECK(row.range.lowest < row.range.highest);
    CHECK(row.range.highest <= 0x1p60);
  }
  CHECK(rows == numbers);
}

TEST_CASE("whole numbers beyond those of a double are shown to the last digit") {
  Machine machine = full_machine(DeviceKind::ssd);
  machine.tlb[1].entries = (uint64_t{1} << 62) + 1;
  CHECK(refusal_of(machine) ==
        "cpu.tlb[1].entries: found '4611686018427387905', accepted: 1 to 1048576");
  machine = full_machine(DeviceKind::ssd);
  machine.caches[2].size_bytes = uint64_t{1} << 63;
  CHECK(refusal_of(machine) == "cpu.caches[2].size: found '8388608TiB', accepted: 64B to 1TiB");
}

TEST_CASE("a row is found by a place in a list as well") {
  CHECK(machine_range("cpu.caches[13].ways").key == "cpu.caches[].ways");
  CHECK(machine_range("cpu.tlb[0].page[1]").key == "cpu.tlb[].page");
  CHECK_THROWS_AS(machine_range("cpu.caches[0].weighs"), Error);
}
