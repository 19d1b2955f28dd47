#include "presort/gpu/runner/probe.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/measurement.h"
#include "presort/gpu/device_array.cuh"
#include "presort/gpu/devices/measure_link.cuh"
#include "presort/gpu/host/allow_shared_bytes.h"
#include "presort/gpu/host/current_gpu.h"
#include "presort/gpu/host/event_pair.h"
#include "presort/gpu/runner/probe_kernels.cuh"

namespace presort::inline v0::gpu {
namespace {

constexpr int kPasses = 7;
constexpr uint64_t kMostBytes =
    uint64_t{2} << 30;  // most bytes of each of the two arrays that the probe reads and copies
constexpr uint64_t kL2Bytes = uint64_t{16} << 20;  // bytes of an array that fits the L2
constexpr uint64_t kCrowdedBytes = uint64_t{16} << 10;

// Bytes of the array whose bandwidth is measured, a power of two; copies go from one half to the
// other.
uint64_t array_bytes() {
  size_t free_bytes = 0;
  size_t all_bytes = 0;
  PRESORT_CUDA(cudaMemGetInfo(&free_bytes, &all_bytes));
  return std::min(kMostBytes, std::bit_floor(static_cast<uint64_t>(free_bytes) / 8));
}

class Prober {
 public:
  explicit Prober(const Gpu& gpu)
      : bytes_(array_bytes()),
        from_(bytes_ / 4),
        to_(bytes_ / 4 + 16),
        sink_(1),
        gpu_(gpu),
        blocks_(gpu.multiprocessors * (gpu.threads_of_multiprocessor / ceilings::kThreads)) {
    if (bytes_ < 8 * gpu.l2_bytes) {
      throw EnvironmentError("not enough memory on the device: " + format_bytes(64 * gpu.l2_bytes) +
                             " free needed");
    }
    ceilings::fill_random<<<blocks_, ceilings::kThreads>>>(words(from_), bytes_ / 4, UINT32_MAX);
    PRESORT_CUDA(cudaMemset(words(to_), 0, bytes_));
    allow_shared_bytes(ceilings::update_tables<uint32_t>, gpu.shared_bytes_of_block);
    allow_shared_bytes(ceilings::update_tables<double>, gpu.shared_bytes_of_block);
    PRESORT_CUDA(cudaDeviceSynchronize());
  }

  double bandwidth(std::string_view key) const {
    const auto packs = reinterpret_cast<const uint4*>(words(from_));
    const auto many = static_cast<double>(bytes_);
    if (key == "read") {
      return many / seconds([&] { read(packs, bytes_ / 16, 1); });
    }
    if (key == "l2Read") {
      constexpr int kRounds = 128;
      return kRounds * static_cast<double>(kL2Bytes) /
             seconds([&] { read(packs, kL2Bytes / 16, kRounds); });
    }
    return 2 * many / seconds([&] {
             ceilings::copy_all<<<blocks_, ceilings::kThreads>>>(
                 packs, reinterpret_cast<uint4*>(words(to_)), bytes_ / 16);
           });
  }

  // Time, ns, of an atomic to a random word of 4 bytes of a table of `table_bytes` bytes.
  template <class Word = uint32_t>
  double atomic_ns(uint64_t table_bytes, uint64_t count) const {
    return 1e9 * seconds([&] {
             ceilings::add_at_random<<<blocks_, ceilings::kThreads>>>(
                 reinterpret_cast<Word*>(words(to_)), static_cast<uint32_t>(table_bytes / 4),
                 count);
           }) /
           static_cast<double>(count);
  }

  // Time, ns, that an atomic to one address adds, where 1 / kOneIn of all go to it and the others to
  // random words of a table of `table_bytes` bytes.
  double atomic_beside_ns(uint64_t table_bytes, uint64_t count) const {
    constexpr uint32_t kOneIn = 100;
    const auto many = static_cast<double>(count);
    const double together =
        1e9 * seconds([&] {
          ceilings::add_beside_one<<<blocks_, ceilings::kThreads>>>(
              words(to_), static_cast<uint32_t>(table_bytes / 4), count, kOneIn);
        });
    const double others = many * (1 - 1.0 / kOneIn) * atomic_ns(table_bytes, count);
    return (together - others) * kOneIn / many;
  }

  double read_ns(uint64_t table_bytes, uint64_t count) const {
    return 1e9 * seconds([&] {
             ceilings::read_at_random<<<blocks_, ceilings::kThreads>>>(
                 words(from_), static_cast<uint32_t>(table_bytes / 4), count, sink());
           }) /
           static_cast<double>(count);
  }

  template <bool kAdds>
  double shared_rate() const {
    constexpr int kRounds = 512;
    const int blocks =
        gpu_.multiprocessors * (gpu_.threads_of_multiprocessor / ceilings::kTableThreads);
    return 8.0 * kRounds * blocks * ceilings::kTableThreads / seconds([&] {
             ceilings::use_shared<kAdds><<<blocks, ceilings::kTableThreads>>>(kRounds, sink());
           });
  }

  // Rate, inputs a second, at which tables look at inputs of which one in `one_in` falls into the
  // table.
  template <class Value>
  double table_rate(uint32_t one_in) const {
    constexpr int kRounds = 4;
    constexpr uint64_t kLabels = uint64_t{1} << 21;
    const auto buckets =
        static_cast<uint32_t>((gpu_.shared_bytes_of_block - kSpareBytes) / sizeof(Value));
    ceilings::fill_random<<<blocks_, ceilings::kThreads>>>(words(to_), kLabels, buckets * one_in);
    const uint64_t count = kLabels / (4 * gpu_.multiprocessors) * (4 * gpu_.multiprocessors);
    return static_cast<double>(kRounds * count) * gpu_.multiprocessors / seconds([&] {
             ceilings::update_tables<Value>
                 <<<gpu_.multiprocessors, ceilings::kTableThreads, gpu_.shared_bytes_of_block>>>(
                     words(to_), count, buckets, kRounds, sink());
           });
  }

  // Time, ns, of one more kernel launch while others wait in the stream.
  double launch_ns() const {
    constexpr int kLaunches = 256;
    constexpr long long kCycles = 8'000'000;
    const auto wait = [] { ceilings::wait_cycles<<<1, 1>>>(kCycles); };
    const double waiting = seconds(wait);
    return 1e9 *
           (seconds([&] {
              wait();
              for (int i = 0; i < kLaunches; ++i) {
                ceilings::do_nothing<<<1, 32>>>();
              }
            }) -
            waiting) /
           kLaunches;
  }

  // Time, ns, of a kernel on an idle device that reads and writes a word a thread, two blocks of
  // each multiprocessor. Median: a single launch is short beside what disturbs it.
  double small_kernel_ns() const {
    constexpr int kRounds = 41;
    std::vector<double> rounds;
    for (int round = 0; round < kRounds; ++round) {
      rounds.push_back(events_.ns_of([&] {
        ceilings::copy_word<<<2 * gpu_.multiprocessors, ceilings::kThreads>>>(words(from_),
                                                                              words(to_));
      }));
    }
    std::nth_element(rounds.begin(), rounds.begin() + kRounds / 2, rounds.end());
    return rounds[kRounds / 2];
  }

  // Time, ns, of a read that waits for the one before and is answered by the L2.
  double l2_latency_ns() const {
    constexpr uint32_t kLines = uint32_t{1} << 16;  // 8 MiB, which every L2 of a data center holds
    ceilings::link_lines<<<blocks_, ceilings::kThreads>>>(words(to_), kLines);
    return 1e9 * seconds([&] { ceilings::follow_lines<<<1, 1>>>(words(to_), kLines, sink()); }) /
           kLines;
  }

  double shared_latency_ns() const {
    constexpr uint32_t kHops = 100'000;
    return 1e9 * seconds([&] { ceilings::follow_shared<<<1, 32>>>(kHops, sink()); }) / kHops;
  }

  uint64_t bytes() const { return bytes_; }

 private:
  static uint32_t* words(const DeviceArray<uint32_t>& array) { return array.span().data(); }
  uint32_t* sink() const { return words(sink_); }

  void read(const uint4* packs, uint64_t count, int rounds) const {
    ceilings::read_all<<<blocks_, ceilings::kThreads>>>(packs, count, rounds, sink());
  }

  // Time, ns, of `work`: the second of two runs, of which the first warms up.
  template <class Work>
  double seconds(const Work& work) const {
    work();
    PRESORT_CUDA(cudaGetLastError());
    return events_.ns_of(work) * 1e-9;
  }

  uint64_t bytes_;
  DeviceArray<uint32_t> from_;
  DeviceArray<uint32_t> to_;
  DeviceArray<uint32_t> sink_;
  Gpu gpu_;
  int blocks_;
  EventPair events_;
};

// Model of the time of an access to a table of F bytes, with E bytes in the L2: hit · E/F + miss ·
// (1 − E/F). Times at two sizes of table give `miss` and E.
struct BeyondL2 {
  double miss_ns;
  double effective_bytes;
};
BeyondL2 beyond_l2(double hit_ns, double bytes, double ns, double more_bytes, double more_ns) {
  const double excess =
      (more_ns - ns) /
      (1 / bytes - 1 / more_bytes);  // slope of time over 1 / table bytes: E · (miss − hit)
  const double miss = more_ns + excess / more_bytes;
  return {miss, excess / (miss - hit_ns)};
}

// Rounds a measured value to four digits; more would be noise.
double four_digits(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 3);
  return std::round(value / unit) * unit;
}

class Samples {
 public:
  void add(std::string_view key, double value) {
    for (GpuSamples& one : samples_) {
      if (one.key == key) {
        one.passes.push_back(value);
        return;
      }
    }
    samples_.push_back({key, {value}});
  }
  const std::vector<GpuSamples>& all() const { return samples_; }
  double median_of(std::string_view key) const {
    for (const GpuSamples& one : samples_) {
      if (one.key == key) {
        return median(one.passes);
      }
    }
    throw Error("a ceiling that was not measured: " + std::string(key));
  }

 private:
  std::vector<GpuSamples> samples_;
};

void take_pass(const Prober& prober, const Gpu& gpu, Samples& samples) {
  constexpr uint64_t kFew = uint64_t{1} << 23;  // number of accesses timed for slow operations
  constexpr uint64_t kMany = uint64_t{1} << 27;
  for (const std::string_view key : {"read", "copy", "l2Read"}) {
    samples.add(key, prober.bandwidth(key));
  }
  samples.add("atomicsOneAddress", 1e9 / prober.atomic_ns(4, kFew));
  samples.add("oneAddressFloats", 1e9 / prober.atomic_ns<float>(4, kFew));
  samples.add("atomicsCrowded", 1e9 / prober.atomic_ns(kCrowdedBytes, kMany));
  const double hit_ns = prober.atomic_ns(kL2Bytes, kMany);
  samples.add("atomicsL2", 1e9 / hit_ns);
  const uint64_t table = std::bit_ceil(gpu.l2_bytes) * 2;
  const uint64_t large = prober.bytes() / 2;
  const BeyondL2 beyond =
      beyond_l2(hit_ns, static_cast<double>(table), prober.atomic_ns(table, kMany),
                static_cast<double>(large), prober.atomic_ns(large, kMany));
  samples.add("atomicsMemory", 1e9 / beyond.miss_ns);
  samples.add("oneAddressBesideMisses", 1e9 / prober.atomic_beside_ns(large, kMany));
  samples.add("l2Effective", beyond.effective_bytes);
  const double read_hit_ns = prober.read_ns(kL2Bytes, kMany);
  samples.add("readsL2", 1e9 / read_hit_ns);
  const double hits = beyond.effective_bytes / static_cast<double>(large);
  samples.add("readsMemory",
              1e9 * (1 - hits) / (prober.read_ns(large, kMany) - hits * read_hit_ns));
  samples.add("sharedAtomics", prober.shared_rate<true>());
  samples.add("sharedReads", prober.shared_rate<false>());
  samples.add("tableUpdates", prober.table_rate<uint32_t>(1));
  samples.add("tableQuarters", prober.table_rate<uint32_t>(4));
  samples.add("tableSwaps", prober.table_rate<double>(1));
  samples.add("tableSwapQuarters", prober.table_rate<double>(4));
  const double launch_ns = prober.launch_ns();
  samples.add("launch", launch_ns);
  samples.add("step", std::max(1.0, prober.small_kernel_ns() - launch_ns));
  samples.add("l2Latency", prober.l2_latency_ns());
  samples.add("sharedLatency", prober.shared_latency_ns());
}

// True if this host has several devices, and each reaches the memory of all others.
bool has_links() {
  int count = 0;
  PRESORT_CUDA(cudaGetDeviceCount(&count));
  for (int device = 0; device < count; ++device) {
    for (int peer = 0; peer < count; ++peer) {
      int can = 0;
      if (device != peer) {
        PRESORT_CUDA(cudaDeviceCanAccessPeer(&can, device, peer));
      }
      if (device != peer && can == 0) {
        return false;
      }
    }
  }
  return count > 1;
}

// Measures links of all devices of this host, at most kMostDevices of them.
void take_links(Samples& samples) {
  int count = 0;
  PRESORT_CUDA(cudaGetDeviceCount(&count));
  const Devices devices(Devices::first(std::min(count, static_cast<int>(kMostDevices))));
  for (int pass = 0; pass < kPasses; ++pass) {
    const DeviceLink link = measure_link(devices);
    samples.add("linkBandwidth", link.bandwidth);
    samples.add("linkLatency", link.latency_ns);
  }
}

}  // namespace

Gpu describe_gpu() {
  return describe_device();
}

GpuProbe probe_gpu(const std::function<void(std::string_view step, double fraction)>& progress) {
  GpuProbe probe;
  probe.gpu = describe_gpu();
  const Prober prober(probe.gpu);
  Samples samples;
  for (int pass = 0; pass < kPasses; ++pass) {
    progress("GPU", static_cast<double>(pass) / kPasses);
    take_pass(prober, probe.gpu, samples);
  }
  for (const Field& ceiling : fields::kGpuCeilings.rows) {
    real_number(ceiling, &probe.gpu) = four_digits(samples.median_of(ceiling.key));
  }
  // The measured effective size of the L2 is rounded down to whole pages of 64 KiB and is at most
  // the announced size.
  constexpr uint64_t kStep = 64 << 10;
  const double effective = std::max(samples.median_of("l2Effective"), double{kStep});
  probe.gpu.l2_effective_bytes =
      std::min(static_cast<uint64_t>(effective) / kStep * kStep, probe.gpu.l2_bytes);
  probe.gpu.launch_ns = four_digits(samples.median_of("launch"));
  probe.gpu.step_ns = four_digits(samples.median_of("step"));
  probe.gpu.l2_latency_ns = four_digits(samples.median_of("l2Latency"));
  probe.gpu.shared_latency_ns = four_digits(samples.median_of("sharedLatency"));
  if (has_links()) {
    take_links(samples);
    probe.gpu.link_bandwidth = four_digits(samples.median_of("linkBandwidth"));
    probe.gpu.link_latency_ns = four_digits(samples.median_of("linkLatency"));
  }
  probe.samples = samples.all();
  return probe;
}

}  // namespace presort::gpu
