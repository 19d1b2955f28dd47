#include "presort/probe/assemble/core_defaults.h"

#include <doctest/doctest.h>

#include <string>

namespace core_defaults_test {

using namespace presort::probe;

namespace {

Topology caches(uint64_t l1_kib, uint64_t l2_kib) {
  Topology topology;
  topology.caches = {{.level = 1, .size_bytes = l1_kib << 10},
                     {.level = 2, .size_bytes = l2_kib << 10}};
  return topology;
}

CpuIdentity x86(Vendor vendor, int family, int model, bool avx2, bool avx512, bool amx) {
  CpuIdentity cpu;
  cpu.vendor = vendor;
  cpu.family = family;
  cpu.model = model;
  cpu.avx2 = avx2;
  cpu.avx512 = avx512;
  cpu.amx = amx;
  return cpu;
}

std::string chosen(const CpuIdentity& cpu, const Topology& topology) {
  return core_defaults(cpu, topology).name;
}

}  // namespace

TEST_CASE("a model number that agrees with the instruction sets chooses the row") {
  const Vendor intel = Vendor::intel;
  CHECK(chosen(x86(intel, 6, 0x55, true, true, false), caches(32, 1024)) == "Skylake-X");
  CHECK(chosen(x86(intel, 6, 0x3f, true, false, false), caches(32, 256)) == "Haswell");
  CHECK(chosen(x86(intel, 6, 0x6a, true, true, false), caches(48, 1280)) == "Sunny Cove");
  CHECK(chosen(x86(intel, 6, 0xcf, true, true, true), caches(48, 2048)) == "Golden Cove");
  const Vendor amd = Vendor::amd;
  CHECK(chosen(x86(amd, 0x17, 0x31, true, false, false), caches(32, 512)) == "Zen 2");
  CHECK(chosen(x86(amd, 0x19, 0x01, true, false, false), caches(32, 512)) == "Zen 3");
  CHECK(chosen(x86(amd, 0x19, 0x11, true, true, false), caches(32, 1024)) == "Zen 4");
  CHECK(chosen(x86(amd, 0x1a, 0x02, true, true, false), caches(48, 1024)) == "Zen 5");
  CHECK(chosen(x86(Vendor::arm, 0, 0xd0c, false, false, false), caches(64, 1024)) == "Neoverse N1");
}

TEST_CASE("a model number that contradicts the instruction sets is not believed") {
  // A hypervisor that claims Rocket Lake on a processor with AMX.
  CHECK(chosen(x86(Vendor::intel, 6, 167, true, true, true), caches(48, 2048)) == "Golden Cove");
  CHECK(chosen(x86(Vendor::intel, 6, 0x3f, true, true, false), caches(32, 1024)) == "Skylake-X");
}

TEST_CASE("unknown models are chosen by their instruction sets and caches") {
  const Vendor intel = Vendor::intel;
  CHECK(chosen(x86(intel, 6, 0xff, true, true, false), caches(48, 1280)) == "Sunny Cove");
  CHECK(chosen(x86(intel, 6, 0xff, true, true, false), caches(32, 1024)) == "Skylake-X");
  CHECK(chosen(x86(intel, 6, 0xff, true, false, false), caches(48, 2048)) == "Golden Cove");
  CHECK(chosen(x86(intel, 6, 0xff, false, false, false), caches(32, 256)) == "generic");
  CHECK(chosen(x86(Vendor::amd, 0x1b, 0, true, true, false), caches(48, 1024)) == "Zen 5");
  CHECK(chosen(x86(Vendor::other, 0, 0, false, false, false), Topology{}) == "generic");
}

TEST_CASE("every row is complete") {
  for (const CoreDefaults& core : core_table()) {
    CAPTURE(core.name);
    CHECK(core.dispatch_width >= 4);
    CHECK(core.window.stores > 0);
    CHECK(core.window.entries > core.window.stores);
    CHECK(core.window.stores_ahead <= core.window.stores);
    CHECK(core.window.store_runs == 0);  // no limit: cores of this row differ in it
    CHECK(core.window.load_ports >= 2);
    for (const TlbGeometry& tlb : {core.tlb_small, core.tlb_huge, core.tlb_second}) {
      CHECK(tlb.ways > 0);
      CHECK(tlb.entries % tlb.ways == 0);
    }
    CHECK(core.walkers > 0);
    CHECK(core.l2_queue >= core.l1_queue);
    CHECK(core.streams_cross_after.value_or(0) >= 0);
    CHECK(core.window.registers < core.window.entries);
    CHECK(std::string(core.source).size() > 5);
  }
}

TEST_CASE("a core does nearly as many adds a cycle as it has adders, and more alone than shared") {
  const CoreDefaults& golden_cove =
      core_defaults(x86(Vendor::intel, 6, 0xcf, true, true, true), caches(48, 2048));
  // Additions per cycle, measured on two machines: alone, then beside a busy sibling.
  for (const double alone : {4.23, 3.96}) {
    CHECK(alone > 0.85 * uncrowded_adds_per_cycle(golden_cove));
    CHECK(alone < uncrowded_adds_per_cycle(golden_cove));
  }
  CHECK(2.9 < 0.7 * uncrowded_adds_per_cycle(golden_cove));
  for (const CoreDefaults& core : core_table()) {
    CAPTURE(core.name);
    CHECK((uncrowded_adds_per_cycle(core) == 0) == (core.name == std::string(kUnknownCore)));
    CHECK(core.adders <= core.dispatch_width);
  }
}

}  // namespace core_defaults_test
