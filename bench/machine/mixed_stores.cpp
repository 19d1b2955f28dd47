// Times stores that miss the first level among stores that hit it: cycles of one miss and the k - 1
// hits behind it, for several k, each store an instruction of its own. Regions of 32 KiB (all hit)
// to 256 MiB, 2 MiB pages, on the quietest core.
// usage: mixed_stores
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/measurement.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/load/quiet_core.h"
#include "presort/probe/workloads/meter.h"

namespace {

using namespace presort;

constexpr uint64_t kLargest = uint64_t{256} << 20;
constexpr uint64_t kLine = 64;
constexpr uint64_t kHotBytes = 16 << 10;
constexpr uint64_t kMisses = 1 << 15;
constexpr int kRounds = 9;

// Lines that the stores miss, in a random order that is the same for all regions; each round starts
// elsewhere in it.
struct Places {
  std::array<uint32_t, 4096> offsets;

  Places() {
    for (uint64_t i = 0; i < offsets.size(); ++i) {
      offsets[i] = static_cast<uint32_t>(bounded(random_u64(1, i), kLargest / kLine) * kLine);
    }
  }
};

void store(char* place, uint32_t value) {
  *reinterpret_cast<volatile uint32_t*>(place) = value;
}

template <size_t... kHits>
void run(char* region, uint64_t mask, char* hot, const Places& places, uint64_t start,
         std::index_sequence<kHits...>) {
  for (uint64_t i = 0; i < kMisses; ++i) {
    const uint64_t turn = start + i / places.offsets.size() * (977 * kLine);
    store(region + ((places.offsets[i % places.offsets.size()] + turn) & mask), 1);
    (store(hot + ((i + kHits * 5) * kLine & (kHotBytes - 1)), 2), ...);
  }
}

template <size_t kStores>
double cycles(char* region, uint64_t bytes, char* hot, const Places& places) {
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round) {
    const probe::Slice slice = probe::take_slice(kMisses, [&] {
      run(region, bytes - 1, hot, places, static_cast<uint64_t>(round) * 12345 * kLine,
          std::make_index_sequence<kStores - 1>());
    });
    rounds.push_back(slice.value_ns / slice.cycle_ns);
  }
  return quantile(std::move(rounds), 0.5);
}

}  // namespace

int main() {
  const probe::Arena region(kLargest, probe::Pages::huge);
  const probe::Arena hot(probe::kHugePageBytes, probe::Pages::huge);
  for (uint64_t i = 0; i < kLargest; i += kLine) {
    store(region.data() + i, 0);
  }
  const Places places;
  probe::QuietCore core(probe::this_topology().cpus);
  fmt::print("| region | k = 1 | 2 | 3 | 4 | 8 |\n| --- | --- | --- | --- | --- | --- |\n");
  for (const uint64_t kib : {32, 64, 256, 1024, 16384, 262144}) {
    core.settle();
    const uint64_t bytes = kib << 10;
    char* const at = region.data();
    char* const near = hot.data();
    fmt::print("| {} KiB | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", kib,
               cycles<1>(at, bytes, near, places), cycles<2>(at, bytes, near, places),
               cycles<3>(at, bytes, near, places), cycles<4>(at, bytes, near, places),
               cycles<8>(at, bytes, near, places));
  }
  const probe::CoreState state = probe::core_state();
  fmt::print("core at {:.2f} GHz, {:.2f} independent adds a cycle\n", 1 / state.cycle_ns,
             1 / state.crowding);
}
