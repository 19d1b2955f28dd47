// Which page follows which in virtual memory, for prefetchers whose streams go on from page to page.
#pragma once

#include <cstdint>
#include <optional>

namespace presort::inline v0::sim {

class PageOrder {
 public:
  // The physical 4 KiB page that holds the virtual page after (`direction` 1) or before (-1) that of
  // physical page `page`. Pages are numbered from 0; nothing: no virtual page is known there.
  virtual std::optional<uint64_t> beside(uint64_t page, int direction) const = 0;

 protected:
  ~PageOrder() = default;
};

// Physical memory in the order of virtual memory.
class PagesInOrder final : public PageOrder {
 public:
  std::optional<uint64_t> beside(uint64_t page, int direction) const override {
    return direction < 0 && page == 0 ? std::nullopt
                                      : std::optional(page + static_cast<uint64_t>(direction));
  }
};
inline constexpr PagesInOrder kPagesInOrder;

}  // namespace presort::sim
