#include "presort/sim/gpu/gpu_counts.h"

#include <algorithm>

namespace presort::inline v0::sim::gpu {
namespace {

constexpr double GpuCounts::*kMembers[] = {
    &GpuCounts::sectors,      &GpuCounts::l1_hits,       &GpuCounts::l2_hits,
    &GpuCounts::l2_misses,    &GpuCounts::far,           &GpuCounts::atomic_sectors,
    &GpuCounts::atomic_lanes, &GpuCounts::memory_read,   &GpuCounts::memory_written,
    &GpuCounts::rows,         &GpuCounts::shared_passes, &GpuCounts::shared_least,
    &GpuCounts::walks,        &GpuCounts::load_misses,
};
static_assert(sizeof(kMembers) / sizeof(kMembers[0]) * sizeof(double) == sizeof(GpuCounts));

}  // namespace

GpuCounts& GpuCounts::operator+=(const GpuCounts& other) {
  for (const auto member : kMembers) {
    this->*member += other.*member;
  }
  return *this;
}

GpuCounts GpuCounts::scaled(double factor) const {
  GpuCounts counts = *this;
  for (const auto member : kMembers) {
    counts.*member *= factor;
  }
  return counts;
}

const GpuBusy& longest(const std::vector<GpuBusy>& busy) {
  return *std::max_element(busy.begin(), busy.end(),
                           [](const GpuBusy& a, const GpuBusy& b) { return a.ns < b.ns; });
}

}  // namespace presort::sim::gpu
