// Tests that every operation refuses arrays that overlap or are misaligned, and then writes nothing.
#include <doctest/doctest.h>

#include <set>

#include "presort/cpu/detail/check_spans.h"
#include "tests/cpu/every_operation.h"

namespace presort::inline v0::test::spans_test {
namespace {

constexpr uint32_t kOnes = 1;  // an arena (block of memory) with all arrays of a call

bool refuses(const OperationCase& operation, Arena& arena) {
  try {
    operation.run(arena, cpu::Checks::off);
  } catch (const SpanError&) {
    return true;
  }
  return false;
}

std::vector<Arena::Name> arrays_of(const OperationCase& operation) {
  std::vector<Arena::Name> arrays = operation.read;
  arrays.insert(arrays.end(), operation.written.begin(), operation.written.end());
  return arrays;
}

TEST_CASE("an array that overlaps one that is written is refused before anything is written") {
  for (const OperationCase& operation : every_operation()) {
    CAPTURE(operation.name);
    for (const Arena::Name written : operation.written) {
      for (const Arena::Name other : arrays_of(operation)) {
        if (other == written) {
          continue;
        }
        CAPTURE(written);
        CAPTURE(other);
        // Places of a second array in the arena: at the first array's place, or sharing only the last or
        // the first elements of the first array.
        for (const size_t ahead : {size_t{0}, size_t{128}}) {
          for (const bool swapped : {false, true}) {
            Arena arena(kOnes);
            const size_t from = swapped ? written : other;
            const size_t to = swapped ? other : written;
            if (to == Arena::scratch) {
              continue;  // skipped: the last array does not fit at another array's place
            }
            arena.offsets[from] = arena.offsets[to] + ahead;
            CHECK(refuses(operation, arena));
            CHECK(arena.is_as_it_was());
          }
        }
      }
    }
  }
}

TEST_CASE("misaligned arrays are refused before anything is written") {
  for (const OperationCase& operation : every_operation()) {
    CAPTURE(operation.name);
    for (const Arena::Name array : arrays_of(operation)) {
      if (array == Arena::heads || array == Arena::scratch) {
        continue;  // scratch is skipped: bytes have no alignment; see errors_test.cpp
      }
      for (const size_t offset : {1, 2, 3}) {
        CAPTURE(array);
        Arena arena(kOnes);
        arena.offsets[array] += offset;
        CHECK(refuses(operation, arena));
        CHECK(arena.is_as_it_was());
      }
    }
  }
}

TEST_CASE("arrays that are only read may be the same, and neighbours are no overlap") {
  for (const OperationCase& operation : every_operation()) {
    CAPTURE(operation.name);
    Arena arena(0);
    for (const Arena::Name array : operation.read) {
      arena.offsets[array] = arena.offsets[operation.read.front()];
    }
    CHECK_NOTHROW(operation.run(arena, cpu::Checks::on));
  }
  const std::vector<uint32_t> words(8);
  std::span<uint32_t> written(const_cast<uint32_t*>(words.data()), 4);
  const std::span<const uint32_t> read(words);
  CHECK_NOTHROW(cpu::check_spans({cpu::placed("a", written), cpu::placed("b", read.subspan(4))}));
  CHECK_NOTHROW(cpu::check_spans({cpu::placed("a", read.subspan(4)), cpu::placed("b", written)}));
  CHECK_THROWS_WITH_AS(
      cpu::check_spans({cpu::placed("a", written), cpu::placed("b", read.subspan(3))}),
      "a and b overlap, and are not both only read", SpanError);
}

TEST_CASE("an empty array overlaps nothing and stands anywhere") {
  std::vector<uint32_t> words(8);
  const std::span<uint32_t> all(words);
  CHECK_NOTHROW(
      cpu::check_spans({cpu::placed("a", all), cpu::placed("b", all.first(0)),
                        cpu::placed("c", std::span<uint64_t>(reinterpret_cast<uint64_t*>(3), 0))}));
}

TEST_CASE("an array that ends where addresses end is compared right") {
  const uintptr_t last_page = ~uintptr_t{0} - 4095;
  const cpu::PlacedSpan high{"high", last_page, 4096, 4, true};
  CHECK_NOTHROW(cpu::check_spans({high, {"low", 4096, 4096, 4, true}}));
  CHECK_THROWS_AS(cpu::check_spans({high, {"inside", last_page + 4092, 4, 4, false}}), SpanError);
}

TEST_CASE("labels out of range are refused before anything is written") {
  for (const OperationCase& operation : operations_on_buckets()) {
    CAPTURE(operation.name);
    Arena arena(Arena::kBuckets);  // an arena (block of memory) with labels in order
    CHECK_THROWS_AS(operation.run(arena, cpu::Checks::on), LabelError);
    CHECK(arena.is_as_it_was());
  }
}

TEST_CASE("offsets that are not in order are refused before anything is written") {
  for (const OperationCase& operation : operations_on_segments()) {
    if (operation.read.back() != Arena::starts) {
      continue;
    }
    CAPTURE(operation.name);
    Arena arena(Arena::kInputs + 1);
    CHECK_THROWS_AS(operation.run(arena, cpu::Checks::on), cpu::OffsetError);
    CHECK(arena.is_as_it_was());
  }
}

}  // namespace
}  // namespace presort::test::spans_test
