// Assigns the last value of each bucket, part by part, as gpu/device/assign_parts.cuh does. Here a
// part's buckets come to shared memory and go back as a whole: the copy engine brings those of the
// next part while this one's are worked on, and takes back those of the one before. Nearly every
// sector of them is written in part otherwise, which memory reads and writes too, while the block
// that wrote waits for the next.
// Requires: compute capability 9.0; values of 4 bytes
#pragma once

#include <cstdint>

#include "presort/gpu/block/bulk_copy.cuh"
#include "presort/gpu/block/last_pairs.cuh"
#include "presort/gpu/block/prefetch.cuh"
#include "presort/gpu/device/cut_pairs.cuh"
#include "presort/gpu/host/allow_shared_bytes.h"
#include "presort/gpu/host/device_limits.h"

namespace presort::inline v0::gpu {

// Shared memory of a block: two arrays for the buckets of a part, used by turns, and barriers that
// tell when one has been loaded.
template <class Value, class Index>
struct BulkShared {
  uint64_t* loads;  // loads[2]: two load barriers, one for each array of buckets
  Index* places;    // places[buckets]: index of a bucket's last pair, plus 1
  Value* values;    // values[2 · buckets]: buckets of two parts, used by turns
  uint32_t buckets;

  static constexpr size_t bytes(uint32_t buckets) {
    return 2 * sizeof(uint64_t) + buckets * (2 * sizeof(Value) + sizeof(Index));
  }
  __device__ BulkShared(unsigned char* raw, uint32_t bucket_count)
      : loads(reinterpret_cast<uint64_t*>(raw)),
        places(reinterpret_cast<Index*>(loads + 2)),
        values(reinterpret_cast<Value*>(places + bucket_count)),
        buckets(bucket_count) {}
  __device__ Value* array(uint32_t turn) const { return values + turn % 2 * buckets; }
  __device__ uint64_t* load(uint32_t turn) const { return loads + turn % 2; }
};

// A block's work on its slice of the pairs.
template <int kRows, class PairType, class Index, class Value>
class BulkAssign {
 public:
  // State of a block that assigns pairs [first, last) of its slice. Requires: first < last
  __device__ BulkAssign(const CutPairs<PairType>& cut, Value* buckets, Index* last_of_cut,
                        unsigned char* raw, uint64_t first, uint64_t last)
      : cut_(cut),
        buckets_(buckets),
        last_of_cut_(last_of_cut),
        shared_(raw, 1u << cut.top.shift),
        at_(first),
        slice_last_(last),
        cursor_(cut, first),
        is_begin_(first == cut.begins[cursor_.part]) {}

  __device__ void run() {
    if (threadIdx.x == 0) {
      init_load_barrier(shared_.loads);
      init_load_barrier(shared_.loads + 1);
      fence_for_bulk();
    }
    ahead_.read(cut_.pairs, at_, min(cursor_.end, slice_last_));
    for (uint32_t i = threadIdx.x; i < 1u << cut_.top.shift; i += blockDim.x) {
      shared_.places[i] = 0;
    }
    is_in_bulk_ = is_begin_ && is_for_bulk();
    ask_for_buckets();
    __syncthreads();
    while (at_ < slice_last_) {
      take_part();
    }
    if (threadIdx.x == 0) {
      wait_for_bulk_reads();
    }
  }

 private:
  using Label = decltype(PairType::label);
  using Last = LastPairs<PairType, Index>;

  // True if the copy engine can move all buckets of the current part at once, and it pays: the rest
  // of the part lies in the block's slice, the buckets are aligned, and most of their sectors are
  // written by some pair.
  __device__ bool is_for_bulk() const {
    const uint32_t count = cut_.bucket_count(cursor_.part);
    return cursor_.end <= slice_last_ && (cursor_.end - at_) * kBucketsOfSector >= count &&
           count * sizeof(Value) % kBulkAlignment == 0 &&
           is_bulk_aligned(buckets_ + cut_.first_bucket(cursor_.part));
  }

  // Starts loading the buckets of the current part, if the copy engine handles this part. The array
  // that they are loaded into is free: earlier stores have read it.
  __device__ void ask_for_buckets() const {
    if (threadIdx.x == 0) {
      wait_for_bulk_reads();
      if (is_in_bulk_) {
        load_bulk(shared_.array(turn_), buckets_ + cut_.first_bucket(cursor_.part),
                  cut_.bucket_count(cursor_.part) * static_cast<uint32_t>(sizeof(Value)),
                  shared_.load(turn_));
      }
    }
  }

  // Starts loading the next rows of pairs, which may be of the next part.
  __device__ void look_ahead(uint64_t end) {
    if (at_ == slice_last_) {
      is_in_bulk_ = false;
      return;
    }
    if (at_ == end) {
      cursor_.advance();
      is_in_bulk_ = is_for_bulk();
    }
    ahead_.read(cut_.pairs, at_, min(cursor_.end, slice_last_));
  }

  __device__ void take_part() {
    const uint64_t begin = at_;
    const uint64_t end = min(cursor_.end, slice_last_);
    const bool is_whole = is_begin_ && end == cursor_.end;
    const bool is_in_bulk = is_in_bulk_;
    const uint32_t turn = turn_;
    const uint64_t first_bucket = cut_.first_bucket(cursor_.part);
    const uint32_t count = cut_.bucket_count(cursor_.part);
    turn_ += is_in_bulk ? 1 : 0;
    is_begin_ = true;  // the current position has moved to the next part's begin
    if (!is_in_bulk && is_whole && (end - begin) * kBucketsOfSector >= count) {
      prefetch_to_l2(buckets_ + first_bucket, count * sizeof(Value));
    }
    Last last{shared_.places, reinterpret_cast<typename Last::Word*>(shared_.array(turn))};
    while (at_ < end) {
      const PairRows<kRows, PairType> rows = ahead_;
      const bool is_first = at_ == begin;
      at_ = rows.last;
      const bool is_last = at_ == end;
      look_ahead(end);
      last.mark(rows, static_cast<Label>(first_bucket));
      __syncthreads();
      if (is_last && is_in_bulk) {
        ask_for_buckets();
      }
      if (is_first && is_in_bulk) {
        wait_for_load(shared_.load(turn), turn / 2);
      }
      last.keep(rows, static_cast<Label>(first_bucket));
      if (is_last) {
        fence_for_bulk();
      }
      __syncthreads();
    }
    if (!is_in_bulk) {
      write_alone(last, begin, first_bucket, count, is_whole);
    } else if (threadIdx.x == 0) {
      store_bulk(buckets_ + first_bucket, shared_.array(turn),
                 count * static_cast<uint32_t>(sizeof(Value)));
    }
  }

  // Writes the buckets of a part one by one; for a part that slices cut, places instead of values.
  // `last` is not cleared between parts: a place up to `begin` was left by an earlier part and is
  // skipped.
  __device__ void write_alone(const Last& last, uint64_t begin, uint64_t first_bucket,
                              uint32_t count, bool is_whole) const {
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
      const Index place = last.places[i];
      if (place > begin && !is_whole) {
        atomicMax(last_of_cut_ + first_bucket + i, place);
      } else if (place > begin) {
        Value value;
        memcpy(&value, last.values + i, sizeof value);
        buckets_[first_bucket + i] = value;
      }
    }
    fence_for_bulk();
    __syncthreads();
    ask_for_buckets();
  }

  const CutPairs<PairType>& cut_;
  Value* buckets_;
  Index* last_of_cut_;
  BulkShared<Value, Index> shared_;
  uint64_t at_;
  uint64_t slice_last_;
  PartCursor<PairType> cursor_;
  // True: the current position is where the current part begins, and no other slice has pairs of
  // that part
  bool is_begin_;
  bool is_in_bulk_ = false;  // true: the copy engine handles the current part
  uint32_t turn_ = 0;        // number of parts given to the copy engine so far
  PairRows<kRows, PairType> ahead_;
};

template <int kRows, class PairType, class Index, class Value>
__global__ void __launch_bounds__(kAssignThreads)
    assign_parts_in_bulk_kernel(CutPairs<PairType> cut, Value* buckets, Index* last_of_cut) {
  if constexpr (kHasBulkCopies) {
    extern __shared__ __align__(16) unsigned char raw[];
    const uint64_t first = cut.slice_begin(blockIdx.x);
    const uint64_t last = cut.slice_begin(blockIdx.x + uint64_t{1});
    if (first < last) {
      BulkAssign<kRows, PairType, Index, Value>(cut, buckets, last_of_cut, raw, first, last).run();
    }
  }
}

// Rows of pairs that a block loads at a time, one pair a thread. Parts of 2^13 pairs take two such
// loads, the next being on its way: eight rows, which half of those parts exceed by a few pairs,
// took 1.11 ms where five took 0.89 (one H200, n = 2^27, m = 2^28, 2026-11-23).
inline constexpr int kRowsInBulk = 5;

// Launches a kernel that assigns parts by bulk copies, a block for each slice. False, with nothing
// launched, where the device, what the kernel was compiled for, or the size of values or parts do
// not allow it. Errors: EnvironmentError when CUDA refuses the launch
template <class PairType, class Index, class Value>
bool launches_in_bulk(cudaStream_t stream, const CutPairs<PairType>& cut, unsigned slices,
                      Value* buckets, Index* last_of_cut) {
  if constexpr (sizeof(Value) == 4) {
    const auto kernel = assign_parts_in_bulk_kernel<kRowsInBulk, PairType, Index, Value>;
    const size_t shared_bytes = BulkShared<Value, Index>::bytes(1u << cut.top.shift);
    if (shared_bytes <= current_device_limits().shared_bytes_of_block && has_bulk_copies(kernel)) {
      allow_shared_bytes(kernel, shared_bytes);
      kernel<<<slices, kAssignThreads, shared_bytes, stream>>>(cut, buckets, last_of_cut);
      PRESORT_CUDA(cudaGetLastError());
      return true;
    }
  }
  return false;
}

}  // namespace presort::gpu
