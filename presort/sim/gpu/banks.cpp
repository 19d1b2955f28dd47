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

// Quotients and remainders by a number that is mostly a power of two: a division takes ten times as
// long as a shift.
class ShiftedNumber {
 public:
  explicit ShiftedNumber(uint64_t number)
      : number_(number), shift_(std::has_single_bit(number) ? std::countr_zero(number) : -1) {}
  uint64_t quotient(uint64_t of) const { return shift_ >= 0 ? of >> shift_ : of / number_; }
  uint64_t remainder(uint64_t of) const { return shift_ >= 0 ? of & (number_ - 1) : of % number_; }

 private:
  uint64_t number_;
  int shift_;  // -1: no power of two
};

// Counts the words that each bank serves.
class BankLoads {
 public:
  explicit BankLoads(int banks) : banks_(static_cast<uint64_t>(banks)) { last_.fill(-1); }

  void add(uint64_t word, bool merges) {
    const uint64_t bank = banks_.remainder(word);
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
  ShiftedNumber banks_;
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
  const ShiftedNumber bank_bytes(shared.bank_bytes);
  const uint64_t words = words_of_lane(access, shared);
  for (uint32_t lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(lanes));
    const uint64_t first = bank_bytes.quotient(access.addresses[lane]);
    for (uint64_t i = 0; i < words; ++i) {
      loads.add(first + i, merges);
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

double cycles_of_passes(int passes, WarpAccessKind kind, const GpuSharedMemory& shared) {
  switch (kind) {
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
