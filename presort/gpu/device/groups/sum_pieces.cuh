// Sums the inputs of each group, piece by piece: a block has a table of groups (group_table.cuh)
// for its piece, which is a part of the hashes, or a slice of a large part. A whole part's groups
// are final. The groups of slices, and the inputs that a table refuses, go to a list, to be joined
// (join_groups.cuh).
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/block/hot_buckets.cuh"
#include "presort/gpu/device/groups/group_table.cuh"
#include "presort/gpu/device/partition/digit_begins.cuh"
#include "presort/gpu/host/allow_shared_bytes.h"
#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/warp/search.cuh"

namespace presort::inline v0::gpu {

inline constexpr int kGroupThreads = 1024;

// The pieces that inputs are cut into. parts == 0: there is one part, of all n inputs.
// Shapes: begins[parts + 1]: first input of each part; piece_begins[parts + 1]: number of its first
//         piece
struct GroupPieces {
  uint64_t n;
  uint64_t most;  // most inputs of a piece
  uint32_t parts;
  int part_bits;  // top bits of hashes that parts are by
  const uint64_t* begins;
  uint32_t* piece_begins;

  // Upper bound of the number of pieces.
  uint64_t bound() const { return parts == 0 ? (n + most - 1) / most : parts + n / most; }
};

// A piece: inputs [first, last); is_whole: there is no other of its part.
struct GroupPiece {
  uint64_t first;
  uint64_t last;
  bool is_whole;
};

// The piece of the calling block; first == last if none is left. Called by all threads. `part`: a
// word of shared memory
__device__ inline GroupPiece take_piece(const GroupPieces& pieces, uint32_t& part) {
  const uint64_t number = blockIdx.x;
  if (pieces.parts == 0) {
    const uint64_t first = number * pieces.most;
    return {first, min(first + pieces.most, pieces.n), pieces.n <= pieces.most};
  }
  if (number >= pieces.piece_begins[pieces.parts]) {
    return {0, 0, true};
  }
  if (threadIdx.x < kWarpLanes) {
    const uint32_t found = last_at_or_before(pieces.piece_begins, pieces.parts, number);
    if (threadIdx.x == 0) {
      part = found;
    }
  }
  __syncthreads();
  const uint64_t first = pieces.begins[part] + (number - pieces.piece_begins[part]) * pieces.most;
  const uint64_t end = pieces.begins[part + 1];
  return {first, min(first + pieces.most, end), end - pieces.begins[part] <= pieces.most};
}

// Numbers the pieces of parts. One block. Requires: parts <= 2^kMaxPartBits
static __global__ void __launch_bounds__(kScanThreads) piece_begins_kernel(GroupPieces pieces) {
  ScannedSizes<uint32_t, kScanItems> scanned;
  scanned.take(pieces.parts, [&](uint32_t part) {
    const uint64_t inputs = pieces.begins[part + 1] - pieces.begins[part];
    return static_cast<uint32_t>((inputs + pieces.most - 1) / pieces.most);
  });
  scanned.scan(pieces.parts, pieces.piece_begins, [](uint32_t, uint32_t, uint32_t) {});
}

// Shared memory of a block besides its table.
template <class Value>
struct GroupShared {
  HotWords<uint32_t, Value> hot;
  unsigned long long cursor;
  uint32_t part;
};

// Adds one input of each lane to a table; inputs that it refuses go to the list. Called by whole
// warps.
template <class Key, class Value>
__device__ void add_inputs(const GroupTable<Key, Value>& table,
                           const HotBuckets<uint32_t, Value, Sum<Value>>& hot, bool has_hot,
                           const GroupArrays<Key, Value>& list, Key hash, const Value& value,
                           bool is_input) {
  using Table = GroupTable<Key, Value>;
  const Sum<Value> sum;
  const uint32_t at = is_input ? table.find(hash) : Table::kRefused;
  __syncwarp();
  const bool is_refused = is_input && at == Table::kRefused;
  if (is_uniform(at) && at != Table::kRefused) {
    const Value all = reduce_warp(value, sum);
    if (threadIdx.x % kWarpLanes == 0) {
      combine_in_shared(table.sum(at), all, sum);
      table.count(at, kWarpLanes);
    }
  } else if (at != Table::kRefused) {
    Value* word = has_hot ? hot.word(at) : nullptr;
    combine_in_shared(word != nullptr ? word : table.sum(at), value, sum);
    table.count(at);
  }
  if (__any_sync(kAllLanes, is_refused)) {
    const uint64_t place = list.take(is_refused);
    if (is_refused) {
      list.write(place, hash, value, 1);
    }
  }
}

// `groups` takes keys, `list` takes hashes.
template <class Input, class Key, class Value>
__global__ void __launch_bounds__(kGroupThreads, 1)
    sum_pieces_kernel(Input input, GroupPieces pieces, GroupArrays<Key, Value> groups,
                      GroupArrays<Key, Value> list, uint32_t slots, uint32_t table_bytes) {
  constexpr int kItems = 4;  // inputs that a thread loads before it uses the first
  constexpr uint64_t kFewestInputsOfHot = 4 * kGroupThreads;
  extern __shared__ __align__(16) unsigned char raw[];
  auto& shared = *reinterpret_cast<GroupShared<Value>*>(raw + table_bytes);
  const GroupPiece piece = take_piece(pieces, shared.part);
  if (piece.first >= piece.last) {
    return;
  }
  const GroupTable<Key, Value> table(raw, slots, pieces.part_bits, groups.counts != nullptr);
  table.clear();
  __syncthreads();
  HotBuckets<uint32_t, Value, Sum<Value>> hot(shared.hot, Sum<Value>{});
  bool has_hot = false;
  if (piece.last - piece.first >= kFewestInputsOfHot) {
    const uint64_t own = piece.first + threadIdx.x * ((piece.last - piece.first) / kGroupThreads);
    const uint32_t at = table.find(input.label(own));
    __syncwarp();
    has_hot = hot.find(at, at != GroupTable<Key, Value>::kRefused);
  }
  for (uint64_t at = piece.first; at < piece.last; at += kItems * kGroupThreads) {
    Key hash[kItems];
    Value value[kItems];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const uint64_t own = at + i * kGroupThreads + threadIdx.x;
      if (own < piece.last) {
        Key one_hash[1];
        Value one_value[1];
        input.template load<1>(own, one_hash, one_value);
        hash[i] = one_hash[0];
        value[i] = one_value[0];
      }
    }
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const bool is_input = at + i * kGroupThreads + threadIdx.x < piece.last;
      add_inputs(table, hot, has_hot, list, hash[i], value[i], is_input);
    }
  }
  __syncthreads();
  if (has_hot) {
    hot.combine([&](uint32_t at, const Value& all) {
      combine_in_shared(table.sum(at), all, Sum<Value>{});
    });
    __syncthreads();
  }
  if (piece.is_whole) {
    table.append_to(groups, shared.cursor, [](Key hash) { return key_of(hash); });
  } else {
    table.append_to(list, shared.cursor, [](Key hash) { return hash; });
  }
}

// Places of a block's table: as many as fit the shared memory that a block may have.
template <class Key, class Value>
uint32_t group_slots(const DeviceLimits& device, bool has_counts) {
  constexpr uint32_t kMost = 1u << 14;
  constexpr size_t kRounded = 64;  // bytes that rounding and the place of kNoHash may take
  const size_t room = device.shared_bytes_of_block - sizeof(GroupShared<Value>) - kRounded;
  const auto fit = static_cast<uint32_t>(room / group_slot_bytes<Key, Value>(has_counts));
  return std::min(kMost, fit / 2 * 2);
}

// Sums the pieces. Requires: n >= 1
// Errors:   EnvironmentError when CUDA refuses a launch
template <class Input, class Key, class Value>
void sum_pieces(cudaStream_t stream, const Input& input, const GroupPieces& pieces,
                const GroupArrays<Key, Value>& groups, const GroupArrays<Key, Value>& list) {
  if (pieces.parts > 0) {
    piece_begins_kernel<<<1, kScanThreads, 0, stream>>>(pieces);
    PRESORT_CUDA(cudaGetLastError());
  }
  const bool has_counts = groups.counts != nullptr;
  const uint32_t slots = group_slots<Key, Value>(current_device_limits(), has_counts);
  const size_t table_bytes = group_table_bytes<Key, Value>(slots, has_counts);
  const size_t bytes = table_bytes + sizeof(GroupShared<Value>);
  const auto kernel = sum_pieces_kernel<Input, Key, Value>;
  allow_shared_bytes(kernel, bytes);
  kernel<<<static_cast<unsigned>(pieces.bound()), kGroupThreads, bytes, stream>>>(
      input, pieces, groups, list, slots, static_cast<uint32_t>(table_bytes));
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
