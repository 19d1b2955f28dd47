// Shared by the GPU benchmarks: arrays, labels made on the device, and medians of event times.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bench/gpu/mix.h"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/host/event_pair.h"

namespace presort::inline v0::gpu::bench {

template <class T>
class Array {
 public:
  explicit Array(size_t size) : size_(size) {
    PRESORT_CUDA(cudaMalloc(&data_, size * sizeof(T) + 64));
  }
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  T* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  size_t size_;
  T* data_ = nullptr;
};

enum class Labels { uniform, degenerate, zipf };

// Makes labels of a kind. Zipf labels: the inverse of the continuous distribution gives a rank, and
// ranks are scattered over the labels.
static __global__ void make_labels_kernel(uint32_t* labels, uint64_t n, uint64_t m, Labels kind) {
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<uint64_t>(gridDim.x) * blockDim.x) {
    const uint64_t any = mix(i);
    const double part = static_cast<double>(any >> 11) * 0x1p-53;
    if (kind == Labels::uniform) {
      labels[i] = static_cast<uint32_t>(__umul64hi(any, m));
    } else if (kind == Labels::degenerate) {
      labels[i] = static_cast<uint32_t>(m / 2);
    } else {
      constexpr double kExponent = 1.25;
      const double last = pow(static_cast<double>(m) + 1, 1 - kExponent);
      const double rank = pow(1 - part * (1 - last), 1 / (1 - kExponent)) - 1;
      const auto whole = static_cast<uint64_t>(rank) % m;
      labels[i] = static_cast<uint32_t>(mix(whole) % m);
    }
  }
}

// Kind of labels by its name; uniform for any other name.
inline Labels labels_named(std::string_view name) {
  return name == "degenerate" ? Labels::degenerate
         : name == "zipf"     ? Labels::zipf
                              : Labels::uniform;
}

inline void make_labels(const Array<uint32_t>& labels, uint64_t m, Labels kind) {
  make_labels_kernel<<<2048, 256>>>(labels.data(), labels.size(), m, kind);
  PRESORT_CUDA(cudaGetLastError());
}

// Time of `run` in seconds, by the host's clock, until the device is done.
template <class Run>
double host_seconds(const Run& run) {
  PRESORT_CUDA(cudaDeviceSynchronize());
  const auto start = std::chrono::steady_clock::now();
  run();
  PRESORT_CUDA(cudaDeviceSynchronize());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Time of `run` in ns, by device events.
template <class Run>
double ns_once(Run&& run) {
  return EventPair().ns_of(run);
}

// Median time of `run` in ns, by device events, after one to warm up.
template <class Run>
double median_ns(int rounds, Run&& run) {
  cudaEvent_t start, stop;
  PRESORT_CUDA(cudaEventCreate(&start));
  PRESORT_CUDA(cudaEventCreate(&stop));
  run();
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    PRESORT_CUDA(cudaEventRecord(start));
    run();
    PRESORT_CUDA(cudaEventRecord(stop));
    PRESORT_CUDA(cudaEventSynchronize(stop));
    float ms = 0;
    PRESORT_CUDA(cudaEventElapsedTime(&ms, start, stop));
    times.push_back(ms * 1e6);
  }
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

// Median times of several runs in ns, by device events: one of each to warm up, then all by turns,
// so that what changes with time meets them all.
template <class... Runs>
std::array<double, sizeof...(Runs)> medians_by_turns(int rounds, const Runs&... runs) {
  std::array<std::vector<double>, sizeof...(Runs)> times;
  const EventPair pair;
  (runs(), ...);
  for (int i = 0; i < rounds; ++i) {
    auto* next = times.data();
    ((next++)->push_back(pair.ns_of(runs)), ...);
  }
  std::array<double, sizeof...(Runs)> medians;
  for (size_t i = 0; i < medians.size(); ++i) {
    const auto middle = times[i].begin() + static_cast<ptrdiff_t>(times[i].size() / 2);
    std::nth_element(times[i].begin(), middle, times[i].end());
    medians[i] = *middle;
  }
  return medians;
}

// Median times as medians_by_turns, where the L2 is emptied before each run: by turns alone, a run
// found in the L2 what the run before it had left. Of one call, up to twice the time of the same
// kernel behind a sort instead of behind itself (one H100, 2^19 to 2^21 inputs, 2026-11-25). Each
// round begins with another run, so that none always follows the same one: first in a round, a
// plain kernel took 0.15 µs more than second (one H100, 2026-11-26).
template <class... Runs>
std::array<double, sizeof...(Runs)> cold_medians_by_turns(int rounds, const Runs&... runs) {
  constexpr size_t kBytes = size_t{1} << 27;  // twice the L2 of an H200 and more
  const Array<unsigned char> other(kBytes);
  const auto cold = [&](const auto& run) {
    PRESORT_CUDA(cudaMemset(other.data(), 1, kBytes));
    PRESORT_CUDA(cudaDeviceSynchronize());
    return EventPair().ns_of(run);
  };
  constexpr size_t kRuns = sizeof...(Runs);
  std::array<std::vector<double>, kRuns> times;
  (runs(), ...);
  for (size_t i = 0; i < static_cast<size_t>(rounds); ++i) {
    for (size_t turn = 0; turn < kRuns; ++turn) {
      size_t number = 0;
      const auto run_if_next = [&](const auto& run) {
        if (number == (i + turn) % kRuns) {
          times[number].push_back(cold(run));
        }
        ++number;
      };
      (run_if_next(runs), ...);
    }
  }
  std::array<double, kRuns> medians;
  for (size_t i = 0; i < medians.size(); ++i) {
    const auto middle = times[i].begin() + static_cast<ptrdiff_t>(times[i].size() / 2);
    std::nth_element(times[i].begin(), middle, times[i].end());
    medians[i] = *middle;
  }
  return medians;
}

}  // namespace presort::gpu::bench
