#include "presort/probe/assemble/core_defaults.h"

#include <algorithm>
#include <string_view>

namespace presort::inline v0::probe {
namespace {

const CoreDefaults& row(std::string_view name) {
  const auto cores = core_table();
  return *std::find_if(cores.begin(), cores.end(),
                       [name](const CoreDefaults& core) { return core.name == name; });
}

// Generations of cores, told by their instruction sets.
enum class Isa { old, avx2, avx512, amx };
Isa isa_of(const CpuIdentity& cpu) {
  return cpu.amx ? Isa::amx : cpu.avx512 ? Isa::avx512 : cpu.avx2 ? Isa::avx2 : Isa::old;
}

// Model numbers: Intel Software Developer's Manual, vol. 4, table 2-1; Linux intel-family.h and
// amd.c; Arm MIDR part numbers. `isa` is what the product has: a processor with another one is
// masked, and its model number is not believed.
struct KnownModel {
  Vendor vendor;
  int family;
  int first_model;
  int last_model;
  Isa isa;
  const char* core;
};
constexpr KnownModel kModels[] = {
    {Vendor::intel, 6, 0x3c, 0x3c, Isa::avx2, "Haswell"},
    {Vendor::intel, 6, 0x3f, 0x3f, Isa::avx2, "Haswell"},
    {Vendor::intel, 6, 0x45, 0x46, Isa::avx2, "Haswell"},
    {Vendor::intel, 6, 0x3d, 0x3d, Isa::avx2, "Broadwell"},
    {Vendor::intel, 6, 0x47, 0x47, Isa::avx2, "Broadwell"},
    {Vendor::intel, 6, 0x4f, 0x4f, Isa::avx2, "Broadwell"},
    {Vendor::intel, 6, 0x56, 0x56, Isa::avx2, "Broadwell"},
    {Vendor::intel, 6, 0x4e, 0x4e, Isa::avx2, "Skylake"},
    {Vendor::intel, 6, 0x5e, 0x5e, Isa::avx2, "Skylake"},
    {Vendor::intel, 6, 0x8e, 0x8e, Isa::avx2, "Skylake"},
    {Vendor::intel, 6, 0x9e, 0x9e, Isa::avx2, "Skylake"},
    {Vendor::intel, 6, 0xa5, 0xa6, Isa::avx2, "Skylake"},
    {Vendor::intel, 6, 0x55, 0x55, Isa::avx512, "Skylake-X"},
    {Vendor::intel, 6, 0x6a, 0x6a, Isa::avx512, "Sunny Cove"},
    {Vendor::intel, 6, 0x6c, 0x6c, Isa::avx512, "Sunny Cove"},
    {Vendor::intel, 6, 0x7d, 0x7e, Isa::avx512, "Sunny Cove"},
    {Vendor::intel, 6, 0x8c, 0x8d, Isa::avx512, "Sunny Cove"},
    {Vendor::intel, 6, 0xa7, 0xa7, Isa::avx512, "Sunny Cove"},
    {Vendor::intel, 6, 0x8f, 0x8f, Isa::amx, "Golden Cove"},
    {Vendor::intel, 6, 0xcf, 0xcf, Isa::amx, "Golden Cove"},
    {Vendor::intel, 6, 0xad, 0xae, Isa::amx, "Golden Cove"},
    {Vendor::intel, 6, 0x97, 0x97, Isa::avx2, "Golden Cove"},
    {Vendor::intel, 6, 0x9a, 0x9a, Isa::avx2, "Golden Cove"},
    {Vendor::intel, 6, 0xb7, 0xb7, Isa::avx2, "Golden Cove"},
    {Vendor::intel, 6, 0xba, 0xba, Isa::avx2, "Golden Cove"},
    {Vendor::intel, 6, 0xbf, 0xbf, Isa::avx2, "Golden Cove"},
    {Vendor::amd, 0x17, 0x30, 0xff, Isa::avx2, "Zen 2"},
    {Vendor::amd, 0x19, 0x10, 0x1f, Isa::avx512, "Zen 4"},
    {Vendor::amd, 0x19, 0x60, 0x7f, Isa::avx512, "Zen 4"},
    {Vendor::amd, 0x19, 0xa0, 0xaf, Isa::avx512, "Zen 4"},
    {Vendor::amd, 0x19, 0x00, 0xff, Isa::avx2, "Zen 3"},
    {Vendor::amd, 0x1a, 0x00, 0xff, Isa::avx512, "Zen 5"},
    {Vendor::arm, 0, 0xd0c, 0xd0c, Isa::old, "Neoverse N1"},
    {Vendor::arm, 0, 0xd40, 0xd40, Isa::old, "Neoverse V1"},
    {Vendor::arm, 0, 0xd49, 0xd49, Isa::old, "Neoverse V1"},
    {Vendor::arm, 0, 0xd4f, 0xd4f, Isa::old, "Neoverse V1"},
};

constexpr uint64_t kLargeL1Bytes = uint64_t{48} << 10;

uint64_t size_of_level(const Topology& topology, int level) {
  for (const AnnouncedCache& cache : topology.caches) {
    if (cache.level == level) {
      return cache.size_bytes;
    }
  }
  return 0;
}

std::string_view intel_by_features(const CpuIdentity& cpu, const Topology& topology) {
  const bool large_l1 = size_of_level(topology, 1) == kLargeL1Bytes;
  switch (isa_of(cpu)) {
    case Isa::amx:
      return "Golden Cove";
    case Isa::avx512:
      return large_l1 ? "Sunny Cove" : "Skylake-X";
    case Isa::avx2:
      return large_l1 ? "Golden Cove" : "Skylake";
    case Isa::old:
      return kUnknownCore;
  }
  return kUnknownCore;
}

std::string_view amd_by_features(const CpuIdentity& cpu, const Topology& topology) {
  switch (isa_of(cpu)) {
    case Isa::amx:
    case Isa::avx512:
      return size_of_level(topology, 1) == kLargeL1Bytes ? "Zen 5" : "Zen 4";
    case Isa::avx2:
      return cpu.family >= 0x19 ? "Zen 3" : "Zen 2";
    case Isa::old:
      return kUnknownCore;
  }
  return kUnknownCore;
}

}  // namespace

const CoreDefaults& core_defaults(const CpuIdentity& cpu, const Topology& topology) {
  for (const KnownModel& known : kModels) {
    if (known.vendor == cpu.vendor && known.family == cpu.family &&
        known.first_model <= cpu.model && cpu.model <= known.last_model &&
        known.isa == isa_of(cpu)) {
      return row(known.core);
    }
  }
  switch (cpu.vendor) {
    case Vendor::intel:
      return row(intel_by_features(cpu, topology));
    case Vendor::amd:
      return row(amd_by_features(cpu, topology));
    case Vendor::arm:
    case Vendor::other:
      return row(kUnknownCore);
  }
  return row(kUnknownCore);
}

double uncrowded_adds_per_cycle(const CoreDefaults& core) {
  // The timed loop has eight adds and a ninth operation, which counts its rounds. Two machines with
  // five adders, of which this expects 4.4, did 4.2 and 4.0.
  return core.adders * 8.0 / 9;
}

}  // namespace presort::probe
