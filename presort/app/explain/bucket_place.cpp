#include "presort/app/explain/bucket_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "presort/app/validate/score/regimes.h"

namespace presort::inline v0::app {

namespace {

constexpr uint64_t kLine = 64;  // bytes of a cache line; a bucket of an input touches at most one

bool in_order(const Distribution& distribution) {
  switch (distribution.kind) {
    case DistributionKind::sequential:
    case DistributionKind::sorted:
    case DistributionKind::degenerate:
      return true;
    default:
      return false;
  }
}

// The last TLB level that has entries for pages of a size.
const TlbLevel* last_tlb(const Machine& machine, uint64_t page_bytes) {
  const TlbLevel* last = nullptr;
  for (const TlbLevel& level : machine.tlb) {
    const auto& sizes = level.page_bytes;
    if (std::find(sizes.begin(), sizes.end(), page_bytes) != sizes.end()) {
      last = &level;
    }
  }
  return last;
}

}  // namespace

std::string about_bytes(uint64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  const bool fraction = value < 10 && std::abs(value - std::round(value)) >= 0.05;
  return fraction ? fmt::format("{:.1f}{}", value, kUnits[unit])
                  : fmt::format("{:.0f}{}", value, kUnits[unit]);
}

BucketPlace bucket_place(const Machine& machine, const Problem& problem, PageSize page_size,
                         double parts) {
  BucketPlace place;
  const double all =
      static_cast<double>(std::min(problem.m * size_bytes(problem.types.value), problem.n * kLine));
  place.bytes = static_cast<uint64_t>(std::ceil(all / parts));
  place.level = holding_level(machine, place.bytes);
  place.in_order = in_order(problem.distribution);
  const uint64_t host = machine.walk.nested_host_page_bytes.value_or(page_bytes(page_size));
  place.page_bytes = std::min(page_bytes(page_size), host);
  if (const TlbLevel* tlb = last_tlb(machine, place.page_bytes)) {
    place.tlb_entries = tlb->entries;
  }
  return place;
}

std::string fit_text(const Machine& machine, const BucketPlace& place) {
  const bool fits = place.level < machine.caches.size();
  const CacheLevel& level = fits ? machine.caches[place.level] : machine.caches.back();
  const std::string verb = fits ? "fit" : "do not fit";
  if (level.share < 1) {
    const auto left = static_cast<uint64_t>(static_cast<double>(level.size_bytes) * level.share);
    return fmt::format("{} in the {} that neighbours leave of the {} {}", verb, about_bytes(left),
                       about_bytes(level.size_bytes), level.name);
  }
  return fmt::format("{} in the {} {}", verb, about_bytes(level.size_bytes), level.name);
}

std::optional<std::string> pages_text(const Machine& machine, const BucketPlace& place,
                                      PageSize page_size) {
  const uint64_t pages = (place.bytes + place.page_bytes - 1) / place.page_bytes;
  if (!place.tlb_entries || place.in_order || pages <= *place.tlb_entries) {
    return std::nullopt;
  }
  return fmt::format("the {} of buckets are {} pages of {}{}, more than the {} that the {} holds",
                     about_bytes(place.bytes), pages, about_bytes(place.page_bytes),
                     place.page_bytes < page_bytes(page_size) ? " (the host's)" : "",
                     *place.tlb_entries, last_tlb(machine, place.page_bytes)->name);
}

}  // namespace presort::app
