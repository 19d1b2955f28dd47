#include "presort/predict/sampling/excerpt.h"

#include <algorithm>
#include <numeric>

namespace presort::inline v0::predict {

namespace {
// A multiple of the inputs in a page of memory, whatever bytes an input has
constexpr uint64_t kPageItems = 1024;
}  // namespace

std::vector<uint64_t> Excerpt::bounds(uint64_t n) const {
  const uint64_t before = std::accumulate(items_.begin(), items_.end() - 1, uint64_t{0});
  // Index of the input near which the excerpt's last piece begins.
  const auto place = static_cast<uint64_t>(static_cast<double>(n) * place_);
  uint64_t edge = place / kPageItems * kPageItems + kPageItems - ahead_ % kPageItems;
  if (edge < before || edge > n) {
    edge = std::min(n, before);  // too few inputs: no page boundary lies in range
  }
  std::vector<uint64_t> bounds = {edge - std::min(edge, before)};
  for (size_t i = 0; i + 1 < items_.size(); ++i) {
    bounds.push_back(std::min(edge, bounds.back() + items_[i]));
  }
  bounds.push_back(std::min(n, edge + items_.back()));
  return bounds;
}

std::vector<uint64_t> Excerpt::first_items(uint64_t n) {
  constexpr uint64_t kLead = 2;
  return {0, std::min(kLead, n / 2), std::min(4 * kLead, n)};
}

std::vector<Excerpt::Piece> Excerpt::pieces() const {
  std::vector<Piece> pieces;
  size_t begin = 0;
  for (const End& end : ends_) {
    pieces.push_back({std::span(records_).subspan(begin, end.record - begin), end.items});
    begin = end.record;
  }
  return pieces;
}

}  // namespace presort::predict
