// In which slice an address lies (sim/gpu/slices.h), against bits that are folded one by one.
#include "presort/sim/gpu/slices.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <vector>

#include "presort/core/base/random.h"

namespace presort::inline v0::sim::gpu::slices_test {
namespace {

// Oracle: the bits of an address as a list, lowest first; each folded bit is joined to the one below and taken
// out, the highest first.
uint64_t without(uint64_t address, const std::vector<int>& folded) {
  std::vector<bool> bits(64);
  for (size_t i = 0; i < bits.size(); ++i) {
    bits[i] = (address >> i & 1) != 0;
  }
  for (size_t i = folded.size(); i-- > 0;) {
    const auto bit = static_cast<size_t>(folded[i]);
    bits[bit - 1] = bits[bit - 1] != bits[bit];
    bits.erase(bits.begin() + folded[i]);
  }
  uint64_t left = 0;
  for (size_t i = 0; i < bits.size(); ++i) {
    left |= static_cast<uint64_t>(bits[i]) << i;
  }
  return left;
}

TEST_CASE("folded bits choose no slice by themselves") {
  GpuL2 plain;
  plain.slices = 96;
  plain.interleave_bytes = 256;
  GpuL2 folded = plain;
  folded.folded_bytes = {512, 16 << 10, 64 << 10};
  for (uint64_t i = 0; i < 1000; ++i) {
    const uint64_t address = random_u64(7, i) >> 24;
    CHECK(slice_of(folded, address) == slice_of(plain, without(address, {9, 14, 16})));
  }
}

TEST_CASE("as many neighbouring pieces as there are slices lie in one slice each") {
  for (const uint64_t interleave : {uint64_t{0}, uint64_t{32}, uint64_t{4096}}) {
    GpuL2 l2;
    l2.slices = 24;
    l2.interleave_bytes = interleave;
    const uint64_t piece = interleave > 0 ? interleave : l2.line_bytes;
    for (uint64_t row = 0; row < 50; ++row) {
      std::set<size_t> slices;
      for (uint64_t i = 0; i < 24; ++i) {
        const uint64_t first = (row * 24 + i) * piece;
        slices.insert(slice_of(l2, first));
        CHECK(slice_of(l2, first) == slice_of(l2, first + piece - 1));
      }
      CHECK(slices.size() == 24);
      CHECK(*slices.rbegin() == 23);
    }
  }
}

}  // namespace
}  // namespace presort::sim::gpu::slices_test
