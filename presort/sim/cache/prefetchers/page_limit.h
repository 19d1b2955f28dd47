// Limits a prefetcher to lines of the page that was accessed, unless it may cross pages.
#pragma once

#include <bit>
#include <cstdint>

namespace presort::inline v0::sim {

class PageLimit {
 public:
  // Makes a limit for pages of `lines_per_page` lines.
  // Requires: lines_per_page is a power of two
  PageLimit(uint64_t lines_per_page, bool cross_page)
      : shift_(cross_page ? 64 : std::countr_zero(lines_per_page)) {}

  bool crosses_pages() const { return shift_ == 64; }

  bool reaches(uint64_t from, uint64_t to) const {
    return crosses_pages() || (from ^ to) >> shift_ == 0;
  }

 private:
  int shift_;
};

}  // namespace presort::sim
