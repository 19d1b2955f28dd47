// Copies between a block's shared memory and device memory that the copy engine of compute
// capability 9.0 makes, while the threads do something else. Shared memory that was written by
// threads is theirs until fence_for_bulk(), called by those who wrote, and a barrier; what the
// engine writes there is its own until wait_for_load().
// Units:    bytes, a multiple of 16; addresses aligned to 16
// Requires: kHasBulkCopies
// Stores belong to the thread that asks for them: it alone can wait for them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "presort/gpu/detail/atomic_combine.cuh"

namespace presort::inline v0::gpu {

// True if the device code that is being compiled has bulk copies; the host asks has_bulk_copies
// (gpu/host/device_limits.h).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
inline constexpr bool kHasBulkCopies = true;
#else
inline constexpr bool kHasBulkCopies = false;
#endif

inline constexpr uint32_t kBulkAlignment = 16;

inline __device__ bool is_bulk_aligned(const void* address) {
  return reinterpret_cast<uintptr_t>(address) % kBulkAlignment == 0;
}

inline __device__ uint32_t shared_address_of(const void* address) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(address));
}

inline __device__ void fence_for_bulk() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Initialises a shared-memory barrier for the bulk loads of one thread, which are made one after
// the other.
inline __device__ void init_load_barrier(uint64_t* barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address_of(barrier))
               : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

inline __device__ void load_bulk(void* to_shared, const void* from, uint32_t bytes,
                                 uint64_t* barrier) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address_of(barrier)),
      "r"(bytes)
      : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address_of(to_shared)),
      "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address_of(barrier))
      : "memory");
}

// Waits until bulk load number `turn` of a barrier, counted from 0, has arrived. Any thread may
// wait.
inline __device__ void wait_for_load(uint64_t* barrier, uint32_t turn) {
  uint32_t has_come = 0;
  while (has_come == 0) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
        "selp.b32 %0, 1, 0, done;\n"
        "}\n"
        : "=r"(has_come)
        : "r"(shared_address_of(barrier)), "r"(turn % 2)
        : "memory");
  }
}

inline __device__ void store_bulk(void* to, const void* from_shared, uint32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                   __cvta_generic_to_global(to)),
               "r"(shared_address_of(from_shared)), "r"(bytes)
               : "memory");
}

// Reduces shared memory into device memory by the copy engine: to[i] = to[i] ⊙ from[i], each
// element in one atomic step.
template <class M, class Value>
inline constexpr bool kReducesInBulk = std::is_integral_v<Value> &&
                                       (kAddsAtomically<M, Value> || kComparesAtomically<M, Value>);

template <class M, class Value>
__device__ void reduce_bulk(Value* to, const Value* from_shared, uint32_t bytes, const M&) {
  static_assert(kReducesInBulk<M, Value>);
  const auto global = __cvta_generic_to_global(to);
  const uint32_t shared = shared_address_of(from_shared);
#define PRESORT_REDUCE_BULK(operation)                                         \
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." operation \
               " [%0], [%1], %2;" ::"l"(global),                               \
               "r"(shared), "r"(bytes)                                         \
               : "memory")
  constexpr bool kIsLong = sizeof(Value) == 8;
  constexpr bool kIsSigned = std::is_signed_v<Value>;
  if constexpr (std::is_same_v<
                    M, Sum<Value>>) {  // integer sums: signed and unsigned have the same bits
    if constexpr (kIsLong) {
      PRESORT_REDUCE_BULK("add.u64");
    } else {
      PRESORT_REDUCE_BULK("add.u32");
    }
  } else if constexpr (std::is_same_v<M, Min<Value>>) {
    if constexpr (kIsLong && kIsSigned) {
      PRESORT_REDUCE_BULK("min.s64");
    } else if constexpr (kIsLong) {
      PRESORT_REDUCE_BULK("min.u64");
    } else if constexpr (kIsSigned) {
      PRESORT_REDUCE_BULK("min.s32");
    } else {
      PRESORT_REDUCE_BULK("min.u32");
    }
  } else {
    if constexpr (kIsLong && kIsSigned) {
      PRESORT_REDUCE_BULK("max.s64");
    } else if constexpr (kIsLong) {
      PRESORT_REDUCE_BULK("max.u64");
    } else if constexpr (kIsSigned) {
      PRESORT_REDUCE_BULK("max.s32");
    } else {
      PRESORT_REDUCE_BULK("max.u32");
    }
  }
#undef PRESORT_REDUCE_BULK
}

// Waits until the bulk stores and reductions of
// the calling thread have read their sources.
inline __device__ void wait_for_bulk_reads() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

}  // namespace presort::gpu
