// A block's table of groups in shared memory: open addressing by the hashes of keys, with a limit
// for the places that are looked at. What finds no place is refused, always: the places that a hash
// may have are never emptied.
#pragma once

#include <cstdint>

#include "presort/core/base/key_hash.h"
#include "presort/gpu/detail/shared_combine.cuh"
#include "presort/gpu/device/groups/group_arrays.cuh"

namespace presort::inline v0::gpu {

// Places that are looked at for a hash. A table that is 60 % full refuses next to nothing.
inline constexpr uint32_t kMostPlacesOfHash = 64;

// Bytes of shared memory of a place in the table.
template <class Key, class Value>
constexpr size_t group_slot_bytes(bool has_counts) {
  return sizeof(Key) + sizeof(Value) + (has_counts ? sizeof(uint32_t) : 0);
}

// Bytes of a table of `slots` places, and the one of kNoHash.
template <class Key, class Value>
constexpr size_t group_table_bytes(uint32_t slots, bool has_counts) {
  constexpr size_t kPack = 16;
  return (group_slot_bytes<Key, Value>(has_counts) * (slots + 1) + kPack - 1) / kPack * kPack;
}

template <class Key, class Value>
class GroupTable {
 public:
  static constexpr uint32_t kRefused = ~uint32_t{0};

  // A table in group_table_bytes() bytes of shared memory, aligned to 16. part_bits: top bits that
  // all hashes share. Requires: slots is even
  __device__ GroupTable(unsigned char* shared, uint32_t slots, int part_bits, bool has_counts)
      : sums_(reinterpret_cast<Value*>(shared)), slots_(slots), part_bits_(part_bits) {
    if constexpr (sizeof(Key) >= sizeof(Value)) {  // the larger type first, so that all are aligned
      keys_ = reinterpret_cast<Word*>(shared);
      sums_ = reinterpret_cast<Value*>(keys_ + slots + 1);
    } else {
      keys_ = reinterpret_cast<Word*>(sums_ + slots + 1);
    }
    auto* behind = sizeof(Key) >= sizeof(Value)
                       ? reinterpret_cast<unsigned char*>(sums_ + slots + 1)
                       : reinterpret_cast<unsigned char*>(keys_ + slots + 1);
    counts_ = has_counts ? reinterpret_cast<uint32_t*>(behind) : nullptr;
  }

  // Empties the table. Called by all threads of the block, which need a barrier behind it.
  __device__ void clear() const {
    for (uint32_t i = threadIdx.x; i <= slots_; i += blockDim.x) {
      keys_[i] = kNoHash<Word>;
      sums_[i] = Value{};
      if (counts_ != nullptr) {
        counts_[i] = 0;
      }
    }
  }

  // The place of a hash, which is put there if it is new; kRefused if there is none.
  __device__ uint32_t find(Key hash) const {
    if (hash == kNoHash<Key>) {
      keys_[slots_] = 0;
      return slots_;
    }
    const auto wanted = static_cast<Word>(hash);
    uint32_t at = __umulhi(static_cast<uint32_t>(hash) << low_shift(), slots_);
    for (uint32_t looked = 0; looked < kMostPlacesOfHash; ++looked) {
      Word seen = *static_cast<volatile Word*>(keys_ + at);
      if (seen == kNoHash<Word>) {
        seen = atomicCAS(keys_ + at, kNoHash<Word>, wanted);
        if (seen == kNoHash<Word>) {
          return at;
        }
      }
      if (seen == wanted) {
        return at;
      }
      at = at + 1 == slots_ ? 0 : at + 1;
    }
    return kRefused;
  }

  __device__ Value* sum(uint32_t at) const { return sums_ + at; }

  // Adds inputs to the count of a place.
  __device__ void count(uint32_t at, uint32_t inputs) const {
    if (counts_ != nullptr) {
      atomicAdd(counts_ + at, inputs);
    }
  }
  // Adds one input to the count of a place: a warp's lanes take one step where they meet.
  __device__ void count(uint32_t at) const {
    if (counts_ != nullptr) {
      atomicAdd(counts_ + at, 1u);
    }
  }

  // Appends all groups; of(hash) is the key that is written. Called by all threads of the block,
  // behind a barrier. `cursor`: a word of shared memory
  template <class Of>
  __device__ void append_to(const GroupArrays<Key, Value>& groups, unsigned long long& cursor,
                            const Of& of) const {
    if (threadIdx.x == 0) {
      cursor = 0;
    }
    __syncthreads();
    uint32_t own = 0;
    for (uint32_t i = threadIdx.x; i <= slots_; i += blockDim.x) {
      own += keys_[i] != kNoHash<Word> ? 1 : 0;
    }
    own = reduce_warp(own, Sum<uint32_t>{});
    const unsigned lane = threadIdx.x % kWarpLanes;
    if (lane == 0 && own > 0) {
      atomicAdd(&cursor, static_cast<unsigned long long>(own));
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      cursor = atomicAdd(groups.size, cursor);
    }
    __syncthreads();
    for (uint32_t first = threadIdx.x - lane; first <= slots_; first += blockDim.x) {
      const uint32_t i = first + lane;
      const bool is_group = i <= slots_ && keys_[i] != kNoHash<Word>;
      const unsigned active = __ballot_sync(kAllLanes, is_group);
      unsigned long long at = 0;
      if (lane == 0 && active != 0) {
        at = atomicAdd(&cursor, static_cast<unsigned long long>(__popc(active)));
      }
      at = __shfl_sync(kAllLanes, at, 0) + __popc(active & ((1u << lane) - 1));
      if (is_group) {
        const Key hash = i == slots_ ? kNoHash<Key> : static_cast<Key>(keys_[i]);
        groups.write(at, of(hash), sums_[i], counts_ != nullptr ? counts_[i] : 0);
      }
    }
  }

 private:
  using Word = std::conditional_t<sizeof(Key) == 8, unsigned long long, unsigned>;

  // Bits by which the low half of a hash is shifted so that the part's bits do not choose the
  // place.
  __device__ int low_shift() const { return sizeof(Key) == 8 ? 0 : part_bits_; }

  Word* keys_;  // keys_[slots + 1]: hashes; the last entry stands for kNoHash
  Value* sums_;
  uint32_t* counts_;
  uint32_t slots_;
  int part_bits_;
};

}  // namespace presort::gpu
