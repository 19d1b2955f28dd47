#include "presort/probe/workloads/chase.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "presort/probe/workloads/meter.h"

namespace presort::inline v0::probe {
namespace {

// Multiplier that scatters node numbers: 2^64 / golden ratio
constexpr uint64_t kScatter = 0x9e3779b97f4a7c15ULL;

inline char* follow(char* node) {
  return *reinterpret_cast<char* volatile*>(node);
}

inline bool flush_line([[maybe_unused]] char* line) {
#if defined(__x86_64__)
  asm volatile("clflush (%0)" : : "r"(line) : "memory");
  return true;
#elif defined(__aarch64__)
  asm volatile("dc civac, %0" : : "r"(line) : "memory");
  return true;
#else
  return false;
#endif
}

inline void fence() {
#if defined(__x86_64__)
  asm volatile("mfence" : : : "memory");
#elif defined(__aarch64__)
  asm volatile("dsb sy" : : : "memory");
#endif
}

// Follows K chases at once; K is a constant so that their positions stay in registers.
template <int K>
void follow_many(char** positions, uint64_t steps) {
  char* at[K];
  std::copy(positions, positions + K, at);
  for (uint64_t step = 0; step < steps; ++step) {
    for (int k = 0; k < K; ++k) {
      at[k] = follow(at[k]);
    }
  }
  std::copy(at, at + K, positions);
}

using FollowMany = void (*)(char**, uint64_t);
constexpr std::pair<int, FollowMany> kFollowers[] = {
    {1, follow_many<1>},   {2, follow_many<2>},   {4, follow_many<4>},   {8, follow_many<8>},
    {12, follow_many<12>}, {16, follow_many<16>}, {24, follow_many<24>}, {32, follow_many<32>}};

}  // namespace

Chain::Chain(Arena& arena, Layout layout, uint64_t nodes)
    : arena_(arena), layout_(layout), cycle_(nodes) {
  link_nodes();
}

Chain::Chain(Arena& arena, uint64_t stride_bytes, uint64_t nodes)
    : arena_(arena), layout_(Layout::strided), stride_bytes_(stride_bytes), cycle_(nodes) {
  link_nodes();
}

void Chain::link_nodes() {
  for (uint64_t node = 0; node < nodes(); ++node) {
    *reinterpret_cast<char**>(address(node)) = address(cycle_.next(node));
  }
  position_ = address(0);
}

char* Chain::address(uint64_t node) const {
  const uint64_t scattered = node * kScatter;
  switch (layout_) {
    case Layout::dense:
      return arena_.data() + node * kLineBytes;
    case Layout::onePerPage:
      return arena_.data() + node * kSmallPageBytes + (scattered >> 58) * kLineBytes;
    case Layout::fewPages: {
      const uint64_t page_step = std::bit_floor(arena_.bytes() / kSmallPageBytes / 512);
      const uint64_t page =
          node / 16 * page_step + ((node / 16 * kScatter >> 40) & (page_step - 1));
      return arena_.data() + page * kSmallPageBytes + node % 16 * 256 +
             (scattered >> 62) * kLineBytes;
    }
    case Layout::evenPages:
      return arena_.data() + node * kSmallPageBytes + (node + node / 64) % 64 * kLineBytes;
    case Layout::hugePages: {
      const uint64_t small_page =
          scattered >> 55;  // number of the node's 4 KiB within its 2 MiB page, 0 to 511
      return arena_.data() + node * kHugePageBytes + small_page * kSmallPageBytes +
             node % 64 * kLineBytes;
    }
    case Layout::strided:
      return arena_.data() + node * stride_bytes_;
  }
  return arena_.data();
}

void Chain::warm(uint64_t limit) {
  const uint64_t positions = cycle_.positions();
  const uint64_t count = std::min(positions, limit);
  uint64_t last = 0;
  for (uint64_t i = positions - count; i < positions; ++i) {
    const uint64_t node = cycle_.at(i);
    if (cycle_.is_node(node)) {
      static_cast<void>(follow(address(node)));
      last = node;
    }
  }
  position_ = address(cycle_.next(last));
}

bool Chain::flush() const {
  bool flushed = true;
  for (uint64_t node = 0; node < nodes(); ++node) {
    flushed = flush_line(address(node)) && flushed;
  }
  fence();
  return flushed;
}

Slice Chain::chase(uint64_t steps) {
  char* at = position_;
  const Slice slice = take_slice(steps, [&] { follow_many<1>(&at, steps); });
  position_ = at;
  chased_ += steps;
  return slice;
}

Slice Chain::chase_many(int count, uint64_t steps_each) {
  const auto follower = std::find_if(std::begin(kFollowers), std::end(kFollowers),
                                     [count](const auto& entry) { return entry.first >= count; });
  const int chains = follower->first;
  char* positions[32];
  for (int k = 0; k < chains; ++k) {
    const uint64_t start = cycle_.positions() / static_cast<uint64_t>(chains) * k + chased_;
    const uint64_t node = cycle_.at(start);
    positions[k] = address(cycle_.is_node(node) ? node : cycle_.next(node % nodes()));
  }
  chased_ += steps_each;
  return take_slice(steps_each * static_cast<uint64_t>(chains),
                    [&] { follower->second(positions, steps_each); });
}

std::vector<uint32_t> Chain::offsets() const {
  std::vector<uint32_t> offsets;
  for (uint64_t i = 0; i < cycle_.positions(); ++i) {
    if (cycle_.is_node(cycle_.at(i))) {
      offsets.push_back(static_cast<uint32_t>(address(cycle_.at(i)) - arena_.data()));
    }
  }
  return offsets;
}

Slice Chain::load_all() const {
  const std::vector<uint32_t> all = offsets();
  char* const base = arena_.data();
  return take_slice(nodes(), [&] {
    for (const uint32_t offset : all) {
      static_cast<void>(follow(base + offset));
    }
  });
}

Slice Chain::store_all() {
  const std::vector<uint32_t> all = offsets();
  char* const beside_links = arena_.data() + sizeof(char*);
  return take_slice(nodes(), [&] {
    for (const uint32_t offset : all) {
      *reinterpret_cast<volatile uint64_t*>(beside_links + offset) = offset;
    }
    fence();
  });
}

}  // namespace presort::probe
