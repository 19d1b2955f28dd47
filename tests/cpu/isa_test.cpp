// Tests plans that name an instruction set.
#include "presort/cpu/memory/isa.h"

#include <doctest/doctest.h>

#include <cstring>

#include "presort/core/labels/labels.h"
#include "tests/cpu/support.h"

namespace presort::inline v0::test::isa_test {
namespace {

struct Wide {  // a type of values of 16 bytes
  uint64_t low;
  uint64_t high;
  bool operator==(const Wide&) const = default;
};

template <class Label, class Value>
void check_like_generic(const std::string& text) {
  constexpr size_t kBuckets = 200;
  for (const size_t n : {size_t{1}, size_t{63}, size_t{65}, size_t{5000}}) {
    const auto labels = make_uniform_labels<Label>(n, n, kBuckets);
    std::vector<Value> values(n);
    for (size_t i = 0; i < n; ++i) {
      std::memset(&values[i], static_cast<int>(random_u64(3, i) & 0xff), sizeof(Value));
    }
    std::vector<Value> expected(kBuckets);
    plain_scatter(labels, values, expected);
    const CpuPlan plan = parse_cpu_plan(text);
    GuardedScratch scratch(cpu::multireduce_scratch_bytes<Label, Value>(plan, n, kBuckets));
    std::vector<Value> found(kBuckets);
    cpu::scatter(std::span<const Label>(labels), std::span<const Value>(values),
                 std::span<Value>(found), plan, scratch.bytes());
    CAPTURE(text);
    CAPTURE(n);
    CHECK(found == expected);
    CHECK(scratch.guards_intact());
  }
}

TEST_CASE("partitions by every instruction set give what the plain loop gives") {
  for (const auto& [name, isa] : kIsas) {
    if (!cpu::has_isa(isa)) {
      continue;
    }
    for (const char* buffer : {"64B", "128B", "256B", "512B", "1KiB"}) {
      for (const char* rest : {"", ",layout=separate", ",streaming=false", ",threads=2"}) {
        const std::string plan =
            "sortBits=5,bufferBytes=" + std::string(buffer) + rest + ",isa=" + std::string(name);
        check_like_generic<uint8_t, uint32_t>(plan);
        check_like_generic<uint32_t, uint32_t>(plan);
        check_like_generic<uint64_t, uint64_t>(plan);
        check_like_generic<uint32_t, Wide>(plan);
      }
    }
  }
}

TEST_CASE("every processor has the generic set, and the widest is one that it has") {
  CHECK(cpu::has_isa(Isa::generic));
  CHECK(cpu::has_isa(cpu::widest_isa()));
}

TEST_CASE("a set that the processor lacks is a PlanError that names those it has") {
  for (const auto& [name, isa] : kIsas) {
    CpuPlan plan = parse_cpu_plan("sortBits=5");
    plan.resources.isa = isa;
    if (cpu::has_isa(isa)) {
      CHECK_NOTHROW(cpu::check_isa(plan));
    } else {
      CHECK_THROWS_WITH_AS(cpu::check_isa(plan), doctest::Contains("accepted on this processor"),
                           PlanError);
    }
  }
}

}  // namespace
}  // namespace presort::test::isa_test
