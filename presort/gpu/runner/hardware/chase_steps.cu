#include "presort/gpu/runner/hardware/chase_steps.h"

#include <algorithm>
#include <numeric>

#include "presort/gpu/device_array.cuh"
#include "presort/gpu/host/event_pair.h"
#include "presort/gpu/runner/hardware/chase_kernels.cuh"

namespace presort::inline v0::gpu {
namespace {

constexpr uint64_t kBytesOfLine = 4 * steps::kWordsOfLine;
constexpr uint64_t kBytesOfPage = uint64_t{2} << 20;

// A step through `count` places that comes to all of them and never to a neighbour: near the golden
// section.
uint64_t chain_step(uint64_t count) {
  auto step = static_cast<uint64_t>(0.618 * static_cast<double>(count));
  while (std::gcd(step, count) != 1) {
    ++step;
  }
  return step;
}

class Chases {
 public:
  Chases(const Gpu& gpu, std::span<uint32_t> array, double clock_hz, StepList& list)
      : gpu_(gpu), array_(array), clock_hz_(clock_hz), list_(list), cycles_(2), sink_(1) {}

  void pass() const {
    l1();
    l2();
    pages();
    random_reads();
    kernels();
  }

 private:
  uint64_t bytes() const { return array_.size_bytes(); }

  // Time, ns, of a load of a chain of lines, one of every `stride` lines.
  template <bool kPastL1>
  double load_ns(uint64_t count, uint64_t stride, uint64_t warm_up) const {
    constexpr uint64_t kHops = 8192;
    steps::link_chain<<<1024, 256>>>(array_.data(), count, stride, chain_step(count));
    steps::follow_chain<kPastL1><<<1, 1>>>(array_.data(), warm_up, kHops, cycles_.span().data());
    PRESORT_CUDA(cudaGetLastError());
    uint64_t cycles = 0;
    PRESORT_CUDA(cudaMemcpy(&cycles, cycles_.span().data(), sizeof cycles, cudaMemcpyDeviceToHost));
    return static_cast<double>(cycles) / static_cast<double>(kHops) / clock_hz_ * 1e9;
  }

  // The L1 is as small as it is beside the most shared memory of a multiprocessor.
  void l1() const {
    PRESORT_CUDA(cudaFuncSetAttribute(steps::follow_chain<false>,
                                      cudaFuncAttributePreferredSharedMemoryCarveout,
                                      cudaSharedmemCarveoutMaxShared));
    for (uint64_t kib = 4; kib <= 512; kib += kib < 64 ? 4 : kib) {
      const uint64_t count = kib * 1024 / kBytesOfLine;
      list_.add("l1Chase", kib * 1024, load_ns<false>(count, 1, 2 * count));
    }
  }

  void l2() const {
    constexpr uint64_t kMiB = uint64_t{1} << 20;
    for (uint64_t mib = 1; mib * kMiB <= std::min(bytes(), 4096 * kMiB);
         mib += std::max<uint64_t>(mib < 128 ? mib / 4 : mib, 1)) {
      // The kernel that links the lines leaves them in the L2.
      list_.add("l2Chase", mib * kMiB, load_ns<true>(mib * kMiB / kBytesOfLine, 1, 0));
    }
  }

  void pages() const {
    for (uint64_t count = 32; count * kBytesOfPage <= bytes(); count += count / 2) {
      list_.add("pageChase", count * kBytesOfPage,
                load_ns<true>(count, kBytesOfPage / kBytesOfLine, count));
    }
  }

  template <class Work>
  double seconds(const Work& work) const {
    work();
    PRESORT_CUDA(cudaGetLastError());
    return events_.ns_of(work) * 1e-9;
  }

  double read_rate(uint64_t footprint, int blocks, uint32_t rounds) const {
    return static_cast<double>(blocks) * steps::kThreads * rounds / seconds([&] {
             steps::read_at_random_places<<<blocks, steps::kThreads>>>(array_.data(), footprint / 4,
                                                                       rounds, sink_.span().data());
           });
  }

  void random_reads() const {
    const int all = gpu_.multiprocessors * (gpu_.threads_of_multiprocessor / steps::kThreads);
    for (uint64_t footprint = uint64_t{4} << 20; footprint <= bytes(); footprint += footprint / 2) {
      list_.add("readRandom", footprint, read_rate(footprint, all, 64));
    }
    list_.add("requestsOfOne", uint64_t{4} << 20, read_rate(uint64_t{4} << 20, 1, 4096));
  }

  // Time, ns, of each of many kernels in a stream, launched while the stream waits. Requires:
  // launch(i) launches a kernel
  template <class Launch>
  double kernel_ns(const Launch& launch) const {
    constexpr uint64_t kKernels = 64;
    constexpr long long kCycles = 4'000'000;  // more than the host takes to launch them
    const auto wait = [] { steps::wait_for_cycles<<<1, 1>>>(kCycles); };
    const double waiting = seconds(wait);
    const double all = seconds([&] {
      wait();
      for (uint64_t i = 0; i < kKernels; ++i) {
        launch(i);
      }
    });
    return 1e9 * (all - waiting) / kKernels;
  }

  // Kernels without work, and kernels that load lines which no cache has: each begins where none
  // was before.
  void kernels() const {
    constexpr uint64_t kApart = uint64_t{4} << 20;  // bytes from a kernel's lines to the next one's
    list_.add("emptyKernel", 0, kernel_ns([](uint64_t) { steps::do_no_work<<<1, 32>>>(); }));
    uint64_t place = 0;
    const auto touch = [&] {
      place = (place + kApart) % (bytes() / 2);
      steps::touch_lines<<<gpu_.multiprocessors, 32>>>(array_.data() + place / 4, array_.data());
    };
    list_.add("kernelChain", 0, kernel_ns([&](uint64_t) { touch(); }));
  }

  const Gpu& gpu_;
  std::span<uint32_t> array_;
  double clock_hz_;
  StepList& list_;
  DeviceArray<uint64_t> cycles_;
  DeviceArray<uint32_t> sink_;
  EventPair events_;
};

}  // namespace

void add_chases(const Gpu& gpu, std::span<uint32_t> array, double clock_hz, StepList& steps) {
  Chases(gpu, array, clock_hz, steps).pass();
}

}  // namespace presort::gpu
