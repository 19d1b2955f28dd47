#include "presort/sim/gpu/banks.h"

#include <algorithm>
#include <array>
#include <bit>

namespace presort::inline v0::sim::gpu {
namespace {

constexpr int kMostBanks = 64;  // the largest number that machine files accept

bool takes_turns(WarpAccessKind kind) {
  return kind == WarpAccessKind::atomic || kind == WarpAccessKind::swap;
}

// Words of the widest access of all lanes: 16 bytes of 4-byte words each.
constexpr int kMostWords = 4 * kWarpLanes;

// Counts the words that each bank serves.
class BankLoads {
 public:
  explicit BankLoads(int banks) : banks_(static_cast<uint64_t>(banks)) { last_.fill(-1); }

  void add(uint64_t word, bool merges) {
    const uint64_t bank = word % banks_;
    if (merges) {
      for (int16_t entry = last_[bank]; entry >= 0; entry = before_[static_cast<size_t>(entry)]) {
        if (words_[static_cast<size_t>(entry)] == word) {
          return;
        }
      }
      words_[static_cast<size_t>(count_)] = word;
      before_[static_cast<size_t>(count_)] = last_[bank];
      last_[bank] = count_++;
    }
    most_ = std::max(most_, ++load_[bank]);
  }
  int most() const { return most_; }

 private:
  uint64_t banks_;
  std::array<int, kMostBanks> load_{};
  std::array<int16_t, kMostBanks> last_{};  // number of the bank's last word in words_; -1: none
  std::array<uint64_t, kMostWords> words_;
  std::array<int16_t, kMostWords> before_;  // number of the word before it in its bank; -1: none
  int16_t count_ = 0;
  int most_ = 0;
};

uint64_t words_of_lane(const WarpAccess& access, const GpuSharedMemory& shared) {
  return std::max<uint64_t>(1, access.bytes / shared.bank_bytes);
}

}  // namespace

int bank_passes(const WarpAccess& access, const GpuSharedMemory& shared) {
  BankLoads loads(shared.banks);
  const bool merges = !takes_turns(access.kind);
  const uint64_t words = words_of_lane(access, shared);
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    if (access.has_lane(lane)) {
      const uint64_t first = access.addresses[static_cast<size_t>(lane)] / shared.bank_bytes;
      for (uint64_t i = 0; i < words; ++i) {
        loads.add(first + i, merges);
      }
    }
  }
  return loads.most();
}

int least_passes(const WarpAccess& access, const GpuSharedMemory& shared) {
  const uint64_t words =
      static_cast<uint64_t>(std::popcount(access.lanes)) * words_of_lane(access, shared);
  const auto banks = static_cast<uint64_t>(shared.banks);
  return static_cast<int>((words + banks - 1) / banks);
}

double bank_cycles(const WarpAccess& access, const GpuSharedMemory& shared) {
  const double passes = bank_passes(access, shared);
  switch (access.kind) {
    case WarpAccessKind::atomic:
      return passes * shared.atomic_cycles;
    case WarpAccessKind::swap:
      return passes * shared.swap_cycles;
    case WarpAccessKind::load:
    case WarpAccessKind::store:
      break;
  }
  return passes;
}

}  // namespace presort::sim::gpu
