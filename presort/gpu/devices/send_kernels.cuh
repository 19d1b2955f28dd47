// Kernels that send inputs to the devices that own their buckets. A warp has a chunk of the
// inputs. It counts them by owner, and after a sum over all warps it writes them, in their order,
// into the owners' memory. What it has for an owner waits in shared memory until it fills a line
// of 32 elements.
#pragma once

#include <cstdint>

#include "presort/gpu/devices/ranges.cuh"

namespace presort::inline v0::gpu {

inline constexpr int kSendThreads = 256;
inline constexpr int kSendRows = 4;  // rows of 32 inputs that a warp loads before it uses the first
inline constexpr int kSendWaiting = 64;  // inputs for one owner that wait at most

// Inputs of a warp's chunk: whole rows. The last chunks may be short or empty.
struct SendChunks {
  uint64_t warps = 0;
  uint64_t inputs = 0;
};

inline SendChunks send_chunks(uint64_t n, uint64_t blocks) {
  const uint64_t warps = blocks * (kSendThreads / 32);
  constexpr uint64_t kStep = 32 * kSendRows;
  return {warps, (n + warps * kStep - 1) / (warps * kStep) * kStep};
}

// counts[owner * warps + warp] = inputs of the warp's chunk whose bucket the owner has.
template <class Label, class Owners>
__global__ void __launch_bounds__(kSendThreads)
    count_owners_kernel(const Label* labels, uint64_t n, SendChunks chunks, Owners owners,
                        uint64_t* counts) {
  const unsigned lane = threadIdx.x % 32;
  const uint64_t warp = (blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x) / 32;
  const uint64_t first = min(warp * chunks.inputs, n);
  const uint64_t last = min(first + chunks.inputs, n);
  uint64_t own = 0;  // count of owner `lane`
  for (uint64_t at = first; at < last; at += 32 * kSendRows) {
    int owner[kSendRows];
#pragma unroll
    for (int row = 0; row < kSendRows; ++row) {
      const uint64_t i = at + row * 32 + lane;
      owner[row] = i < last ? owners.owner(labels[i]) : -1;
    }
#pragma unroll
    for (int row = 0; row < kSendRows; ++row) {
      for (int o = 0; o < owners.devices; ++o) {
        const unsigned has = __ballot_sync(~0u, owner[row] == o);
        own += lane == static_cast<unsigned>(o) ? __popc(has) : 0;
      }
    }
  }
  if (lane < static_cast<unsigned>(owners.devices)) {
    counts[lane * chunks.warps + warp] = own;
  }
}

// Turns the counts of one owner, one block for each, into the places of each warp's first input
// among those of this device; totals[owner] = inputs for the owner.
static __global__ void __launch_bounds__(1024)
    sum_owners_kernel(uint64_t* counts, uint64_t warps, uint64_t* totals) {
  __shared__ uint64_t sums[1024];
  uint64_t* own = counts + blockIdx.x * warps;
  const uint64_t share = (warps + blockDim.x - 1) / blockDim.x;
  const uint64_t first = min(threadIdx.x * share, warps);
  const uint64_t last = min(first + share, warps);
  uint64_t sum = 0;
  for (uint64_t i = first; i < last; ++i) {
    sum += own[i];
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    const uint64_t before = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
  if (threadIdx.x == blockDim.x - 1) {
    totals[blockIdx.x] = sums[threadIdx.x];
  }
  uint64_t place = sums[threadIdx.x] - sum;
  for (uint64_t i = first; i < last; ++i) {
    const uint64_t count = own[i];
    own[i] = place;
    place += count;
  }
}

// Where a device writes its inputs in the memory of each owner.
template <class Label, class Value>
struct Destinations {
  Label* labels[kMostDevices] = {};
  Value* values[kMostDevices] = {};
  uint64_t firsts[kMostDevices] = {};  // place of this device's first input in the owner's arrays
};

// Bytes of shared memory of a block that sends.
template <class Label, class Value, bool kHasValues>
constexpr size_t send_bytes(size_t devices) {
  return kSendThreads / 32 * devices * kSendWaiting *
         (sizeof(Label) + (kHasValues ? sizeof(Value) : 0));
}

// The inputs of one warp that wait for their owners.
template <bool kHasValues, class Label, class Value>
class Waiting {
 public:
  __device__ Waiting(unsigned char* shared, int devices, const Destinations<Label, Value>& to)
      : values_(reinterpret_cast<Value*>(shared)), to_(to) {
    const size_t slots = static_cast<size_t>(kSendThreads / 32) * devices * kSendWaiting;
    const size_t own = static_cast<size_t>(threadIdx.x / 32) * devices * kSendWaiting;
    labels_ = reinterpret_cast<Label*>(shared + (kHasValues ? slots * sizeof(Value) : 0)) + own;
    values_ += own;
  }

  // Adds the row's inputs of one owner, whose places are from place + held on.
  // Requires: all lanes call it with the same owner, place and held
  __device__ void add(int owner, uint64_t place, unsigned held, bool is_owners, const Label& label,
                      const Value& value) {
    const unsigned has = __ballot_sync(~0u, is_owners);
    if (is_owners) {
      const unsigned before = __popc(has & ((1u << threadIdx.x % 32) - 1));
      const size_t slot = owner * kSendWaiting + (place + held + before) % kSendWaiting;
      labels_[slot] = label;
      if constexpr (kHasValues) {
        values_[slot] = value;
      }
    }
    __syncwarp();
  }

  // Writes `count` inputs, at most 32, from place on into the owner's memory.
  __device__ void send(int owner, uint64_t place, unsigned count) const {
    const unsigned lane = threadIdx.x % 32;
    if (lane < count) {
      const size_t slot = owner * kSendWaiting + (place + lane) % kSendWaiting;
      to_.labels[owner][place + lane] = labels_[slot];
      if constexpr (kHasValues) {
        to_.values[owner][place + lane] = values_[slot];
      }
    }
    __syncwarp();
  }

 private:
  Label* labels_ = nullptr;
  Value* values_ = nullptr;
  const Destinations<Label, Value>& to_;
};

// Sends all inputs, with labels that count from the owner's first label on.
template <bool kHasValues, class Label, class Value, class Owners>
__global__ void __launch_bounds__(kSendThreads)
    send_kernel(const Label* labels, const Value* values, uint64_t n, SendChunks chunks,
                Owners owners, const uint64_t* places, Destinations<Label, Value> to) {
  extern __shared__ __align__(16) unsigned char shared[];
  const unsigned lane = threadIdx.x % 32;
  const uint64_t warp = (blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x) / 32;
  const uint64_t first = min(warp * chunks.inputs, n);
  const uint64_t last = min(first + chunks.inputs, n);
  const int devices = owners.devices;
  Waiting<kHasValues, Label, Value> waiting(shared, devices, to);
  // Lane o keeps the place of owner o's next input to send, and how many wait for it.
  const bool keeps = lane < static_cast<unsigned>(devices);
  uint64_t place = keeps ? to.firsts[lane] + places[lane * chunks.warps + warp] : 0;
  unsigned held = 0;
  for (uint64_t at = first; at < last; at += 32 * kSendRows) {
    Label label[kSendRows];
    Value value[kSendRows];
#pragma unroll
    for (int row = 0; row < kSendRows; ++row) {
      const uint64_t i = at + row * 32 + lane;
      label[row] = i < last ? labels[i] : Label{};
      value[row] = Value{};
      if constexpr (kHasValues) {
        value[row] = values[i < last ? i : first];
      }
    }
#pragma unroll
    for (int row = 0; row < kSendRows; ++row) {
      const int owner = at + row * 32 + lane < last ? owners.owner(label[row]) : -1;
      for (int o = 0; o < devices; ++o) {
        const uint64_t next = __shfl_sync(~0u, place, o);
        const unsigned before = __shfl_sync(~0u, held, o);
        const unsigned added = __popc(__ballot_sync(~0u, owner == o));
        waiting.add(o, next, before, owner == o, static_cast<Label>(label[row] - owners.first(o)),
                    value[row]);
        unsigned waits = before + added;
        const auto line = static_cast<unsigned>(32 - next % 32);  // inputs until a line is full
        const bool sends = waits >= line;
        if (sends) {
          waiting.send(o, next, line);
          waits -= line;
        }
        if (lane == static_cast<unsigned>(o)) {
          held = waits;
          place += sends ? line : 0;
        }
      }
    }
  }
  for (int o = 0; o < devices; ++o) {
    waiting.send(o, __shfl_sync(~0u, place, o), __shfl_sync(~0u, held, o));
  }
}

}  // namespace presort::gpu
