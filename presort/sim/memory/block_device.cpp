#include "presort/sim/memory/block_device.h"

#include <algorithm>

#include "presort/sim/memory/write_amplification.h"

namespace presort::inline v0::sim {

BlockDevice::BlockDevice(const Storage& storage, double clock_hz)
    : kind_(storage.kind),
      page_bytes_(static_cast<double>(storage.page_bytes)),
      latency_(storage.latency_ns * 1e-9 * clock_hz),
      request_(storage.request_ns * 1e-9 * clock_hz),
      read_cycles_per_page_(page_bytes_ / storage.read_bandwidth * clock_hz),
      write_cycles_per_page_(page_bytes_ / storage.write_bandwidth * clock_hz),
      positioning_((storage.seek_ns + storage.rotation_ns / 2) * 1e-9 * clock_hz),
      block_pages_(storage.erase_block_bytes / storage.page_bytes),
      over_provisioning_(storage.over_provisioning),
      queue_(storage.queue_depth) {}

BlockDevice::Served BlockDevice::serve(uint64_t first, uint64_t pages, double t, double transfer) {
  double service = std::max(request_, transfer);
  if (kind_ == DeviceKind::disk && first != head_) {
    service += positioning_;
    ++counts_.seeks;
  }
  head_ = first + pages;
  const double start = queue_.take(t);
  free_ = std::max(free_, start) + service;
  const double done = free_ + latency_;
  queue_.hold(done);
  return {start, done};
}

double BlockDevice::read(uint64_t first, uint64_t pages, double t) {
  const auto count = static_cast<double>(pages);
  ++counts_.reads;
  counts_.read_bytes += pages * static_cast<uint64_t>(page_bytes_);
  return serve(first, pages, t, count * read_cycles_per_page_).done;
}

// Flash pages that an SSD writes when the host writes a run of `run_pages` consecutive pages.
double BlockDevice::flash_pages(uint64_t run_pages) {
  if (run_pages == 0) {
    return 0;
  }
  const uint64_t units = std::max<uint64_t>(1, block_pages_ / run_pages);
  const auto [known, is_new] = amplifications_.try_emplace(units);
  if (is_new) {
    known->second = write_amplification(over_provisioning_, units);
  }
  return static_cast<double>(run_pages) * known->second;
}

BlockDevice::Written BlockDevice::write(uint64_t first, uint64_t pages, double t) {
  const auto count = static_cast<double>(pages);
  ++counts_.writes;
  counts_.written_bytes += pages * static_cast<uint64_t>(page_bytes_);
  double to_flash = count;
  if (kind_ == DeviceKind::ssd) {
    const uint64_t before = written_.extend(first, pages);
    const double more = flash_pages(before + pages) - flash_pages(before);
    counts_.flash_bytes += more * page_bytes_;
    // At least the pages themselves: a longer run is charged fewer copies than its start was
    to_flash = std::max(more, count);
  }
  const Served served = serve(first, pages, t, to_flash * write_cycles_per_page_);
  return {served.start, served.done};
}

}  // namespace presort::sim
