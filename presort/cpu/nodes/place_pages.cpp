#include "presort/cpu/nodes/place_pages.h"

#include <algorithm>

#include "presort/cpu/threads/shares.h"

namespace presort::inline v0::cpu {

std::vector<OwnedBytes> shared_bytes(size_t bytes, size_t threads, size_t from) {
  std::vector<OwnedBytes> owned;
  for (size_t t = 0; t < threads; ++t) {
    const Share share = share_of(bytes, t, threads);
    if (share.count() > 0) {
      owned.push_back({from + share.first, from + share.last, t});
    }
  }
  return owned;
}

std::vector<NodePages> pages_of(const std::vector<OwnedBytes>& owned, size_t offset,
                                size_t page_bytes, const std::vector<size_t>& node_of_thread) {
  std::vector<NodePages> pages;
  for (const OwnedBytes& part : owned) {
    const size_t node = node_of_thread[part.thread];
    const size_t begin = (offset + part.first) / page_bytes * page_bytes;
    const size_t end = (offset + part.last + page_bytes - 1) / page_bytes * page_bytes;
    const size_t first = pages.empty() ? begin : std::max(begin, pages.back().last);
    if (part.first == part.last || first >= end) {
      continue;
    }
    if (!pages.empty() && pages.back().node == node && pages.back().last == first) {
      pages.back().last = end;
    } else {
      pages.push_back({first, end, node});
    }
  }
  return pages;
}

std::vector<NodePages> pages_in_turn(size_t bytes, size_t page_bytes, size_t nodes) {
  constexpr size_t kMostPieces = 1024;
  const size_t piece = (bytes / page_bytes + kMostPieces - 1) / kMostPieces * page_bytes;
  std::vector<NodePages> pages;
  for (size_t first = 0; first < bytes; first += piece) {
    pages.push_back({first, std::min(bytes, first + piece), pages.size() % nodes});
  }
  return pages;
}

void place_pages(std::span<std::byte> array, const std::vector<OwnedBytes>& owned,
                 const Resources& resources, const std::vector<size_t>& node_of_thread,
                 size_t nodes, const PageBinder& binder) {
  if (array.empty()) {
    return;
  }
  const size_t page = page_bytes(resources.page_size);
  const size_t offset = reinterpret_cast<uintptr_t>(array.data()) % page;
  std::byte* const first_page = array.data() - offset;
  const size_t all = (offset + array.size() + page - 1) / page * page;
  const auto bind = [&](const std::vector<NodePages>& pieces) {
    for (const NodePages& pages : pieces) {
      binder.bind({first_page + pages.first, pages.last - pages.first}, pages.node);
    }
  };
  switch (resources.placement) {
    case Placement::firstTouch:
      return bind({{0, all, node_of_thread.front()}});
    case Placement::interleaved:
      return bind(pages_in_turn(all, page, nodes));
    case Placement::byShare:
      return bind(pages_of(owned, offset, page, node_of_thread));
  }
}

}  // namespace presort::cpu
