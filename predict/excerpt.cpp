#include "predict/excerpt.h"

#include <algorithm>

namespace presort::predict {

namespace {
constexpr uint64_t kPageItems = 1024;  // a whole number of pages whatever an input takes
}  // namespace

std::array<uint64_t, Excerpt::kPieces + 1> Excerpt::bounds(uint64_t n) const {
  const uint64_t before = items_[0] + items_[1];
  // Where the last piece begins.
  const auto place = static_cast<uint64_t>(static_cast<double>(n) * place_);
  uint64_t edge = place / kPageItems * kPageItems + kPageItems - ahead_ % kPageItems;
  if (edge < before || edge > n) {
    edge = std::min(n, before);  // too few inputs for a page: its start is at the first of them
  }
  const uint64_t first = edge - std::min(edge, before);
  return {first, std::min(edge, first + items_[0]), edge, std::min(n, edge + items_[2])};
}

std::vector<Excerpt::Piece> Excerpt::pieces() const {
  std::vector<Piece> pieces;
  size_t begin = 0;
  for (const End& end : ends_) {
    if (end.items > 0) {
      pieces.push_back({std::span(records_).subspan(begin, end.record - begin), end.items});
    }
    begin = end.record;
  }
  return pieces;
}

}  // namespace presort::predict
