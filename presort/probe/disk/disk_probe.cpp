#include "presort/probe/disk/disk_probe.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "presort/core/error.h"
#include "presort/core/measurement.h"
#include "presort/core/text/units.h"
#include "presort/cpu/pages.h"
#include "presort/external/block_writer.h"
#include "presort/external/spill.h"
#include "presort/external/transfers/transfers.h"

namespace presort::inline v0::probe {
namespace {

constexpr uint64_t kStreamBlock = uint64_t{1} << 20;
constexpr uint64_t kPageBytes = 4096;
constexpr size_t kStreamDepth = 8;
constexpr size_t kMostDepth = 128;
constexpr size_t kRandomReads = 2000;  // of one piece, with many at a time; one at a time a tenth

class DiskFile {
 public:
  DiskFile(const std::string& folder, const DiskOptions& options)
      : options_(options),
        blocks_(std::max<uint64_t>(64, options.file_bytes / kStreamBlock)),
        spill_(folder, 1, blocks_ * kStreamBlock),
        transfers_(external::make_transfers()),
        memory_(kMostDepth * kStreamBlock / 4, PageSize::k2MiB, options.stop) {
    // Bytes that a device cannot take for nothing
    std::mt19937_64 random(1);
    for (uint64_t& word : memory_.array<uint64_t>(memory_.size() / sizeof(uint64_t))) {
      word = random();
    }
  }

  bool is_direct() const { return spill_.is_direct(); }
  std::string means() const { return transfers_->means(); }
  uint64_t pages() const { return blocks_ * kStreamBlock / kPageBytes; }
  uint64_t blocks() const { return blocks_; }

  // Time of `count` transfers of `bytes` bytes, `depth` at a time, at offset_of(i), in seconds.
  double seconds(external::Transfer::Kind kind, size_t count, uint64_t bytes, size_t depth,
                 const std::function<uint64_t(size_t)>& offset_of) {
    std::vector<external::Transfers::Ticket> tickets(count);
    const auto begin = std::chrono::steady_clock::now();
    const auto finish = [&](size_t i) {
      const external::Outcome outcome = transfers_->finish(tickets[i]);
      if (outcome.error != 0 || outcome.bytes != bytes) {
        throw InputError(spill_.name() + ": a transfer failed: " + std::strerror(outcome.error));
      }
    };
    size_t finished = 0;
    try {
      for (size_t i = 0; i < count; ++i) {
        if (i - finished == depth) {
          finish(finished++);
        }
        tickets[i] = transfers_->start(
            {kind, spill_.file(), offset_of(i), memory_.data() + i % depth * bytes, bytes});
      }
      while (finished < count) {
        finish(finished++);
      }
    } catch (...) {
      transfers_.reset();  // nothing may go on in memory that is given back
      throw;
    }
    options_.stop.check();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    return spent.count();
  }

 private:
  const DiskOptions& options_;
  uint64_t blocks_;
  external::Spill spill_;
  std::unique_ptr<external::Transfers> transfers_;
  cpu::PageBuffer memory_;
};

DiskValue value_of(const std::vector<double>& pieces) {
  const double middle = median(pieces);
  return {middle, median_absolute_deviation(pieces) / middle};
}

// Bytes a second of all blocks, in `turns` pieces.
DiskValue bandwidth(DiskFile& file, external::Transfer::Kind kind, int turns) {
  std::vector<double> pieces;
  const uint64_t blocks = file.blocks() / static_cast<uint64_t>(turns);
  for (int turn = 0; turn < turns; ++turn) {
    const uint64_t first = static_cast<uint64_t>(turn) * blocks;
    const double seconds = file.seconds(kind, blocks, kStreamBlock, kStreamDepth,
                                        [&](size_t i) { return (first + i) * kStreamBlock; });
    pieces.push_back(static_cast<double>(blocks * kStreamBlock) / seconds);
  }
  return value_of(pieces);
}

// Time between random reads of a page, `depth` at a time, ns.
DiskValue read_ns(DiskFile& file, size_t depth, int turns) {
  std::vector<double> pieces;
  std::mt19937_64 random(depth);
  const size_t count = depth == 1 ? kRandomReads / 10 : kRandomReads;
  for (int turn = 0; turn < turns; ++turn) {
    const double seconds =
        file.seconds(external::Transfer::Kind::read, count, kPageBytes, depth,
                     [&](size_t) { return random() % file.pages() * kPageBytes; });
    pieces.push_back(seconds * 1e9 / static_cast<double>(count));
  }
  return value_of(pieces);
}

}  // namespace

DiskMeasurement measure_disk(const std::string& folder, const DiskOptions& options) {
  DiskFile file(folder, options);
  DiskMeasurement measured;
  measured.is_direct = file.is_direct();
  measured.means = file.means();
  // Room that was taken is written once before it is timed: its first write is another
  bandwidth(file, external::Transfer::Kind::write, 1);
  measured.write_bandwidth = bandwidth(file, external::Transfer::Kind::write, options.turns);
  measured.read_bandwidth = bandwidth(file, external::Transfer::Kind::read, options.turns);
  std::vector<std::pair<size_t, DiskValue>> depths;
  for (size_t depth = 1; depth <= kMostDepth; depth *= 2) {
    depths.emplace_back(depth, read_ns(file, depth, options.turns));
  }
  const auto fastest = std::min_element(
      depths.begin(), depths.end(),
      [](const auto& a, const auto& b) { return a.second.value < b.second.value; });
  measured.request_ns = fastest->second;
  measured.latency_ns = depths.front().second;
  measured.latency_ns.value =
      std::max(0.0, measured.latency_ns.value -
                        std::max(measured.request_ns.value, static_cast<double>(kPageBytes) * 1e9 /
                                                                measured.read_bandwidth.value));
  for (const auto& [depth, ns] : depths) {
    if (ns.value * 0.95 <= measured.request_ns.value) {
      measured.queue_depth = static_cast<int>(depth);
      break;
    }
  }
  return measured;
}

std::string storage_section(const DiskMeasurement& measured, uint64_t page_cache_bytes) {
  const bool turns = measured.latency_ns.value > 2e6;
  std::string text = "storage:\n";
  const auto row = [&](const char* key, const std::string& value, const std::string& comment) {
    const std::string line = std::string("  ") + key + ": " + value;
    text +=
        line + std::string(line.size() < 34 ? 34 - line.size() : 1, ' ') + "# " + comment + "\n";
  };
  const auto percent = [](const DiskValue& value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "measured, ± %.1f %%", value.spread * 100);
    return std::string(buffer);
  };
  const auto microseconds = [](double ns) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.3fus", ns / 1e3);
    return std::string(buffer);
  };
  const auto gigabytes = [](double bytes_per_second) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.4gGB/s", bytes_per_second / 1e9);
    return std::string(buffer);
  };
  row("kind", turns ? "disk" : "ssd", "by its latency: a disk's is above 2 ms");
  row("pageCache", format_bytes(page_cache_bytes / kPageBytes * kPageBytes),
      "half of the memory left");
  row("queueDepth", std::to_string(measured.queue_depth),
      "measured: 95 % of the most requests a second");
  row("latency", microseconds(turns ? 0 : measured.latency_ns.value), percent(measured.latency_ns));
  row("requestTime", microseconds(turns ? 0 : measured.request_ns.value),
      percent(measured.request_ns));
  row("readBandwidth", gigabytes(measured.read_bandwidth.value), percent(measured.read_bandwidth));
  row("writeBandwidth", gigabytes(measured.write_bandwidth.value),
      percent(measured.write_bandwidth));
  if (turns) {
    // Half a turn of 7200 a minute, and the rest of the latency
    row("rotation", "8.33ms", "assumed: 7200 turns a minute");
    row("seek", microseconds(std::max(0.0, measured.latency_ns.value - 4.165e6)),
        percent(measured.latency_ns) + ", less half a turn");
  } else {
    row("eraseBlock", "1MiB", "assumed: not visible from outside");
    row("overProvisioning", "0.07", "assumed: not visible from outside");
  }
  return text;
}

}  // namespace presort::probe
