#include "presort/probe/assemble/core_defaults.h"

namespace presort::inline v0::probe {
namespace {

// Sources, by short name:
//   IOM: Intel 64 and IA-32 Architectures Optimization Reference Manual, chapter of the core
//   SOG: AMD Software Optimization Guide (56305: family 17h 30h; 56665, 57647: 19h; 58455: 1Ah)
//   TRM: Arm technical reference manual and software optimization guide of the core
//   C&C: chipsandcheese.com, article on the core; WC: en.wikichip.org; AT: anandtech.com
// Page-walk caches are published for none of them: the numbers are guesses near those that
// van Schaik et al., "RevAnC" (EuroSec 2017) and the sources measured for older cores.
// Last levels that fill on eviction: IOM for Intel servers since Skylake, SOG for AMD; for Arm the
// exclusive fill of CMN-600's system cache (TRM).
// Integer adders (simple ALUs): IOM, SOG, TRM, C&C.
// Load ports: IOM, SOG, TRM. stores_ahead, of Golden Cove and Zen 3 to 5 alone, is what such
// machines showed (docs/results/loops.md, "Stores of which some miss", "Stores of a Zen 5", "Stores
// and streams of a Zen 3", "Memory of a Zen 4").
// HC33: AMD, "Next generation Zen 3 core", Hot Chips 33 (2021)
constexpr Window window(int entries, int stores, int registers, int load_ports,
                        int stores_ahead = 0) {
  return {.entries = entries,
          .stores = stores,
          .registers = registers,
          .stores_ahead = stores_ahead,
          .load_ports = load_ports};
}

// clang-format off
constexpr CoreDefaults kCores[] = {
    // The columns of a row: width, adders, window, branch miss, TLB 4 KiB, 2 MiB, unified, second
    // TLB, its latency, walkers, page-walk caches (3), queues of L1d and L2, last level, hardware
    // threads, source
    {kUnknownCore, 4, 0, window(128, 48, 0, 2), 15, {64, 4}, {32, 4}, false,
     {1536, 12}, 9, 2, 32, 4, 2, 10, 16, Fill::onMiss, 1,
     "a guess: a middling out-of-order core of about 2015", kHeavyLoad, std::nullopt},
    {"Haswell", 4, 4, window(192, 42, 0, 2), 16, {64, 4}, {32, 4}, false,
     {1024, 8}, 9, 1, 32, 4, 2, 10, 16, Fill::onMiss, 2,
     "IOM (Haswell), WC"},
    {"Broadwell", 4, 4, window(192, 42, 0, 2), 16, {64, 4}, {32, 4}, false,
     {1536, 6}, 9, 2, 32, 4, 2, 10, 16, Fill::onMiss, 2,
     "IOM (Broadwell), WC"},
    {"Skylake", 4, 4, window(224, 56, 0, 2), 16, {64, 4}, {32, 4}, false,
     {1536, 12}, 9, 2, 32, 4, 2, 12, 16, Fill::onMiss, 2,
     "IOM (Skylake client), WC"},
    {"Skylake-X", 4, 4, window(224, 56, 0, 2), 16, {64, 4}, {32, 4}, false,
     {1536, 12}, 9, 2, 32, 4, 2, 12, 16, Fill::onEvict, 2,
     "IOM (Skylake server), WC; also Cascade Lake"},
    {"Sunny Cove", 5, 4, window(352, 72, 0, 2), 17, {64, 4}, {32, 4}, false,
     {2048, 16}, 7, 2, 32, 4, 2, 12, 32, Fill::onEvict, 2,
     "IOM (Ice Lake), WC; L2 queue: a guess between its neighbours"},
    {"Golden Cove", 6, 5, window(512, 114, 264, 3, 64), 17, {96, 6}, {32, 4}, false,
     {2048, 16}, 7, 4, 32, 4, 2, 16, 48, Fill::onEvict, 2,
     "IOM (Golden Cove), AT 16881; integer registers, less 16 of the program: C&C; also Raptor and "
     "Redwood Cove"},
    {"Zen 2", 6, 4, window(224, 48, 0, 2), 16, {64, 64}, {64, 64}, true,
     {2048, 16}, 7, 2, 64, 64, 16, 22, 32, Fill::onEvict, 2,
     "SOG 56305, WC, C&C; queues: guesses", kHeavyLoad, std::nullopt},
    {"Zen 3", 6, 4, window(256, 64, 176, 3, 64), 13, {64, 64}, {64, 64}, true,
     {2048, 8}, 7, 6, 64, 64, 16, 24, 64, Fill::onEvict, 2,
     "SOG 56665, AT 16214, C&C; integer registers, less 16 of the program: SOG; L2 and L3 queues: "
     "HC33; streams: docs/results/loops.md", 0, 1, false, 192},
    {"Zen 4", 6, 4, window(320, 64, 208, 3, 64), 13, {72, 72}, {72, 72}, true,
     {3072, 24}, 7, 6, 64, 64, 16, 24, 64, Fill::onEvict, 2,
     "SOG 57647, C&C; integer registers, less 16 of the program: AT 17585; L2 and L3 queues: those "
     "of a Zen 3; streams: docs/results/loops.md", 0, 3, false, 192},
    {"Zen 5", 8, 6, window(448, 104, 224, 4, 104), 15, {96, 96}, {96, 96}, true,
     {4096, 16}, 7, 6, 64, 64, 16, 24, 64, Fill::onEvict, 2,
     "SOG 58455, C&C; L1d queue: a guess; streams: docs/results/loops.md", 0, 3, true},
    {"Neoverse N1", 4, 3, window(128, 72, 0, 2), 11, {48, 48}, {48, 48}, true,
     {1280, 5}, 5, 2, 32, 8, 2, 20, 46, Fill::onEvict, 1,
     "TRM (Neoverse N1), WC; queues and store window: guesses", kHeavyLoad, std::nullopt},
    {"Neoverse V1", 8, 4, window(256, 96, 0, 3), 11, {48, 48}, {48, 48}, true,
     {2048, 4}, 5, 4, 32, 8, 2, 32, 64, Fill::onEvict, 1,
     "TRM (Neoverse V1), AT 16640; load and store windows and queues: guesses", kHeavyLoad,
     std::nullopt},
};
// clang-format on

}  // namespace

std::span<const CoreDefaults> core_table() {
  return kCores;
}

}  // namespace presort::probe
