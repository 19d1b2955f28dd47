#include "calls.h"

#include <algorithm>
#include <atomic>

namespace presort::inline v0::attack {

Affine Compose::operator()(Affine x, Affine y) const {
  if (fuse != nullptr && std::atomic_ref<uint64_t>((*fuse)[0]).fetch_sub(1) == 0) {
    throw OperatorFailure{};
  }
  return {x.a * y.a, x.b * y.a + y.b};
}

GuardedScratch::GuardedScratch(size_t bytes, Flaw flaw)
    : block_(bytes + 3 * kGuardBytes, kGuard),
      bytes_(flaw == Flaw::shortScratch && bytes > 0 ? bytes - 1 : bytes) {
  constexpr size_t kLine = 64;
  const size_t past_line = reinterpret_cast<uintptr_t>(block_.data()) % kLine;
  first_ = kGuardBytes + (kLine - past_line) % kLine + (flaw == Flaw::misalignedScratch ? 8 : 0);
}

std::span<std::byte> GuardedScratch::span() {
  return std::span(block_).subspan(first_, bytes_);
}

bool GuardedScratch::intact() const {
  const auto is_guard = [](std::byte byte) { return byte == kGuard; };
  const auto begin = block_.begin() + static_cast<std::ptrdiff_t>(first_);
  return std::all_of(block_.begin(), begin, is_guard) &&
         std::all_of(begin + static_cast<std::ptrdiff_t>(bytes_), block_.end(), is_guard);
}

CpuPlan draw_plan(Draw& draw, size_t m, std::string& text) {
  const auto add = [&text](const std::string& key, const std::string& value) {
    text += text.empty() ? "" : ",";
    text += key;
    text += '=';
    text += value;
  };
  const int bits = label_bits(m);
  const bool sorts = bits > 0 && draw.chance(60);
  const auto most = static_cast<size_t>(std::min(bits, kMaxBitsPerPass));
  add("sortBits", std::to_string(sorts ? 1 + draw.below(most) : 0));
  if (sorts) {
    constexpr const char* kBuffers[] = {"64B", "128B", "256B", "512B", "1KiB"};
    add("passes", std::to_string(1 + draw.below(3)));
    add("bufferBytes", draw.of(kBuffers));
    add("streaming", draw.chance(50) ? "true" : "false");
    add("layout", draw.chance(50) ? "pairs" : "separate");
    if (draw.chance(20)) {
      add("chunkBytes", "64KiB");
    }
  } else if (draw.chance(40)) {
    constexpr const char* kOthers[] = {"strategy=privateTables", "nSets=4", "rangePasses=3",
                                       "prefetchDistance=16"};
    text += std::string(",") + draw.of(kOthers);
  }
  add("threads", std::to_string(1 + draw.below(3)));
  add("pageSize", "4KiB");
  return parse_cpu_plan(text);
}

}  // namespace presort::attack
