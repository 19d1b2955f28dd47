#include "presort/cpu/phases/behind_in_page.h"

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace presort::inline v0::cpu::behind_in_page_test {
namespace {

constexpr size_t kPage = 4096;

struct Staged {
  std::array<std::byte, 768> bytes;
};

size_t page_offset(const void* place) {
  return reinterpret_cast<uintptr_t>(place) % kPage;
}

// Number of pairs of bytes, one of each of two arrays, that have equal offsets within their pages.
size_t shared_offsets(const std::byte* a, size_t a_bytes, const std::byte* b, size_t b_bytes) {
  std::array<bool, kPage> taken{};
  for (size_t i = 0; i < a_bytes; ++i) {
    taken[page_offset(a + i)] = true;
  }
  size_t shared = 0;
  for (size_t i = 0; i < b_bytes; ++i) {
    shared += taken[page_offset(b + i)] ? 1 : 0;
  }
  return shared;
}

TEST_CASE("what stands behind an array in its page shares no offset with it") {
  std::vector<std::byte> memory(3 * kPage);
  for (size_t first = 0; first < kPage; first += 8) {
    for (const size_t bytes : {size_t{8}, size_t{128}, size_t{2048}, kPage - sizeof(Staged) - 64}) {
      const std::byte* array = memory.data() + first;
      BehindInPage<Staged> staged(array + bytes);
      REQUIRE(page_offset(&*staged) % 64 == 0);
      REQUIRE(shared_offsets(array, bytes, (*staged).bytes.data(), sizeof(Staged)) == 0);
    }
  }
}

TEST_CASE("behind an array that fills a page it is somewhere, and usable") {
  std::vector<std::byte> memory(2 * kPage);
  BehindInPage<Staged> staged(memory.data() + memory.size());
  (*staged).bytes.fill(std::byte{7});
  CHECK((*staged).bytes.back() == std::byte{7});
  BehindInPage<Staged> of_nothing(nullptr);
  (*of_nothing).bytes.fill(std::byte{8});
  CHECK((*staged).bytes.front() == std::byte{7});
}

}  // namespace
}  // namespace presort::cpu::behind_in_page_test
