#include "presort/app/whatif/variants.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "presort/core/error.h"
#include "presort/io/machine/machine_file.h"

namespace variants_test {

using namespace presort;
using namespace presort::app;

namespace {

Machine example() {
  return io::read_machine(PRESORT_SOURCE_DIR "/tests/app/data/machine.yaml");
}

Variants variants_of(const std::vector<std::string>& changes) {
  return read_variants({example()}, changes);
}

std::string error_of(const std::vector<std::string>& changes) {
  try {
    variants_of(changes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> tried(const Variant& variant, const std::string& key) {
  for (const tuner::PlanAxis& axis : variant.space.axes) {
    if (axis.key == key) {
      return axis.values;
    }
  }
  return {};
}

}  // namespace

TEST_CASE("several values of one key make a copy of the machine for each") {
  const Variants variants =
      variants_of({"cpu.caches.L2.size=512KiB,1MiB,2MiB", "memory.latency=90ns"});
  CHECK(variants.swept == "cpu.caches.L2.size");
  REQUIRE(variants.items.size() == 3);
  const uint64_t sizes[] = {512 << 10, 1 << 20, 2 << 20};
  for (size_t i = 0; i < 3; ++i) {
    CHECK(variants.items[i].machine.caches[1].size_bytes == sizes[i]);
    CHECK(variants.items[i].machine.memory.latency_ns == 90);
  }
  CHECK(variants.items[1].label == "1MiB");
  CHECK(variants.items[1].machine.name ==
        example().name + " cpu.caches.L2.size=1MiB memory.latency=90ns");
}

TEST_CASE("one value stands beside the machine as it is") {
  const Variants variants = variants_of({"cpu.caches.L2.size=2MiB"});
  CHECK(variants.swept.empty());
  REQUIRE(variants.items.size() == 2);
  CHECK(variants.items[0].machine == example());
  CHECK(variants.items[1].machine.caches[1].size_bytes == 2u << 20);
  CHECK(variants.items[1].label == example().name + " cpu.caches.L2.size=2MiB");
}

TEST_CASE("keys of plans say which plans are tried, in brackets several at once") {
  const Variants variants =
      variants_of({"plan.pageSize=4KiB,2MiB", "plan.sortBits=[0,8]", "plan.passes=1"});
  CHECK(variants.swept == "plan.pageSize");
  REQUIRE(variants.items.size() == 2);
  CHECK(tried(variants.items[0], "pageSize") == std::vector<std::string>{"4KiB"});
  CHECK(tried(variants.items[1], "pageSize") == std::vector<std::string>{"2MiB"});
  for (const Variant& variant : variants.items) {
    CHECK(tried(variant, "sortBits") == std::vector<std::string>{"0", "8"});
    CHECK(tried(variant, "passes") == std::vector<std::string>{"1"});
  }
  Machine same = variants.items[0].machine;
  same.name = example().name;
  CHECK(same == example());
}

TEST_CASE("threads need cores, which can be set too") {
  CHECK(error_of({"plan.threads=1,64"}).find("found 64, accepted: 1 to ") != std::string::npos);
  const Variants variants = variants_of({"cpu.cores=64", "plan.threads=1,64"});
  CHECK(tried(variants.items[1], "threads") == std::vector<std::string>{"64"});
}

TEST_CASE("what cannot be compared is said") {
  const auto says = [](const std::vector<std::string>& changes, const char* words) {
    CHECK_MESSAGE(error_of(changes).find(words) != std::string::npos, error_of(changes));
  };
  says({}, "two -m, or one -m with --set");
  says({"memory.latency"}, "KEY=VALUE");
  says({"=90ns"}, "KEY=VALUE");
  says({"memory.latency=90ns,,95ns"}, "a value behind each comma");
  says({"memory.latency="}, "a value behind each comma");
  says({"memory.latency=90ns,95ns", "cpu.clock=2GHz,3GHz"},
       "several values of memory.latency and of cpu.clock");
  says({"plan.pagesize=4KiB"}, "did you mean 'pageSize'");
  says({"memory.latensy=90ns,95ns"}, "memory.latency");
  CHECK_THROWS_AS(read_variants({example(), example()}, {"memory.latency=90ns"}), InputError);
  CHECK(read_variants({example(), example()}, {}).items.size() == 2);
}

}  // namespace variants_test
