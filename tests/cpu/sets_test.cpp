// Tests a multireduce in several sets of buckets against the plain loop.
#include <doctest/doctest.h>

#include "presort/core/error.h"
#include "tests/core/refusal.h"
#include "tests/cpu/support.h"

namespace presort::inline v0::test::sets_test {
namespace {

const CpuPlan kSets = parse_cpu_plan("nSets=4");

template <class Label, class Value, class M>
void check_sets(M monoid) {
  CHECK(rc::check("in four sets as in one", [&] {
    const auto whole = [](auto generator) {
      return *rc::gen::resize(rc::kNominalSize, std::move(generator));
    };
    const auto seed = whole(rc::gen::arbitrary<uint64_t>());
    const auto m = whole(rc::gen::inRange<size_t>(1, 200));
    const auto n = whole(rc::gen::inRange<size_t>(0, 5000));
    const auto labels = make_uniform_labels<Label>(seed, n, m);
    RC_ASSERT((multireduce_is_right<Label, Value>(kSets, labels, m, monoid)));
  }));
}

TEST_CASE("four sets give what one gives, of operators that need not commute") {
  check_sets<uint32_t, uint32_t>(Sum<uint32_t>{});
  check_sets<uint64_t, float>(Max<float>{});
  check_sets<uint8_t, Affine<uint64_t>>(Compose<uint64_t>{});
  check_sets<uint32_t, Text>(Concatenate{});
}

TEST_CASE("four sets of any number of inputs around whole parts and blocks, and of buckets") {
  for (const size_t n : {0, 1, 2, 3, 4, 5, 7, 8, 63, 64, 65, 67, 68, 127, 128, 131, 2051}) {
    for (const size_t m : {size_t{1}, size_t{63}, size_t{64}, size_t{65}, kMaxSetBuckets}) {
      CAPTURE(n);
      CAPTURE(m);
      CHECK(multireduce_is_right<uint32_t, Text>(kSets, make_uniform_labels<uint32_t>(n, n, m), m,
                                                 Concatenate{}));
    }
  }
}

// A sum that does not associate, so that plans may not group its inputs.
struct InOrder {
  static constexpr bool is_commutative = true;
  static constexpr bool is_associative = false;
  uint32_t identity() const { return 0; }
  uint32_t operator()(uint32_t a, uint32_t b) const { return a + b; }
};

TEST_CASE("four sets are refused, before anything is written, where they do not fit") {
  std::vector<uint32_t> labels(100, 3);
  const std::vector<uint32_t> values(100, 1);
  std::vector<uint32_t> buckets(10, 5);
  GuardedScratch scratch(cpu::multireduce_scratch_bytes<uint32_t, uint32_t>(kSets, 100, 10));
  const auto reduce = [&](auto monoid, std::span<std::byte> bytes, cpu::Checks checks) {
    cpu::multireduce(std::span<const uint32_t>(labels), std::span<const uint32_t>(values),
                     std::span<uint32_t>(buckets), monoid, kSets, bytes, checks);
  };
  using cpu::Checks;
  CHECK(refusal<PlanError>([&] { reduce(InOrder{}, scratch.bytes(), Checks::off); }) ==
        "nSets: found '4', accepted: 1; the operator does not associate");
  CHECK_THROWS_AS(reduce(Sum<uint32_t>{}, scratch.bytes().first(64), Checks::off), PlanError);
  CHECK_THROWS_AS(reduce(Sum<uint32_t>{}, scratch.bytes().subspan(1), Checks::off), PlanError);
  labels[99] = 10;
  CHECK_THROWS_AS(reduce(Sum<uint32_t>{}, scratch.bytes(), Checks::on), LabelError);
  CHECK_THROWS_AS(cpu::scatter(std::span<const uint32_t>(labels), std::span<const uint32_t>(values),
                               std::span<uint32_t>(buckets), kSets, scratch.bytes()),
                  PlanError);
  CHECK(buckets == std::vector<uint32_t>(10, 5));
}

}  // namespace
}  // namespace presort::test::sets_test
