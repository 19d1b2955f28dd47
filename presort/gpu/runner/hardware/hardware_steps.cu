#include "presort/gpu/runner/hardware/hardware_steps.h"

#include <algorithm>
#include <vector>

#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/gpu/device_array.cuh"
#include "presort/gpu/host/current_gpu.h"
#include "presort/gpu/host/event_pair.h"
#include "presort/gpu/runner/hardware/chase_steps.h"
#include "presort/gpu/runner/hardware/device_facts.h"
#include "presort/gpu/runner/hardware/step_kernels.cuh"
#include "presort/gpu/runner/hardware/step_list.h"

namespace presort::inline v0::gpu {
namespace {

constexpr int kPasses = 3;
constexpr uint64_t kKiB = 1024;
constexpr uint64_t kMiB = 1024 * kKiB;
constexpr uint64_t kLeastBytes = 2048 * kMiB;    // bytes of the array, at least
constexpr uint64_t kClearedBytes = 1024 * kMiB;  // bytes of the array that updates go to, at most
constexpr uint64_t kLineWords = 32;

// Bytes of the array: fifteen sixteenths of the memory that is free, in whole pages, so that
// translation reaches its limits.
uint64_t array_bytes() {
  size_t free_bytes = 0;
  size_t all_bytes = 0;
  PRESORT_CUDA(cudaMemGetInfo(&free_bytes, &all_bytes));
  const uint64_t bytes = static_cast<uint64_t>(free_bytes) / 16 * 15 / (2 * kMiB) * (2 * kMiB);
  if (bytes < kLeastBytes) {
    throw EnvironmentError("not enough memory on the device: " + format_bytes(kLeastBytes) +
                           " needed, " + format_bytes(bytes) + " free");
  }
  return bytes;
}

class Steps {
 public:
  explicit Steps(const Gpu& gpu)
      : gpu_(gpu), words_(array_bytes() / 4), cycles_(256), numbers_(256), sink_(1) {}

  void pass() {
    PRESORT_CUDA(cudaMemset(words(), 0, kClearedBytes));
    add("clock", 0, clock_hz());
    chases();
    lines();
    reads();
    updates();
    banks();
    leads();
    add_chases(gpu_, words_.span(), clock_, steps_);
  }
  std::vector<HardwareStep> take() { return steps_.take(); }

 private:
  uint32_t* words() const { return words_.span().data(); }
  uint32_t* sink() const { return sink_.span().data(); }
  int blocks() const {
    return gpu_.multiprocessors * (gpu_.threads_of_multiprocessor / steps::kThreads);
  }

  void add(const char* curve, uint64_t at, double value) { steps_.add(curve, at, value); }

  // Time, s, of `work`: the second of two runs, of which the first warms up.
  template <class Work>
  double seconds(const Work& work) const {
    work();
    PRESORT_CUDA(cudaGetLastError());
    return events_.ns_of(work) * 1e-9;
  }

  uint64_t cycles_of_first() const {
    uint64_t cycles = 0;
    PRESORT_CUDA(cudaMemcpy(&cycles, cycles_.span().data(), sizeof cycles, cudaMemcpyDeviceToHost));
    return cycles;
  }

  // Cycles a second of a multiprocessor at work: those of a chain in shared memory over its time.
  double clock_hz() const {
    constexpr uint64_t kSteps = uint64_t{1} << 21;
    const double time =
        seconds([&] { steps::chase_shared<<<1, 32>>>(1024, kSteps, cycles_.span().data()); });
    return static_cast<double>(cycles_of_first()) / time;
  }

  void chases() {
    clock_ = clock_hz();
    constexpr uint64_t kSteps = uint64_t{1} << 16;
    steps::chase_shared<<<1, 32>>>(1024, kSteps, cycles_.span().data());
    add("sharedChase", 4096,
        static_cast<double>(cycles_of_first()) / static_cast<double>(kSteps) / clock_ * 1e9);
  }

  // One line, by each multiprocessor after the other: one block of all is resident at a time on
  // each.
  void lines() {
    constexpr int kLoads = 256;
    const int count = std::min(gpu_.multiprocessors, 256);
    std::vector<uint64_t> cycles(256);
    for (uint64_t line = 0; line < 16; ++line) {
      steps::read_one_line<<<count, 32, 0>>>(words() + line * 1031 * kLineWords, kLoads,
                                             cycles_.span().data(), numbers_.span().data());
      cycles_.copy_to(cycles);
      const auto [least, most] = std::minmax_element(cycles.begin(), cycles.begin() + count);
      add("nearLine", line, static_cast<double>(*least) / kLoads / clock_ * 1e9);
      add("farLine", line, static_cast<double>(*most) / kLoads / clock_ * 1e9);
    }
  }

  double read_rate(uint64_t bytes, int blocks, uint64_t bytes_read) const {
    const uint64_t of_round = static_cast<uint64_t>(blocks) * 1024 * 16;
    const auto rounds = static_cast<uint32_t>(std::max<uint64_t>(bytes_read / of_round, 4) / 4 * 4);
    return static_cast<double>(of_round * rounds) / seconds([&] {
             steps::read_again<<<blocks, 1024>>>(reinterpret_cast<const uint4*>(words()),
                                                 bytes / 16, rounds, sink());
           });
  }

  void reads() {
    const int all = gpu_.multiprocessors * (gpu_.threads_of_multiprocessor / 1024);
    for (const uint64_t mib : {2, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96, 128, 1024}) {
      add("read", mib * kMiB, read_rate(mib * kMiB, all, 4096 * kMiB));
    }
    add("readOfOne", 4 * kMiB, read_rate(4 * kMiB, 1, 64 * kMiB));
    add("readOfOne", 1024 * kMiB, read_rate(1024 * kMiB, 1, 64 * kMiB));
  }

  template <steps::Update kUpdate>
  double random_rate(uint64_t bytes, uint32_t rounds, uint32_t alike = 0) const {
    return static_cast<double>(blocks()) * steps::kThreads * rounds / seconds([&] {
             steps::update_at_random<kUpdate><<<blocks(), steps::kThreads>>>(
                 words(), static_cast<uint32_t>(bytes / 4), rounds, alike);
           });
  }

  template <class Word = uint32_t>
  double word_rate(uint32_t words_of_warp, uint32_t stride) const {
    constexpr uint32_t kRounds = 4;
    return static_cast<double>(blocks()) * (steps::kThreads / 32) * kRounds / seconds([&] {
             steps::update_words<steps::Update::add><<<blocks(), steps::kThreads>>>(
                 reinterpret_cast<Word*>(words()), words_of_warp, stride, kRounds);
           });
  }

  void updates() {
    for (const uint32_t count : {1, 2, 4, 8, 16, 32}) {
      add("addWords", count, word_rate(count, 1));
    }
    for (const uint32_t count : {1, 2, 4, 8, 16, 32}) {
      add("addFloats", count, word_rate<float>(count, 1));
      add("addDoubles", count, word_rate<double>(count, 1));
    }
    // Updates of 16 MiB, of which so many of 1024 go to one word
    for (const uint32_t alike : {0, 2, 4, 8, 16, 32, 64, 128}) {
      add("addAlike", alike, random_rate<steps::Update::add>(16 * kMiB, 32, alike));
    }
    for (const uint32_t bytes : {4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192}) {
      add("addApart", bytes, word_rate(32, bytes / 4));
    }
    for (int log2 = 5; log2 <= 28; ++log2) {
      const uint32_t rounds = log2 < 12 ? 8 : log2 < 16 ? 32 : 128;
      add("addRandom", uint64_t{1} << log2,
          random_rate<steps::Update::add>(uint64_t{1} << log2, rounds));
      add("storeRandom", uint64_t{1} << log2,
          random_rate<steps::Update::store>(uint64_t{1} << log2, rounds));
    }
  }

  template <steps::Shared kAccess>
  double bank_rate(uint32_t stride) const {
    constexpr uint32_t kRounds = 4096;
    const int of_one = gpu_.threads_of_multiprocessor / steps::kThreads;
    return static_cast<double>(of_one) * (steps::kThreads / 32) * kRounds / seconds([&] {
             steps::access_banks<kAccess>
                 <<<of_one * gpu_.multiprocessors, steps::kThreads>>>(stride, kRounds, sink());
           });
  }

  void banks() {
    for (const uint32_t stride : {0, 1, 2, 4, 8, 16, 32}) {
      add("bankLoad", stride, bank_rate<steps::Shared::load>(stride));
      add("bankAdd", stride, bank_rate<steps::Shared::add>(stride));
      add("bankSwap", stride, bank_rate<steps::Shared::swap>(stride));
    }
  }

  void leads() {
    constexpr uint32_t kRounds = 1024;
    std::vector<unsigned long long> ends(static_cast<size_t>(blocks()));
    const DeviceArray<unsigned long long> times(ends.size() + 1);
    unsigned long long* const begin = times.span().data();
    for (const uint64_t mib : {16, 256, 1024}) {
      const auto words_of_array = static_cast<uint32_t>(mib * kMiB / 4);
      PRESORT_CUDA(cudaMemset(begin, 0xff, sizeof *begin));
      steps::race_at_random<<<blocks(), steps::kThreads>>>(words(), words_of_array, kRounds, begin,
                                                           begin + 1);
      PRESORT_CUDA(cudaGetLastError());
      unsigned long long first = 0;
      PRESORT_CUDA(cudaMemcpy(&first, begin, sizeof first, cudaMemcpyDeviceToHost));
      PRESORT_CUDA(
          cudaMemcpy(ends.data(), begin + 1, ends.size() * sizeof first, cudaMemcpyDeviceToHost));
      std::sort(ends.begin(), ends.end());
      const size_t skipped = ends.size() / 20;
      const auto lead = static_cast<double>(ends[ends.size() - 1 - skipped] - ends[skipped]);
      add("blockLead", mib * kMiB, lead / static_cast<double>(ends.back() - first));
    }
  }

  Gpu gpu_;
  DeviceArray<uint32_t> words_;
  DeviceArray<uint64_t> cycles_;
  DeviceArray<uint32_t> numbers_;
  DeviceArray<uint32_t> sink_;
  EventPair events_;
  double clock_ = 0;  // cycles a second
  StepList steps_;
};

}  // namespace

DeviceFacts device_facts() {
  require_device();
  int device = 0;
  PRESORT_CUDA(cudaGetDevice(&device));
  cudaDeviceProp properties{};
  PRESORT_CUDA(cudaGetDeviceProperties(&properties, device));
  return {.memory_bus_bits = properties.memoryBusWidth, .ecc = properties.ECCEnabled != 0};
}

std::vector<HardwareStep> measure_hardware_steps(
    const std::function<void(std::string_view step, double fraction)>& progress) {
  Steps steps(describe_device());
  for (int pass = 0; pass < kPasses; ++pass) {
    progress("GPU, part by part", static_cast<double>(pass) / kPasses);
    steps.pass();
  }
  return steps.take();
}

}  // namespace presort::gpu
