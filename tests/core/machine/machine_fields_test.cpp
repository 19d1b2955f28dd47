// Every row of a machine's field tables: which values it accepts, and that it sets one member.
#include "presort/core/machine/fields/machine_fields.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>
#include <type_traits>
#include <vector>

#include "full_machine.h"
#include "presort/core/error.h"
#include "presort/core/fields/field_places.h"
#include "presort/core/fields/field_text.h"

namespace machine_fields_test {

using namespace presort;
using presort::test::full_machine;

namespace {

std::vector<FieldPlace> places_of(Machine& machine) {
  return field_places(fields::kMachine, &machine);
}

FieldPlace place_of(Machine& machine, const std::string& path) {
  for (const FieldPlace& place : places_of(machine)) {
    if (place.path == path) {
      return place;
    }
  }
  FAIL(path);
  return {};
}

const NumberAccess* numbers_of(const FieldPlace& place) {
  return std::get_if<NumberAccess>(&place.field->access);
}

// A copy of the machine with the number at a path set to `value`; if the path holds a list, all its
// numbers.
Machine machine_with(const Machine& machine, const std::string& path, double value) {
  Machine changed = machine;
  const FieldPlace place = place_of(changed, path);
  for_each_number(numbers_of(place)->slot(place.object), [&](auto& number) {
    number = static_cast<std::remove_reference_t<decltype(number)>>(value);
  });
  return changed;
}

bool is_whole(const FieldPlace& place) {
  bool whole = false;
  for_each_number(numbers_of(place)->slot(place.object), [&](const auto& number) {
    whole = !std::is_same_v<std::decay_t<decltype(number)>, double>;
  });
  return whole;
}

// The next number below or above a field's value that the field's type can hold.
double next(double value, double towards, bool whole) {
  return whole ? value + (towards > value ? 1 : -1) : std::nextafter(value, towards);
}

std::string refusal_of(const Machine& machine) {
  const auto problem = find_machine_problem(machine);
  return problem ? problem->key_path + ": " + problem->message : "";
}

void check_range(const Machine& machine, const FieldPlace& place) {
  CAPTURE(place.path);
  const Range& range = place.field->range;
  const double huge = std::numeric_limits<double>::max();
  const bool whole = is_whole(place);
  const auto in_range = [&](double value) {
    const Machine changed = machine_with(machine, place.path, value);
    return !find_range_problem(fields::kMachine, &changed);
  };
  CHECK(in_range(range.lowest));
  CHECK(in_range(range.highest));
  CHECK_FALSE(in_range(next(range.highest, huge, whole)));
  const bool has_less = !whole || range.lowest > 0;  // whole numbers cannot be below 0
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
    if (refused) {  // a number out of range is refused before rules that join keys
      const std::string message = refusal_of(machine_with(machine, place.path, value));
      CHECK(message.starts_with(place.path + ": found '"));
      CHECK(message.find("accepted: " + accepted_text(range)) != std::string::npos);
    }
  }
}

// Texts of all values of a machine, so that a test sees which values a change reaches.
std::vector<std::string> texts_of(Machine& machine) {
  std::vector<std::string> texts;
  for (const FieldPlace& place : places_of(machine)) {
    texts.push_back(place.path + ": " + field_text(*place.field, place.object));
  }
  return texts;
}

// A text that a field accepts and whose value differs from the machine's.
std::string other_text(const FieldPlace& place) {
  if (const auto* text = std::get_if<TextAccess>(&place.field->access)) {
    const std::vector<std::string> names = text->accepted();
    return text->get(place.object) == names[0] ? names[1] : names[0];
  }
  if (std::holds_alternative<FlagAccess>(place.field->access)) {
    return field_text(*place.field, place.object) == "true" ? "false" : "true";
  }
  return "other";
}

void change(const FieldPlace& place) {
  if (const NumberAccess* numbers = numbers_of(place)) {
    for_each_number(numbers->slot(place.object), [](auto& number) { number += 1; });
  } else if (const auto* file = std::get_if<FileAccess>(&place.field->access)) {
    *file->slot(place.object) = "other";
  } else {
    assign_text(*place.field, place.object, place.path, other_text(place), place.clock_hz);
  }
}

void check_table(const FieldTable& table) {
  std::set<std::string_view> keys;
  CHECK_FALSE(table.doc.empty());
  for (const Field& row : table.rows) {
    CAPTURE(row.key);
    CHECK_FALSE(row.doc.empty());
    CHECK((keys.insert(row.key).second || !row.options.in_files || row.key == "costs"));
    if (std::holds_alternative<NumberAccess>(row.access)) {
      CHECK(row.range.lowest < row.range.highest);
      CHECK(row.range.highest <= 0x1p60);
    }
    if (const auto* section = std::get_if<SectionAccess>(&row.access)) {
      check_table(*section->table);
    } else if (const auto* list = std::get_if<ListAccess>(&row.access)) {
      check_table(*list->table);
    }
  }
}

}  // namespace

TEST_CASE("every number is accepted to the bounds of its row and not beyond") {
  for (const DeviceKind kind : {DeviceKind::disk, DeviceKind::ssd}) {
    Machine machine = full_machine(kind);
    REQUIRE_FALSE(find_machine_problem(machine).has_value());
    for (const FieldPlace& place : places_of(machine)) {
      const bool further_item =
          place.path.find('[') != std::string::npos && place.path.find("[0]") == std::string::npos;
      if (numbers_of(place) && !further_item) {
        check_range(machine, place);
      }
    }
  }
}

TEST_CASE("core costs are in the ranges of their rows too") {
  Machine machine = full_machine(DeviceKind::ssd);
  machine.costs[MicroOp::lineMove] = 1001;
  CHECK(refusal_of(machine) == "cpu.costs.lineMove: found '1001', accepted: 0 to 1000");
}

TEST_CASE("every row is described, and its key is the only one of its name") {
  check_table(fields::kMachine);
}

TEST_CASE("a row reaches one member, which no other row does") {
  for (const DeviceKind kind : {DeviceKind::disk, DeviceKind::ssd}) {
    const Machine original = full_machine(kind);
    Machine same = original;
    const std::vector<std::string> before = texts_of(same);
    for (size_t i = 0; i < before.size(); ++i) {
      Machine changed = original;
      const FieldPlace place = places_of(changed)[i];
      CAPTURE(place.path);
      if (place.path == "storage.kind") {
        continue;  // skipped: this key decides which other rows there are
      }
      change(place);
      CHECK_FALSE(changed == original);
      const std::vector<std::string> after = texts_of(changed);
      REQUIRE(after.size() == before.size());
      for (size_t j = 0; j < before.size(); ++j) {
        CHECK((after[j] == before[j]) == (i != j));
      }
    }
  }
}

TEST_CASE("the text of a value is read to the same value") {
  const Machine original = full_machine(DeviceKind::ssd);
  Machine machine = original;
  for (const FieldPlace& place : places_of(machine)) {
    CAPTURE(place.path);
    if (!std::holds_alternative<FileAccess>(place.field->access)) {
      assign_text(*place.field, place.object, place.path, field_text(*place.field, place.object),
                  place.clock_hz);
      CHECK(machine == original);
    }
  }
}

TEST_CASE("times in cycles are of the clock of their section") {
  Machine machine = full_machine(DeviceKind::ssd);
  const auto set = [&](const std::string& path, const std::string& text) {
    const FieldPlace place = place_of(machine, path);
    assign_text(*place.field, place.object, path, text, place.clock_hz);
  };
  set("memory.latency", "250cy");
  // Memory latency, ns: 250 cycles at 2.5 GHz
  CHECK(machine.memory.latency_ns == doctest::Approx(100));
  set("gpu.launch", "2000cy");
  CHECK(machine.gpu->launch_ns == doctest::Approx(1000));  // launch time, ns: 2000 cycles at 2 GHz
  set("cpu.branchMiss", "8ns");
  CHECK(machine.branch_miss_cycles == doctest::Approx(20));
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

TEST_CASE("values are found by place and by name") {
  Machine machine = full_machine(DeviceKind::ssd);
  CHECK(place_of(machine, "cpu.caches[1].ways").name == "cpu.caches.L2.ways");
  CHECK(place_of(machine, "cpu.prefetchers[1].degree").name == "cpu.prefetchers.L2.stream.degree");
  CHECK(place_of(machine, "cpu.walk.nested.hostPage").name == "cpu.walk.nested.hostPage");
  machine.storage.reset();
  for (const FieldPlace& place : places_of(machine)) {
    CHECK_FALSE(place.path.starts_with("storage."));
  }
}

TEST_CASE("a row is found by a place in a list as well") {
  CHECK(&field_at(fields::kMachine, "cpu.caches[13].ways") ==
        &field_at(fields::kCacheLevel, "ways"));
  CHECK(field_at(fields::kMachine, "cpu.tlb[0].page[1]").key == "page");
  CHECK(field_at(fields::kMachine, "cpu.costs.load").key == "load");
  CHECK_THROWS_AS(field_at(fields::kMachine, "cpu.caches[0].weighs"), Error);
}

}  // namespace machine_fields_test
