#include "presort/predict/gpu/kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "presort/core/base/random.h"
#include "presort/predict/gpu/hot_labels.h"

namespace presort::inline v0::predict {
namespace {

using sim::gpu::GpuMemory;
using sim::gpu::kWarpLanes;
using sim::gpu::WarpAccess;
using sim::gpu::WarpAccessKind;

// Labels of a warp as a kernel with packs reads them: a lane has `pack` inputs side by side, and
// updates them one after the other. Where all of them have one label, the first lane updates once
// for all.
class PackedRows {
 public:
  PackedRows(const std::function<uint64_t()>& labels, int pack)
      : labels_(labels), inputs_(static_cast<size_t>(pack) * kLanesOfWarp) {}

  // Row number `i` of the sample. Called for rows 0, 1, 2, ….
  WarpLabels row(uint64_t i) {
    const size_t pack = inputs_.size() / kLanesOfWarp;
    const auto of_pack = static_cast<size_t>(i % pack);
    if (of_pack == 0) {
      std::generate(inputs_.begin(), inputs_.end(), labels_);
      const bool is_uniform = std::all_of(inputs_.begin(), inputs_.end(),
                                          [&](uint64_t each) { return each == inputs_[0]; });
      uniform_lanes_ = is_uniform ? 1 : ~uint32_t{0};
    } else if (uniform_lanes_ == 1) {
      uniform_lanes_ = 0;
    }
    WarpLabels row;
    for (size_t lane = 0; lane < kLanesOfWarp; ++lane) {
      row[lane] = inputs_[lane * pack + of_pack];
    }
    return row;
  }

  // Lanes that update in the last row: all, or of a uniform warp the first lane in the first row.
  uint32_t lanes() const { return uniform_lanes_; }

 private:
  const std::function<uint64_t()>& labels_;
  std::vector<uint64_t> inputs_;
  uint32_t uniform_lanes_ = ~uint32_t{0};
};

// Leaves the first lane of each address in an access.
void leave_first_lanes(WarpAccess& access) {
  for (int lane = 1; lane < kWarpLanes; ++lane) {
    const auto* first = access.addresses.begin();
    const bool was_before = std::find(first, first + lane, access.addresses[lane]) != first + lane;
    access.lanes &= was_before ? ~(uint32_t{1} << lane) : ~uint32_t{0};
  }
}

// Updates a table in shared memory. Lanes that swap read their bucket and swap until nobody was
// before them: of the lanes at one bucket, one comes through in each round.
void update_table(GpuMemory& memory, WarpAccess update) {
  if (update.kind == WarpAccessKind::atomic) {
    memory.access_shared(update);
    return;
  }
  while (update.lanes != 0) {
    WarpAccess read = update;
    read.kind = WarpAccessKind::load;
    memory.access_shared(read);
    memory.access_shared(update);
    uint32_t first = 0;  // lanes that are the first at their bucket
    for (uint32_t lanes = update.lanes; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<size_t>(std::countr_zero(lanes));
      bool is_first = true;
      for (uint32_t before = first; before != 0 && is_first; before &= before - 1) {
        is_first = update.addresses[static_cast<size_t>(std::countr_zero(before))] !=
                   update.addresses[lane];
      }
      first |= is_first ? uint32_t{1} << lane : 0;
    }
    update.lanes &= ~first;
  }
}

}  // namespace

KernelSample sample_table_updates(const GpuHardware& gpu, const TableUpdates& kernel,
                                  const std::function<uint64_t()>& labels) {
  SampleSize size = sample_size(gpu, kernel.n, 1, 0, kernel.rows);
  // A row is looked at once for each range: with many, fewer rows do.
  constexpr uint64_t kLeastRows = 256;
  size.measured_warps = std::max(std::min(size.measured_warps, kLeastRows),
                                 size.measured_warps / static_cast<uint64_t>(kernel.ranges));
  // With many buckets for each input most accesses are those of buckets, and fewer rows do, too.
  constexpr double kMostMovedRows = 1 << 15;
  size.measured_warps = std::min(
      size.measured_warps,
      std::max(kLeastRows, static_cast<uint64_t>(kMostMovedRows / (kernel.moved_buckets + 1))));
  double moved = 0;
  uint64_t moved_rows = 0;
  HotLabels hot(HotLabels::Room::two);
  PackedRows rows(labels, kernel.pack);
  const auto update_row = [&](GpuMemory& memory, int multiprocessor, uint64_t i) {
    const WarpLabels row = rows.row(i);
    if (kernel.looks) {
      hot.look_at_first(row, i);
    }
    for (int range = 0; range < kernel.ranges; ++range) {
      load_inputs(memory, (multiprocessor + range) % gpu.multiprocessors, kernel.input,
                  i * kLanesOfWarp);
      WarpAccess update;
      update.kind = kernel.swaps ? WarpAccessKind::swap : WarpAccessKind::atomic;
      update.bytes = static_cast<uint32_t>(kernel.entry_bytes);
      update.lanes = rows.lanes();
      const uint64_t first =
          kernel.first_label + static_cast<uint64_t>(range) * kernel.range_buckets;
      // Lanes of other ranges, and of frequent buckets, update a word of their own behind the
      // table.
      const uint64_t spare =
          kernel.range_buckets * kernel.entry_bytes * static_cast<uint64_t>(kernel.sets);
      for (size_t lane = 0; lane < kLanesOfWarp; ++lane) {
        const uint64_t bucket = row[lane] - first;
        const uint64_t copy = lane % static_cast<size_t>(kernel.sets);
        update.addresses[lane] =
            bucket < kernel.range_buckets && !hot.has(row[lane])
                ? (bucket * static_cast<uint64_t>(kernel.sets) + copy) * kernel.entry_bytes
                : (spare / kernel.entry_bytes + lane) * kernel.entry_bytes;
      }
      if (kernel.counts && update.lanes == ~uint32_t{0}) {
        leave_first_lanes(update);
      }
      if (update.lanes != 0) {
        update_table(memory, update);
      }
    }
    for (moved += kernel.moved_buckets * static_cast<double>(kLanesOfWarp);
         moved >= static_cast<double>(kLanesOfWarp); moved -= static_cast<double>(kLanesOfWarp)) {
      for (const WarpAccessKind kind : {WarpAccessKind::load, WarpAccessKind::store}) {
        memory.access(multiprocessor, row_access(kind, kBucketArray, moved_rows * kLanesOfWarp,
                                                 kernel.entry_bytes));
      }
      ++moved_rows;
    }
  };
  const double written = kernel.moved_buckets * static_cast<double>(kernel.entry_bytes);
  const double read = written + static_cast<double>(kernel.input.label + kernel.input.value);
  return run_sample(gpu, kernel.n, size, written / read, update_row);
}

namespace {

// An array that a partition writes: its first address, and bytes of an input.
struct OutputArray {
  uint64_t begin;
  uint64_t bytes;
};

std::vector<OutputArray> output_arrays(const PartitionPass& pass) {
  if (pass.output.are_pairs) {
    return {{kOutputArray, pass.output.all()}};
  }
  return {{kOutputArray, pass.output.label},
          {kOutputArray + pass.n * pass.output.label, pass.output.value}};
}

}  // namespace

KernelSample sample_partition(const GpuHardware& gpu, const PartitionPass& pass,
                              const std::function<uint64_t()>& labels) {
  const auto tile = static_cast<size_t>(pass.tile_inputs) / kLanesOfWarp * kLanesOfWarp;
  const uint64_t rows_of_tile = tile / kLanesOfWarp;
  const uint64_t digits = uint64_t{1} << pass.bits;
  SampleSize size = sample_size(gpu, pass.n, 1, 0, pass.rows);
  size.warm_warps = std::min(size.warm_warps, rows_of_tile);
  std::vector<uint64_t> digit(tile);
  // Place of each digit's next input in the output, in inputs.
  std::vector<uint64_t> next(digits);
  for (uint64_t i = 0; i < digits; ++i) {
    next[i] = pass.n / digits * i;
  }
  std::vector<uint64_t> begin(digits + 1);  // first place of each digit in the sorted tile
  const auto sort_tile = [&] {
    std::fill(begin.begin(), begin.end(), 0);
    for (uint64_t& each : digit) {
      each = labels() >> pass.shift & (digits - 1);
      ++begin[each + 1];
    }
    for (uint64_t i = 0; i < digits; ++i) {
      begin[i + 1] += begin[i];
    }
  };
  std::vector<uint64_t> place(digits);
  const auto row_of_tile = [&](GpuMemory& memory, int multiprocessor, uint64_t i) {
    const uint64_t row = i % rows_of_tile;
    if (row == 0) {
      sort_tile();
      place = begin;
    }
    load_inputs(memory, multiprocessor, pass.input, i * kLanesOfWarp);
    WarpAccess rank;
    rank.kind = WarpAccessKind::atomic;
    WarpAccess start;
    std::array<uint64_t, kLanesOfWarp> to{};  // places in the sorted tile
    for (size_t lane = 0; lane < kLanesOfWarp; ++lane) {
      const uint64_t of_lane = digit[row * kLanesOfWarp + lane];
      rank.addresses[lane] = of_lane * rank.bytes;
      start.addresses[lane] = of_lane * start.bytes;
      to[lane] = place[of_lane]++;
    }
    // A row of one digit is counted by its first lane (gpu/block/warp_ranks.cuh).
    if (std::all_of(rank.addresses.begin(), rank.addresses.end(),
                    [&rank](uint64_t address) { return address == rank.addresses[0]; })) {
      rank.lanes = 1;
    }
    memory.access_shared(rank);
    memory.access_shared(start);
    // The row of the sorted tile with the same number goes to the output.
    std::array<uint64_t, kLanesOfWarp> outside{};  // places in the output
    auto of_place = static_cast<uint64_t>(
        std::upper_bound(begin.begin(), begin.end(), row * kLanesOfWarp) - begin.begin() - 1);
    for (size_t lane = 0; lane < kLanesOfWarp; ++lane) {
      const uint64_t at = row * kLanesOfWarp + lane;
      while (begin[of_place + 1] <= at) {
        ++of_place;
      }
      outside[lane] = next[of_place] + at - begin[of_place];
    }
    for (const OutputArray& array : output_arrays(pass)) {
      WarpAccess sorted;
      sorted.kind = WarpAccessKind::store;
      sorted.bytes = static_cast<uint32_t>(std::min<uint64_t>(array.bytes, 16));
      WarpAccess out = sorted;
      for (size_t lane = 0; lane < kLanesOfWarp; ++lane) {
        sorted.addresses[lane] = to[lane] * sorted.bytes;
        out.addresses[lane] = array.begin + outside[lane] * array.bytes;
      }
      memory.access_shared(sorted);
      memory.access_shared(row_access(WarpAccessKind::load, 0, row * kLanesOfWarp, sorted.bytes));
      memory.access(multiprocessor, out);
    }
    if (row + 1 == rows_of_tile) {
      for (uint64_t each = 0; each < digits; ++each) {
        next[each] += begin[each + 1] - begin[each];
      }
    }
  };
  const auto pair = static_cast<double>(pass.output.all());
  const double in = input_sectors(gpu, pass.input) * static_cast<double>(gpu.l2.sector_bytes) /
                    static_cast<double>(kLanesOfWarp);
  return run_sample(gpu, pass.n, size, pair / (pair + in), row_of_tile);
}

KernelSample sample_label_reads(const GpuHardware& gpu, uint64_t n, uint64_t label_bytes) {
  const double sectors = input_sectors(gpu, {label_bytes, 0, false});
  return run_sample(gpu, n, sample_size(gpu, n, sectors, 0), 0,
                    [&](GpuMemory& memory, int multiprocessor, uint64_t i) {
                      memory.access(multiprocessor,
                                    row_access(WarpAccessKind::load, kLabelArray, i * kLanesOfWarp,
                                               static_cast<uint32_t>(label_bytes)));
                    });
}

KernelSample sample_room_sample(const GpuHardware& gpu, uint64_t n, uint64_t label_bytes) {
  constexpr uint64_t kGroup = 16;
  constexpr uint64_t kInputs = 512;  // inputs that a group stands for
  const uint64_t read = std::max<uint64_t>(n / kInputs * kGroup, kLanesOfWarp);
  return run_sample(gpu, read, sample_size(gpu, read, 1, 0), 0,
                    [&](GpuMemory& memory, int multiprocessor, uint64_t i) {
                      WarpAccess load;
                      load.bytes = static_cast<uint32_t>(label_bytes);
                      for (uint64_t lane = 0; lane < kLanesOfWarp; ++lane) {
                        const uint64_t group = 2 * i + lane / kGroup;
                        load.addresses[lane] =
                            kLabelArray + (group * kInputs + lane % kGroup) * label_bytes;
                      }
                      memory.access(multiprocessor, load);
                    });
}

KernelSample sample_gather(const GpuHardware& gpu, const Gather& kernel,
                           const std::function<uint64_t()>& labels) {
  // Without a table in shared memory, its room is the L1's.
  GpuHardware own = gpu;
  if (kernel.kept_buckets == 0 && own.l1.size_bytes > 0) {
    own.l1.size_bytes += own.shared.size_bytes;
  }
  SampleSize size =
      sample_size(own, kernel.n, static_cast<double>(kLanesOfWarp), kernel.table_bytes);
  size.warm_warps = std::max(size.warm_warps, warm_rows_of_l1(kernel.n, size.measured_warps));
  const auto value = static_cast<uint32_t>(kernel.value_bytes);
  const auto gather_row = [&](GpuMemory& memory, int multiprocessor, uint64_t i) {
    memory.access(multiprocessor, row_access(WarpAccessKind::load, kLabelArray, i * kLanesOfWarp,
                                             kernel.label_bytes));
    const bool is_quick = kernel.warm_labels && memory.warms_l2_alone();
    const WarpLabels row = next_row(is_quick ? kernel.warm_labels : labels);
    WarpAccess far;
    far.bytes = value;
    WarpAccess near = far;
    for (size_t lane = 0; lane < kLanesOfWarp; ++lane) {
      const uint32_t bit = uint32_t{1} << lane;
      const bool is_kept = row[lane] < kernel.kept_buckets;
      (is_kept ? far : near).lanes &= ~bit;
      far.addresses[lane] = kBucketArray + row[lane] * value;
      near.addresses[lane] = row[lane] * value;
    }
    if (near.lanes != 0) {
      memory.access_shared(near);
    }
    if (far.lanes != 0) {
      memory.access(multiprocessor, far);
    }
    memory.access(multiprocessor, row_access(WarpAccessKind::store, kOutputArray, i * kLanesOfWarp,
                                             kernel.value_bytes));
  };
  // Streams leave written lines in the part of the L2 that the table leaves them, half where it
  // does not fit.
  const double written =
      static_cast<double>(value) / static_cast<double>(value + kernel.label_bytes);
  const double l2 = static_cast<double>(own.l2.size_bytes) * own.l2.share;
  const double of_streams = std::max(0.5, 1 - kernel.table_bytes / l2);
  return run_sample(own, kernel.n, size, written * of_streams, gather_row);
}

KernelSample sample_assignment(const GpuHardware& gpu, const Assignment& kernel) {
  const SampleSize size = sample_size(gpu, kernel.m, 1, 0);
  const auto assign_row = [&](GpuMemory& memory, int multiprocessor, uint64_t i) {
    // Indices are read and cleared; written buckets take values.
    const uint64_t first = i * kLanesOfWarp;
    memory.access(multiprocessor,
                  row_access(WarpAccessKind::load, kLabelArray, first, kernel.entry_bytes));
    memory.access(multiprocessor,
                  row_access(WarpAccessKind::store, kLabelArray, first, kernel.entry_bytes));
    WarpAccess value;
    value.bytes = static_cast<uint32_t>(kernel.value_bytes);
    WarpAccess bucket = row_access(WarpAccessKind::store, kBucketArray, first, kernel.value_bytes);
    for (size_t lane = 0; lane < kLanesOfWarp; ++lane) {
      const uint64_t random = random_u64(3, first + lane);
      if (unit_double(random) >= kernel.written_share) {
        value.lanes &= ~(uint32_t{1} << lane);
        continue;
      }
      // The last input of a bucket, of independent labels: one in m inputs is of the bucket.
      const double back = -std::log(1 - unit_double(mix64(random))) * static_cast<double>(kernel.m);
      const uint64_t last = kernel.n - 1 - std::min(kernel.n - 1, static_cast<uint64_t>(back));
      value.addresses[lane] = kValueArray + last * kernel.value_bytes;
    }
    bucket.lanes = value.lanes;
    if (value.lanes != 0) {
      memory.access(multiprocessor, value);
      memory.access(multiprocessor, bucket);
    }
  };
  return run_sample(gpu, kernel.m, size, 0.5, assign_row);
}

}  // namespace presort::predict
