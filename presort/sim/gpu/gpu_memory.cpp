#include "presort/sim/gpu/gpu_memory.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "presort/core/machine/replacement.h"
#include "presort/sim/gpu/banks.h"
#include "presort/sim/gpu/slices.h"

namespace presort::inline v0::sim::gpu {
namespace {

uint64_t l1_sets(const GpuHardware& gpu) {
  return std::max<uint64_t>(gpu.l1.size_bytes / (gpu.l2.line_bytes * gpu.l1.ways), 1);
}

// L1s that are simulated; multiprocessors take them by turns. One has seen its share of a table sooner than
// each of a hundred would.
constexpr int kSimulatedL1s = 8;

double ns_of_cycles(const GpuHardware& gpu, double cycles) {
  return cycles / gpu.clock_hz * 1e9;
}

}  // namespace

GpuMemory::GpuMemory(const GpuHardware& gpu, int shift)
    : gpu_(gpu),
      scale_(std::exp2(shift)),
      l2_(gpu, shift),
      slice_bytes_(static_cast<size_t>(gpu.l2.slices)),
      slice_requests_(static_cast<size_t>(gpu.l2.slices)),
      slice_atomics_(static_cast<size_t>(gpu.l2.slices)),
      slice_ns_(static_cast<size_t>(gpu.l2.slices)) {
  if (gpu.l1.size_bytes > 0) {
    for (int i = 0; i < std::min(gpu.multiprocessors, kSimulatedL1s); ++i) {
      l1_.emplace_back(l1_sets(gpu), gpu.l1.ways, Replacement::lru, true, 1,
                       gpu.l2.line_bytes / gpu.l2.sector_bytes);
    }
  }
}

void GpuMemory::access(int multiprocessor, const WarpAccess& access) {
  if (warms_l2_alone_) {
    leave_in_l2(access);
    return;
  }
  const Coalesced coalesced(access, gpu_.l2.sector_bytes);
  const int shift = std::countr_zero(gpu_.l2.line_bytes / gpu_.l2.sector_bytes);
  // Lines that the access asks the L2 for: a change of the line from one request to the next is a new one.
  int lines = 0;
  int from_l2 = 0;
  int hits = 0;
  uint64_t line_before = ~uint64_t{0};
  for (const SectorRequest& request : coalesced.requests()) {
    counts_.sectors += 1;
    if (access.kind == WarpAccessKind::load && hits_l1(multiprocessor, request.sector)) {
      ++hits;
      waited_ns_ += ns_of_cycles(gpu_, gpu_.l1.latency_cycles);
      continue;
    }
    const uint64_t line = request.sector >> shift;
    const size_t slice = slice_of(gpu_.l2, request.sector * gpu_.l2.sector_bytes);
    if (line != line_before) {
      ++lines;
      slice_requests_[slice] += 1;
    }
    line_before = line;
    translate(request.sector * gpu_.l2.sector_bytes);
    send(multiprocessor, slice, request, access);
    from_l2 += access.kind == WarpAccessKind::load ? 1 : 0;
  }
  counts_.l1_hits += hits;
  // The L1 lies in the banks of shared memory: hits take passes over them.
  const double passes = hits == 0 ? 0
                                  : static_cast<double>(bank_passes(access, gpu_.shared)) * hits /
                                        static_cast<double>(coalesced.requests().size());
  multiprocessor_cycles_ += passes + std::max(lines / gpu_.requests_of_cycle,
                                              from_l2 * static_cast<double>(gpu_.l2.sector_bytes) /
                                                  gpu_.fill_bytes_of_cycle);
}

void GpuMemory::leave_in_l2(const WarpAccess& access) {
  const int shift = std::countr_zero(gpu_.l2.sector_bytes);
  uint64_t before = ~uint64_t{0};
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    const uint64_t sector = access.addresses[static_cast<size_t>(lane)] >> shift;
    if (!access.has_lane(lane) || sector == before) {
      continue;
    }
    before = sector;
    if (l2_.samples(sector)) {
      l2_.access(sector, access.kind);
    }
  }
}

bool GpuMemory::hits_l1(int multiprocessor, uint64_t sector) {
  if (l1_.empty()) {
    return false;
  }
  CacheArray& l1 = l1_[static_cast<size_t>(multiprocessor) % l1_.size()];
  if (l1.access(sector, false).hit) {
    return true;
  }
  l1.insert(sector, CacheArray::kNone);
  return false;
}

void GpuMemory::send(int multiprocessor, size_t slice, const SectorRequest& request,
                     const WarpAccess& access) {
  const WarpAccessKind kind = access.kind;
  const int slices_of_partition = gpu_.l2.slices / gpu_.l2.partitions;
  const bool is_far =
      static_cast<int>(slice) / slices_of_partition != multiprocessor % gpu_.l2.partitions;
  counts_.far += is_far ? 1 : 0;
  slice_bytes_[slice] += static_cast<double>(gpu_.l2.sector_bytes);
  if (kind == WarpAccessKind::atomic || kind == WarpAccessKind::swap) {
    counts_.atomic_sectors += 1;
    counts_.atomic_lanes += request.lanes;
    slice_atomics_[slice] += 1;
    slice_ns_[slice] +=
        1e9 * std::max(1 / gpu_.l2.line_atomics, request.same_address / gpu_.l2.address_atomics);
  }
  // A store of a part of a sector takes the turn of an atomic, and brings the rest in, with ECC. Lanes
  // at one address are taken to store different parts.
  const bool reads_rest =
      kind == WarpAccessKind::store && gpu_.memory.ecc &&
      static_cast<uint64_t>(request.lanes) * access.bytes < gpu_.l2.sector_bytes;
  slice_atomics_[slice] += reads_rest ? 1 : 0;
  if (!l2_.samples(request.sector)) {
    return;
  }
  const bool hit = l2_.access(request.sector, reads_rest ? WarpAccessKind::atomic : kind);
  (hit ? sampled_hits_ : sampled_misses_) += 1;
  if (kind == WarpAccessKind::load) {
    sampled_load_misses_ += hit ? 0 : 1;
    const double l2_ns =
        ns_of_cycles(gpu_, gpu_.l2.latency_cycles + (is_far ? gpu_.l2.far_cycles : 0));
    waited_ns_ += scale_ * (hit ? l2_ns : std::max(l2_ns, gpu_.memory.latency_ns));
  }
}

void GpuMemory::translate(uint64_t address) {
  const uint64_t page = address / gpu_.tlb.page_bytes;
  if (gpu_.tlb.reach_bytes == 0 || page == last_page_) {
    return;
  }
  last_page_ = page;
  const auto found = place_of_page_.find(page);
  if (found != place_of_page_.end()) {
    pages_.splice(pages_.begin(), pages_, found->second);
    return;
  }
  counts_.walks += 1;
  pages_.push_front(page);
  place_of_page_[page] = pages_.begin();
  if (pages_.size() > gpu_.tlb.reach_bytes / gpu_.tlb.page_bytes) {
    place_of_page_.erase(pages_.back());
    pages_.pop_back();
  }
}

void GpuMemory::access_shared(const WarpAccess& access) {
  if (warms_l2_alone_) {
    return;
  }
  const int passes = bank_passes(access, gpu_.shared);
  counts_.shared_passes += passes;
  counts_.shared_least += least_passes(access, gpu_.shared);
  multiprocessor_cycles_ += cycles_of_passes(passes, access.kind, gpu_.shared);
}

void GpuMemory::add_shared_passes(double passes) {
  counts_.shared_passes += passes;
  counts_.shared_least += passes;
  multiprocessor_cycles_ += passes;
}

void GpuMemory::clear_counts() {
  counts_ = {};
  l2_.clear_counts();
  sampled_hits_ = sampled_misses_ = sampled_load_misses_ = multiprocessor_cycles_ = waited_ns_ = 0;
  for (std::vector<double>* each : {&slice_bytes_, &slice_requests_, &slice_atomics_, &slice_ns_}) {
    std::fill(each->begin(), each->end(), 0.0);
  }
}

GpuCounts GpuMemory::counts() const {
  GpuCounts counts = counts_;
  counts.l2_hits = scale_ * sampled_hits_;
  counts.l2_misses = scale_ * sampled_misses_;
  counts.load_misses = scale_ * sampled_load_misses_;
  counts.memory_read = scale_ * static_cast<double>(l2_.memory_reads());
  counts.memory_written = scale_ * static_cast<double>(l2_.memory_writes());
  counts.rows = scale_ * static_cast<double>(l2_.row_reads() + l2_.row_writes());
  return counts;
}

std::vector<GpuBusy> GpuMemory::busy_ns() const {
  const auto most = [](const std::vector<double>& values) {
    return *std::max_element(values.begin(), values.end());
  };
  const GpuCounts all = counts();
  const double slices = gpu_.l2.slices;
  const auto sector = static_cast<double>(gpu_.l2.sector_bytes);
  const GpuDeviceMemory& memory = gpu_.memory;
  const double rows = scale_ * (static_cast<double>(l2_.row_reads()) / memory.row_reads +
                                static_cast<double>(l2_.row_writes()) / memory.row_writes);
  const double request_ns =
      gpu_.l2.requests > 0 ? 1e9 * most(slice_requests_) * slices / gpu_.l2.requests : 0;
  return {
      {"L1 and shared memory", ns_of_cycles(gpu_, multiprocessor_cycles_ / gpu_.multiprocessors)},
      {"L2", std::max(1e9 * most(slice_bytes_) * slices / gpu_.l2.bandwidth, request_ns)},
      {"atomics", 1e9 * most(slice_atomics_) * slices / gpu_.l2.atomics},
      {"atomics at one slice", most(slice_ns_)},
      {"memory", 1e9 * sector * (all.memory_read + all.memory_written) / memory.bandwidth},
      {"memory rows", 1e9 * rows},
      {"translation", all.walks * gpu_.tlb.walk_ns / gpu_.tlb.walkers},
      {"latency",
       waited_ns_ / (static_cast<double>(gpu_.multiprocessors) * gpu_.outstanding_sectors)},
  };
}

}  // namespace presort::sim::gpu
