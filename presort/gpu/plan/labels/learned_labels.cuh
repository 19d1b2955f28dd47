// Learns the kind of labels from the calls themselves, and waits for nothing: a call of whose labels
// nothing is said copies a sample of them to memory of the host, behind the work that its stream
// has. A later call with the same array finds the sample there, and chooses its plan by it.
// Shapes: labels[n] in device memory
// Memory: pinned, kArrays samples of 25 kB for each host thread that makes such calls; given to
//         later threads when the thread ends
// Errors: EnvironmentError with CUDA's own words when something is refused
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "presort/core/labels/distribution.h"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/host/stream_capture.h"
#include "presort/gpu/plan/choose_plan.h"
#include "presort/gpu/plan/labels/sampled_distribution.cuh"

namespace presort::inline v0::gpu {

namespace detail {

// A sample of labels in pinned memory, which kernels write. The host reads `labels` when `ticket`
// is the one that it gave the kernel.
struct ArrivingSample {
  std::array<uint64_t, kSampledLabels> labels;
  uint64_t ticket;
};

static __global__ void mark_arrived_kernel(uint64_t* ticket, uint64_t value) {
  __threadfence_system();
  *static_cast<volatile uint64_t*>(ticket) = value;
}

// Rooms for samples of all threads. They are never given back to the driver: a kernel may write to
// one after the thread that launched it has ended.
class SampleRooms {
 public:
  static SampleRooms& all() {
    static SampleRooms* const rooms = new SampleRooms;  // outlives every thread
    return *rooms;
  }

  ArrivingSample* take() {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      ArrivingSample* const room = free_.back();
      free_.pop_back();
      return room;
    }
    const BesideCaptures beside;
    void* room = nullptr;
    PRESORT_CUDA(
        cudaHostAlloc(&room, sizeof(ArrivingSample), cudaHostAllocPortable | cudaHostAllocMapped));
    static_cast<ArrivingSample*>(room)->ticket = 0;
    return static_cast<ArrivingSample*>(room);
  }

  void give(ArrivingSample* room) {
    const std::lock_guard lock(mutex_);
    free_.push_back(room);
  }

  // A number that no other sample of this process has; not 0.
  uint64_t next_ticket() { return tickets_.fetch_add(1, std::memory_order_relaxed) + 1; }

 private:
  std::mutex mutex_;
  std::vector<ArrivingSample*> free_;
  std::atomic<uint64_t> tickets_ = 0;
};

// Kinds of the arrays of labels that the last calls of a thread had, as far as it has learnt them.
class LearnedLabels {
 public:
  static constexpr size_t kArrays = 8;
  // An array is sampled anew every so many calls, as its labels may have changed
  static constexpr int kCallsOfSample = 16;

  ~LearnedLabels() {
    for (const Known& known : known_) {
      if (known.room != nullptr) {
        SampleRooms::all().give(known.room);
      }
    }
  }

  // The distribution that a sample which has arrived comes nearest to, or nothing. Begins a sample
  // where one is due.
  template <class Label>
  std::optional<Distribution> of(cudaStream_t stream, std::span<const Label> labels, uint64_t m) {
    Known& known = find({labels.data(), labels.size(), m, sizeof(Label)});
    if (known.ticket != 0 && has_arrived(known)) {
      known.found = distribution_of_sample(labels.size(), m, known.room->labels);
      known.ticket = 0;
    }
    if (known.calls % kCallsOfSample == 0) {
      known.ticket = SampleRooms::all().next_ticket();
      launch_sample(stream, labels, known.room->labels.data());
      mark_arrived_kernel<<<1, 1, 0, stream>>>(&known.room->ticket, known.ticket);
      PRESORT_CUDA(cudaGetLastError());
    }
    ++known.calls;
    return known.found;
  }

 private:
  struct Array {
    const void* labels = nullptr;
    uint64_t n = 0;
    uint64_t m = 0;
    size_t label_bytes = 0;
    bool operator==(const Array&) const = default;
  };
  struct Known {
    Array array;
    ArrivingSample* room = nullptr;
    uint64_t ticket = 0;  // ticket of the sample that is awaited; 0: none is
    unsigned calls = 0;   // calls with this array
    std::optional<Distribution> found;
  };

  static bool has_arrived(const Known& known) {
    return std::atomic_ref(known.room->ticket).load(std::memory_order_acquire) == known.ticket;
  }

  // The entry of an array; a new one takes the place of the oldest.
  Known& find(const Array& array) {
    for (Known& known : known_) {
      if (known.array == array) {
        return known;
      }
    }
    Known& known = known_[oldest_];
    oldest_ = (oldest_ + 1) % kArrays;
    ArrivingSample* const room = known.room != nullptr ? known.room : SampleRooms::all().take();
    known = {.array = array, .room = room};
    return known;
  }

  std::array<Known, kArrays> known_;
  size_t oldest_ = 0;
};

}  // namespace detail

// The distribution that the labels of earlier calls of this thread with this array came nearest to;
// nothing where there was none, where its sample has not arrived, with fewer than
// kFewestInputsOfLearning labels, and while a graph captures the stream.
template <class Label>
std::optional<Distribution> learned_labels(cudaStream_t stream, std::span<const Label> labels,
                                           uint64_t m) {
  if (labels.size() < kFewestInputsOfLearning || is_captured(stream)) {
    return std::nullopt;
  }
  thread_local detail::LearnedLabels learned;
  return learned.of(stream, labels, m);
}

}  // namespace presort::gpu
