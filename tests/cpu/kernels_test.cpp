// Tests every kernel with random legal plans against the plain loop.
#include <doctest/doctest.h>

#include "tests/cpu/support.h"

namespace presort::inline v0::test::kernels_test {
namespace {

struct Shape {
  uint64_t seed;
  size_t n;
  size_t m;
};

// Numbers of inputs and buckets are drawn from their whole range; edges_test.cpp tests small ones.
Shape random_shape(int label_bits) {
  const auto whole = [](auto generator) {
    return *rc::gen::resize(rc::kNominalSize, std::move(generator));
  };
  const auto seed = whole(rc::gen::arbitrary<uint64_t>());
  const int bits = whole(rc::gen::inRange(0, label_bits + 1));
  const size_t power = size_t{1} << bits;
  const size_t most = std::min(power + 1, size_t{1} << label_bits);
  const auto m = whole(rc::gen::inRange<size_t>(power / 2 + 1, most + 1));
  const auto n = whole(rc::gen::inRange<size_t>(0, 5000));
  return {seed, n, m};
}

template <class Label, class Value, class M>
void check_multireduce(M monoid, int label_bits = 16) {
  CHECK(rc::check("multireduce equals the plain loop", [&] {
    const Shape shape = random_shape(label_bits);
    const CpuPlan plan = random_plan<M>(shape.seed, shape.m);
    const auto labels = make_uniform_labels<Label>(shape.seed, shape.n, shape.m);
    RC_LOG() << "n " << shape.n << " m " << shape.m << " plan " << to_string(plan);
    RC_ASSERT((multireduce_is_right<Label, Value>(plan, labels, shape.m, monoid)));
  }));
}

template <class Label, class Value>
void check_scatter(int label_bits = 16) {
  CHECK(rc::check("the last write to a bucket wins", [&] {
    const Shape shape = random_shape(label_bits);
    const CpuPlan plan = random_plan(shape.seed, shape.m);
    const auto labels = make_uniform_labels<Label>(shape.seed, shape.n, shape.m);
    RC_LOG() << "n " << shape.n << " m " << shape.m << " plan " << to_string(plan);
    RC_ASSERT((scatter_is_right<Label, Value>(plan, labels, shape.m)));
  }));
}

TEST_CASE("multireduce of commutative monoids equals the plain loop for any plan") {
  check_multireduce<uint32_t, uint32_t>(Sum<uint32_t>{});
  check_multireduce<uint32_t, double>(Sum<double>{});
  check_multireduce<uint64_t, float>(Max<float>{});
  check_multireduce<uint64_t, int64_t>(Min<int64_t>{});
  check_multireduce<uint16_t, uint8_t>(Max<uint8_t>{});
  check_multireduce<uint8_t, uint32_t>(Sum<uint32_t>{}, 8);
}

TEST_CASE("multireduce of monoids that do not commute equals the plain loop for any plan") {
  check_multireduce<uint32_t, Affine<uint32_t>>(Compose<uint32_t>{});
  check_multireduce<uint32_t, Affine<uint64_t>>(Compose<uint64_t>{});
  check_multireduce<uint64_t, Text>(Concatenate{});
}

TEST_CASE("scatter equals the plain loop for any plan") {
  check_scatter<uint32_t, uint32_t>();
  check_scatter<uint32_t, double>();
  check_scatter<uint64_t, uint32_t>();
  check_scatter<uint64_t, Text>();
  check_scatter<uint8_t, uint32_t>(8);
  check_scatter<uint16_t, Affine<uint64_t>>();
}

}  // namespace
}  // namespace presort::test::kernels_test
