#include "presort/cpu/reduce_axes.h"

#include <doctest/doctest.h>

#include <random>

#include "presort/core/error.h"
#include "tests/core/axes_cases.h"

namespace presort::inline v0::test::reduce_axes_test {
namespace {

template <class Value, class M, class Map>
void check_case(const AxesCase& of, const M& monoid, const Map& map, std::mt19937_64& random) {
  const auto made = [&](const std::vector<int64_t>& strides) {
    std::vector<uint32_t> values(room_of(of.shape, strides).size);
    for (uint32_t& value : values) {
      value = static_cast<uint32_t>(random() % 10);
    }
    return values;
  };
  const auto a = made(of.a);
  const auto b = made(of.b);
  const Room room = room_of(of.shape, of.results);
  const std::vector<Value> before(room.size, Value{});
  const auto expected = plain_reduce_axes(of, monoid, map, a, b, before);
  for (const size_t count : {size_t{1}, size_t{2}, size_t{5}}) {
    cpu::ThreadTeam threads(count);
    auto results = before;
    cpu::reduce_axes(of.shape, Strided<Value>{results.data() + room.origin, of.results}, monoid,
                     map, threads,
                     Strided<const uint32_t>{a.data() + room_of(of.shape, of.a).origin, of.a},
                     Strided<const uint32_t>{b.data() + room_of(of.shape, of.b).origin, of.b});
    CHECK(results == expected);
  }
}

}  // namespace

TEST_CASE("reductions over axes give what plain loops give, whatever the strides") {
  std::mt19937_64 random(61);
  for (int i = 0; i < 300; ++i) {
    const AxesCase of = random_axes_case(random);
    CAPTURE(i);
    check_case<uint64_t>(
        of, Sum<uint64_t>{}, [](uint32_t a, uint32_t b) { return uint64_t{a} * b + 1; }, random);
    check_case<Digits>(
        of, Append{},
        [](uint32_t a, uint32_t b) {
          return Digits{(a + b) % 10, 10};
        },
        random);
    check_case<double>(
        of, Sum<double>{}, [](uint32_t a, uint32_t b) { return 0.1 * a + b; }, random);
  }
}

TEST_CASE("a reduction over axes that cannot be leaves its results alone") {
  std::vector<uint32_t> results(4, 7);
  const std::vector<uint32_t> values(20, 1);
  const auto reduce = [&](const AxesShape& shape, const std::vector<int64_t>& of_results,
                          const uint32_t* from) {
    cpu::reduce_axes(
        shape, Strided<uint32_t>{results.data(), of_results}, Sum<uint32_t>{},
        [](uint32_t x) { return x; }, Strided<const uint32_t>{from, {5, 1}});
  };
  CHECK_THROWS_AS(reduce({{4, 0}, {1}}, {1, 0}, values.data()), PlanError);
  CHECK_THROWS_AS(reduce({{4, 5}, {1}}, {0, 0}, values.data()), SpanError);
  CHECK_THROWS_AS(reduce({{4, 5}, {1}}, {1, 0}, results.data() + 3), SpanError);
  CHECK(results == std::vector<uint32_t>(4, 7));
  reduce({{4, 5}, {1}}, {1, 0}, values.data());
  CHECK(results == std::vector<uint32_t>(4, 5));
}

}  // namespace presort::test::reduce_axes_test
