#include "presort/sim/cache/short_tags.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/sim/property.h"

namespace presort::inline v0::sim::short_tags_test {
namespace {

using test::between;
using test::holds;

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
    RC_ASSERT(match_32_short_tags(tags.data(), tag) == expected);
    for (uint32_t first = 0; first <= 24; first += 8) {
      RC_ASSERT(match_8_short_tags(tags.data() + first, tag) == (expected >> first & 0xff));
    }
  });
}

}  // namespace
}  // namespace presort::sim::short_tags_test
