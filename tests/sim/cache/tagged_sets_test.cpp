#include "presort/sim/cache/tagged_sets.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <new>

#include "presort/sim/cache/host_memory.h"

namespace presort::inline v0::sim::tagged_sets_test {
namespace {

constexpr uint64_t kWays[] = {1, 7, 8, 9, 11, 16, 17, 40};
constexpr uint64_t kSets[] = {1, 2, 5};

bool begins_a_host_line(const void* address) {
  return reinterpret_cast<uintptr_t>(address) % kHostLine == 0;
}

TEST_CASE("tagged sets are empty at first, and none shares memory with another") {
  for (const uint64_t ways : kWays) {
    for (const uint64_t sets : kSets) {
      const TaggedSets tagged(sets, ways);
      CHECK(tagged.short_count() >= ways);
      CHECK(tagged.short_count() % kShortTagsAtATime == 0);
      uint64_t next = 1;
      for (uint64_t set = 0; set < sets; ++set) {
        CHECK(begins_a_host_line(tagged.short_tags(set)));
        for (uint64_t way = 0; way < tagged.short_count(); ++way) {
          CHECK(tagged.short_tags(set)[way] == 0);
        }
        for (uint64_t way = 0; way < ways; ++way) {
          CHECK(tagged.tags(set)[way] == 0);
          tagged.short_tags(set)[way] = static_cast<uint16_t>(next);
          tagged.tags(set)[way] = next << 32;
          ++next;
        }
      }
      next = 1;
      for (uint64_t set = 0; set < sets; ++set) {
        for (uint64_t way = 0; way < ways; ++way, ++next) {
          CHECK(tagged.short_tags(set)[way] == next);
          CHECK(tagged.tags(set)[way] == next << 32);
        }
        for (uint64_t way = ways; way < tagged.short_count(); ++way) {
          CHECK(tagged.short_tags(set)[way] == 0);
        }
      }
    }
  }
}

TEST_CASE("memory of the simulator's arrays is zeroed, on both sides of a huge page's half") {
  constexpr uint64_t kHalf = uint64_t{1} << 20;
  for (const uint64_t bytes : {uint64_t{1}, kHostLine - 1, kHostLine, kHostLine + 1, kHalf - 1,
                               kHalf, kHalf + 1, 2 * kHalf, 2 * kHalf + 1}) {
    for (int round = 0; round < 2; ++round) {  // the second round gets memory that was written
      const HostArray<unsigned char> array(static_cast<unsigned char*>(zeroed_host_memory(bytes)));
      CHECK(begins_a_host_line(array.get()));
      uint64_t set_bytes = 0;
      for (uint64_t at = 0; at < bytes; ++at) {
        set_bytes += array[at] != 0;
        array[at] = 0xff;
      }
      CHECK(set_bytes == 0);
    }
  }
}

TEST_CASE("memory that no machine has is refused") {
  CHECK_THROWS_AS(zeroed_host_memory(~uint64_t{0}), std::bad_alloc);
  CHECK_THROWS_AS(TaggedSets(uint64_t{1} << 60, 16), std::bad_alloc);
}

}  // namespace
}  // namespace presort::sim::tagged_sets_test
