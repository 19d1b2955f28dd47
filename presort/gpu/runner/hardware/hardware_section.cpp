#include "presort/gpu/runner/hardware/hardware_section.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "presort/core/error.h"
#include "presort/core/measurement.h"
#include "presort/gpu/runner/hardware/curves.h"

namespace presort::inline v0::gpu {
namespace {

constexpr double kLanes = 32;
constexpr double kSectorBytes = 32;

double four_digits(double value) {
  if (value == 0) {
    return 0;
  }
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 3);
  return std::round(value / unit) * unit;
}

// Index of the last point before a curve rises by more than `rise` of the way from its first value
// to its last; the last point where it never does.
size_t last_before_rise(const Curve& curve, size_t pass, double rise) {
  const double limit = curve.first(pass) + rise * (curve.last(pass) - curve.first(pass));
  size_t point = 0;
  while (point + 1 < curve.size() && curve.value(point + 1, pass) <= limit) {
    ++point;
  }
  return point;
}

class Assembly {
 public:
  Assembly(const GpuProbe& probe, const DeviceFacts& facts, std::span<const HardwareStep> steps)
      : probe_(probe), facts_(facts), steps_(steps) {}

  HardwareSection take() {
    described();
    kernels();
    shared_memory();
    l1();
    l2();
    slices();
    memory();
    translation();
    return std::move(section_);
  }

 private:
  GpuHardware& gpu() { return section_.hardware; }
  Curve curve(std::string_view name) const { return {steps_, name}; }

  const std::vector<double>& ceiling(std::string_view key) const {
    for (const GpuSamples& samples : probe_.samples) {
      if (samples.key == key) {
        return samples.passes;
      }
    }
    throw Error("ceiling " + std::string(key) + " was not measured");
  }

  // Notes a measured key; returns the median of its passes in four digits.
  double note(std::string key, std::vector<double> passes, double resolution = 0) {
    const double value = median(passes);
    section_.values.push_back({std::move(key), std::move(passes), resolution});
    return four_digits(value);
  }

  // Notes a key whose value in a pass is of_pass(pass).
  template <class OfPass>
  double note_each(std::string key, size_t passes, const OfPass& of_pass, double resolution = 0) {
    std::vector<double> values;
    for (size_t pass = 0; pass < passes; ++pass) {
      values.push_back(of_pass(pass));
    }
    return note(std::move(key), std::move(values), resolution);
  }

  // Takes over the facts that the driver tells. Clocks are those of a multiprocessor at work.
  void described() {
    const Gpu& told = probe_.gpu;
    gpu().name = told.name;
    gpu().multiprocessors = told.multiprocessors;
    gpu().warps_of_multiprocessor = told.threads_of_multiprocessor / static_cast<int>(kLanes);
    gpu().shared_bytes_of_block = told.shared_bytes_of_block;
    gpu().shared.size_bytes = told.shared_bytes_of_multiprocessor;
    gpu().l2.size_bytes = told.l2_bytes;
    gpu().memory.size_bytes = told.memory_bytes;
    gpu().memory.ecc = facts_.ecc;
    const Curve clock = curve("clock");
    gpu().clock_hz =
        note_each("clock", clock.passes(), [&](size_t pass) { return clock.first(pass); });
  }

  double cycles(double ns) { return ns * 1e-9 * gpu().clock_hz; }

  void kernels() {
    gpu().launch_ns = note("launch", ceiling("launch"));
    gpu().step_ns = note("step", ceiling("step"));
    // Little's law: what one multiprocessor reads of memory in the time of a load of it
    const Curve one = curve("readOfOne");
    const Curve chase = curve("l2Chase");
    gpu().outstanding_sectors =
        static_cast<int>(note_each("outstanding", one.passes(), [&](size_t pass) {
          return std::round(one.last(pass) * chase.last(pass) * 1e-9 / kSectorBytes);
        }));
    gpu().fill_bytes_of_cycle = std::round(note_each("fill", one.passes(), [&](size_t pass) {
      return std::round(one.first(pass) / gpu().clock_hz);
    }));
    const Curve requests = curve("requestsOfOne");
    gpu().requests_of_cycle = note_each("requests", requests.passes(), [&](size_t pass) {
      return requests.first(pass) / gpu().clock_hz;
    });
    const Curve lead = curve("blockLead");
    gpu().block_lead = note_each("blockLead", lead.passes(), [&](size_t pass) {
      double sum = 0;
      for (size_t i = 0; i < lead.size(); ++i) {
        sum += lead.value(i, pass);
      }
      return sum / static_cast<double>(lead.size());
    });
  }

  // At a stride of as many words as there are banks a warp's lanes take turns at one bank.
  void shared_memory() {
    const Curve load = curve("bankLoad");
    gpu().shared.banks =
        static_cast<int>(note_each("shared.banks", load.passes(), [&](size_t pass) {
          return std::exp2(std::round(std::log2(load.value_at(1, pass) / load.value_at(32, pass))));
        }));
    const Curve chase = curve("sharedChase");
    gpu().shared.latency_cycles = note_each("shared.latency", chase.passes(),
                                            [&](size_t pass) { return cycles(chase.first(pass)); });
    const auto lane_cycles = [&](const char* key, const char* name) {
      const Curve each = curve(name);
      return note_each(key, each.passes(), [&](size_t pass) {
        return gpu().clock_hz / each.value_at(32, pass) / kLanes;
      });
    };
    gpu().shared.atomic_cycles = lane_cycles("shared.atomic", "bankAdd");
    gpu().shared.swap_cycles = lane_cycles("shared.swap", "bankSwap");
    section_.documented.push_back("shared.bankWidth");
  }

  // The L1 ends where a chain of loads is half as slow again on the way to the L2's latency.
  void l1() {
    const Curve chase = curve("l1Chase");
    section_.guessed.push_back("l1.ways");
    if (chase.first(0) > 0.8 * chase.last(0)) {
      gpu().l1.size_bytes = 0;  // loads of global memory bypass it
      return;
    }
    constexpr double kStepBytes = 4096;
    const double bytes = note_each("l1.size", chase.passes(), [&](size_t pass) {
      return static_cast<double>(chase.at(last_before_rise(chase, pass, 0.5)));
    });
    section_.values.back().resolution = kStepBytes / 2 / bytes;
    // Sizes are whole KiB
    gpu().l1.size_bytes =
        static_cast<uint64_t>(median(section_.values.back().passes)) / 1024 * 1024;
    gpu().l1.latency_cycles = note_each("l1.latency", chase.passes(),
                                        [&](size_t pass) { return cycles(chase.first(pass)); });
  }

  void l2() {
    GpuL2& l2 = gpu().l2;
    section_.documented.insert(section_.documented.end(), {"l2.line", "l2.sector"});
    section_.guessed.push_back("l2.ways");
    const auto size = static_cast<double>(l2.size_bytes);
    std::vector<double> shares = ceiling("l2Effective");
    for (double& share : shares) {
      share = std::clamp(share / size, 0.01, 1.0);
    }
    l2.share = note("l2.share", std::move(shares));
    const Curve near = curve("nearLine");
    const Curve far = curve("farLine");
    const auto middle_of = [](const Curve& lines, size_t pass) {
      std::vector<double> all;
      for (size_t i = 0; i < lines.size(); ++i) {
        all.push_back(lines.value(i, pass));
      }
      return median(std::move(all));
    };
    l2.latency_cycles = note_each("l2.latency", near.passes(),
                                  [&](size_t pass) { return cycles(middle_of(near, pass)); });
    // Two partitions: some multiprocessors are a sixth further from a line than others, or more.
    constexpr double kFartherHalf = 1.16;
    const double farther = middle_of(far, 0) / middle_of(near, 0);
    l2.partitions = farther > kFartherHalf ? 2 : 1;
    if (l2.partitions == 2) {
      l2.far_cycles = note_each("l2.far", near.passes(), [&](size_t pass) {
        return cycles(middle_of(far, pass) - middle_of(near, pass));
      });
    }
    l2.bandwidth = note("l2.bandwidth", ceiling("l2Read"));
    l2.atomics = note("l2.atomics", ceiling("atomicsL2"));
    l2.address_atomics = note("l2.addressAtomics", ceiling("atomicsOneAddress"));
    l2.requests = note("l2.requests", ceiling("readsL2"));
    // Warps at 32 neighbouring words: the four sectors of one line
    const Curve words = curve("addWords");
    l2.line_atomics = note_each("l2.lineAtomics", words.passes(), [&](size_t pass) {
      return words.value_at(32, pass) * 32 * 4 / kSectorBytes;
    });
  }

  // Which addresses lie in one slice: twice as many bytes double the rate of random atomics where
  // the bit between them chooses another slice. Bits count while the rate is below four fifths of
  // the most.
  void slices() {
    GpuL2& l2 = gpu().l2;
    constexpr double kBitsOfSlice = 64;
    l2.slices = std::max(1, static_cast<int>(facts_.memory_bus_bits / kBitsOfSlice));
    l2.slices = l2.slices / l2.partitions * l2.partitions;
    section_.documented.push_back("l2.slices");
    constexpr double kRise = 1.25;
    constexpr double kUnsaturated = 0.8;
    const Curve adds = curve("addRandom");
    const auto rises = [&](size_t point) {
      return adds.value(point + 1, 0) > kRise * adds.value(point, 0);
    };
    size_t point = 0;
    while (point + 2 < adds.size() && !(rises(point) && adds.at(point) >= l2.line_bytes)) {
      ++point;
    }
    l2.interleave_bytes = adds.at(point);
    for (; point + 1 < adds.size() && adds.value(point + 1, 0) < kUnsaturated * adds.most(0);
         ++point) {
      if (!rises(point)) {
        l2.folded_bytes.push_back(adds.at(point));
      }
    }
    section_.values.push_back({"l2.interleave", {static_cast<double>(l2.interleave_bytes)}, 0.5});
  }

  void memory() {
    GpuDeviceMemory& memory = gpu().memory;
    constexpr int kBitsOfChannel = 32;  // a pseudo channel of stacked memory
    memory.channels = std::max(1, facts_.memory_bus_bits / kBitsOfChannel);
    section_.documented.insert(section_.documented.end(), {"memory.channels", "memory.row"});
    memory.bandwidth = note("memory.bandwidth", ceiling("read"));
    const std::vector<double>& reads = ceiling("readsMemory");
    const std::vector<double>& atomics = ceiling("atomicsMemory");
    memory.row_reads = note("memory.rowReads", reads);
    // An atomic beyond the L2 reads a row and writes one.
    memory.row_writes =
        note_each("memory.rowWrites", std::min(reads.size(), atomics.size()),
                  [&](size_t pass) { return 1 / (1 / atomics[pass] - 1 / reads[pass]); });
    const Curve chase = curve("l2Chase");
    memory.latency_ns =
        note_each("memory.latency", chase.passes(), [&](size_t pass) { return chase.last(pass); });
  }

  // Translation covers what random reads can go over at four fifths of the rate that they have at
  // the smallest array that is eight times the L2. Beyond it a load of a page takes a walk more.
  void translation() {
    constexpr double kFallen = 0.8;
    const Curve reads = curve("readRandom");
    const Curve pages = curve("pageChase");
    size_t large = 0;
    while (large + 1 < reads.size() && reads.at(large) < 8 * gpu().l2.size_bytes) {
      ++large;
    }
    size_t reach = large;
    while (reach + 1 < reads.size() &&
           reads.value(reach + 1, 0) >= kFallen * reads.value(large, 0)) {
      ++reach;
    }
    if (reach + 1 >= reads.size()) {
      return;  // all memory
    }
    GpuTlb& tlb = gpu().tlb;
    const uint64_t page = tlb.page_bytes;
    tlb.reach_bytes = reads.at(reach) / page * page;
    section_.values.push_back({"tlb.reach", {static_cast<double>(tlb.reach_bytes)}, 0.25});
    section_.documented.push_back("tlb.page");
    const auto near_pages = [&](size_t pass) {
      double ns = pages.first(pass);
      for (size_t i = 0; i < pages.size() && pages.at(i) <= tlb.reach_bytes; ++i) {
        ns = pages.value(i, pass);
      }
      return ns;
    };
    tlb.walk_ns = note_each("tlb.walk", pages.passes(), [&](size_t pass) {
      return std::max(1.0, pages.last(pass) - near_pages(pass));
    });
    const double missing =
        1 - static_cast<double>(tlb.reach_bytes) / static_cast<double>(reads.at(reads.size() - 1));
    tlb.walkers = std::max(
        1, static_cast<int>(note_each("tlb.walkers", reads.passes(), [&](size_t pass) {
          return std::max(1.0, std::round(reads.last(pass) * missing * tlb.walk_ns * 1e-9));
        })));
  }

  const GpuProbe& probe_;
  const DeviceFacts& facts_;
  std::span<const HardwareStep> steps_;
  HardwareSection section_;
};

}  // namespace

HardwareSection hardware_section(const GpuProbe& probe, const DeviceFacts& facts,
                                 std::span<const HardwareStep> steps) {
  return Assembly(probe, facts, steps).take();
}

}  // namespace presort::gpu
