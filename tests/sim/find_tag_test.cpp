#include "sim/cache/find_tag.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/sim/property.h"

namespace presort::sim {
namespace {

using test::between;
using test::holds;

TEST_CASE("the first equal tag from begin on is found, or count") {
  holds("against a plain loop", [] {
    const uint64_t mask = between(0, 1) == 0 ? ~uint64_t{3} : ~uint64_t{0};
    // Few values, and values that differ in one half only.
    const auto word = rc::gen::element<uint64_t>(0, 4, 5, 7, 8, uint64_t{4} << 32,
                                                 (uint64_t{4} << 32) + 4, ~uint64_t{0});
    const auto tags = *rc::gen::container<std::vector<uint64_t>>(word);
    const uint64_t tag = *word & mask;
    const auto begin = between<size_t>(0, tags.size());
    size_t expected = begin;
    while (expected < tags.size() && (tags[expected] & mask) != tag) {
      ++expected;
    }
    RC_ASSERT(find_tag(tags.data(), begin, tags.size(), mask, tag) == expected);
  });
}

TEST_CASE("short tags are matched one bit each") {
  holds("against a plain loop", [] {
    std::vector<uint16_t> tags;
    for (int i = 0; i < 32; ++i) {
      tags.push_back(*rc::gen::element<uint16_t>(0, 1, 0x7fff, 0x8000, 0xffff));
    }
    const auto tag = *rc::gen::element<uint16_t>(0, 1, 0x7fff, 0x8000, 0xffff);
    uint32_t expected = 0;
    for (uint32_t i = 0; i < 32; ++i) {
      expected |= tags[i] == tag ? uint32_t{1} << i : 0;
    }
    RC_ASSERT(match_short_tags(tags.data(), tag) == expected);
  });
}

}  // namespace
}  // namespace presort::sim
