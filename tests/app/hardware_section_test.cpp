// The section gpuHardware from curves (gpu/runner/hardware/hardware_section.h): curves of a GPU whose parts are
// known give these parts again.
#include "presort/gpu/runner/hardware/hardware_section.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "presort/core/error.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/machine/machine.h"
#include "tests/core/machine/full_machine.h"

namespace presort::inline v0::gpu::hardware_section_test {
namespace {

constexpr uint64_t kKiB = 1024;
constexpr uint64_t kMiB = 1024 * kKiB;

// A GPU with a clock of 2 GHz, an L1 of 28 KiB, an L2 of 48 MiB and 40 GiB of memory.
struct KnownGpu {
  GpuProbe probe;
  std::vector<HardwareStep> steps;
  uint64_t tlb_reach = 0;  // 0: all memory

  KnownGpu() {
    probe.gpu.name = "known";
    probe.gpu.multiprocessors = 100;
    probe.gpu.threads_of_multiprocessor = 2048;
    probe.gpu.shared_bytes_of_multiprocessor = 228 * kKiB;
    probe.gpu.shared_bytes_of_block = 227 * kKiB;
    probe.gpu.l2_bytes = 48 * kMiB;
    probe.gpu.memory_bytes = 40960 * kMiB;
    ceiling("launch", 1200);
    ceiling("step", 3000);
    ceiling("l2Effective", 24.0 * kMiB);
    ceiling("l2Read", 6e12);
    ceiling("atomicsL2", 1e11);
    ceiling("atomicsOneAddress", 1.4e9);
    ceiling("readsL2", 1.5e11);
    ceiling("read", 3e12);
    ceiling("readsMemory", 4e10);
    ceiling("atomicsMemory", 1.6e10);
  }

  // Three passes: one per mille below, at and above the value.
  static std::vector<double> passes(double value) { return {0.999 * value, value, 1.001 * value}; }
  void ceiling(const char* key, double value) { probe.samples.push_back({key, passes(value)}); }
  void point(const char* curve, uint64_t at, double value) {
    steps.push_back({curve, at, passes(value)});
  }

  // Rate of random atomics by bytes of the array: doubles with each bit but the folded ones.
  double add_rate(uint64_t bytes) const {
    double rate = 3e9;
    for (uint64_t bit = 512; bit < bytes; bit *= 2) {
      rate *= bit == 1024 || bit == 16 * kKiB ? 1 : 2;
    }
    return std::min(rate, 1e11);
  }

  void measure() {
    point("clock", 0, 2e9);
    point("readOfOne", 4 * kMiB, 80e9);
    point("readOfOne", 1024 * kMiB, 40e9);
    point("requestsOfOne", 4 * kMiB, 1.5e9);
    point("blockLead", 16 * kMiB, 0.5);
    point("blockLead", 256 * kMiB, 0.6);
    for (const uint64_t stride : {0, 1, 2, 4, 8, 16, 32}) {
      const double turns = stride == 0 ? 1 : static_cast<double>(stride);
      point("bankLoad", stride, 2e9 / turns);
      point("bankAdd", stride, 2e9 / turns);
      point("bankSwap", stride, 1e9 / turns);
    }
    point("sharedChase", 4096, 15);
    for (uint64_t kib = 4; kib <= 64; kib += 4) {
      point("l1Chase", kib * kKiB, kib <= 28 ? 17 : 130);
    }
    point("l2Chase", kMiB, 130);
    point("l2Chase", 4096 * kMiB, 400);
    for (uint64_t line = 0; line < 16; ++line) {
      point("nearLine", line, 125);
      point("farLine", line, 155);
    }
    point("addWords", 1, 4e7);
    point("addWords", 32, 3.75e8);
    for (uint64_t bytes = 32; bytes <= 64 * kMiB; bytes *= 2) {
      point("addRandom", bytes, add_rate(bytes));
    }
    for (uint64_t mib = 4; mib <= 32768; mib *= 2) {
      const bool walks = tlb_reach > 0 && mib * kMiB > tlb_reach;
      point("readRandom", mib * kMiB, mib <= 48 ? 1.5e11 : walks ? 1e10 : 4e10);
      point("pageChase", mib * kMiB, walks ? 700 : 200);
    }
  }

  HardwareSection section() const {
    return hardware_section(probe, {.memory_bus_bits = 5120, .ecc = true}, steps);
  }
};

TEST_CASE("curves of a known GPU give its parts") {
  KnownGpu known;
  known.measure();
  const HardwareSection section = known.section();
  const GpuHardware& gpu = section.hardware;
  CHECK(gpu.multiprocessors == 100);
  CHECK(gpu.warps_of_multiprocessor == 64);
  CHECK(gpu.clock_hz == doctest::Approx(2e9));
  CHECK(gpu.launch_ns == doctest::Approx(1200));
  CHECK(gpu.step_ns == doctest::Approx(3000));
  CHECK(gpu.outstanding_sectors == 500);  // 40 bytes a ns for 400 ns
  CHECK(gpu.fill_bytes_of_cycle == doctest::Approx(40));
  CHECK(gpu.requests_of_cycle == doctest::Approx(0.75));
  CHECK(gpu.block_lead == doctest::Approx(0.55));
  CHECK(gpu.shared.banks == 32);
  CHECK(gpu.shared.latency_cycles == doctest::Approx(30));
  CHECK(gpu.shared.atomic_cycles == doctest::Approx(1));
  CHECK(gpu.shared.swap_cycles == doctest::Approx(2));
  CHECK(gpu.l1.size_bytes == 28 * kKiB);
  CHECK(gpu.l1.latency_cycles == doctest::Approx(34));
  CHECK(gpu.l2.share == doctest::Approx(0.5));
  CHECK(gpu.l2.partitions == 2);
  CHECK(gpu.l2.slices == 80);
  CHECK(gpu.l2.latency_cycles == doctest::Approx(250));
  CHECK(gpu.l2.far_cycles == doctest::Approx(60));
  CHECK(gpu.l2.line_atomics == doctest::Approx(1.5e9));
  CHECK(gpu.l2.requests == doctest::Approx(1.5e11));
  CHECK(gpu.l2.interleave_bytes == 512);
  CHECK(gpu.l2.folded_bytes == std::vector<uint64_t>{1024, 16 * kKiB});
  CHECK(gpu.memory.ecc);
  CHECK(gpu.memory.channels == 160);
  CHECK(gpu.memory.row_writes == doctest::Approx(1 / (1 / 1.6e10 - 1 / 4e10)).epsilon(0.001));
  CHECK(gpu.memory.latency_ns == doctest::Approx(400));
  CHECK(gpu.tlb.reach_bytes == 0);
  Machine machine = test::full_machine(DeviceKind::ssd);
  machine.gpu_hardware = gpu;
  CHECK_FALSE(find_machine_problem(machine));
  for (const HardwareValue& value : section.values) {
    // Every key is one of machine files
    CHECK_NOTHROW(static_cast<void>(field_at(fields::kMachine, "gpuHardware." + value.key)));
    CHECK(value.passes.size() >= 1);
  }
}

TEST_CASE("the reach of translation ends where random reads fall") {
  KnownGpu known;
  known.tlb_reach = 8192 * kMiB;
  known.measure();
  const GpuTlb tlb = known.section().hardware.tlb;
  CHECK(tlb.reach_bytes == 8192 * kMiB);
  CHECK(tlb.walk_ns == doctest::Approx(500));
  CHECK(tlb.walkers == 3750);  // 10 G/s of which three quarters walk, 500 ns each
}

TEST_CASE("an L1 that loads bypass has no size, and one partition no far half") {
  KnownGpu known;
  known.measure();
  for (HardwareStep& step : known.steps) {
    if (step.curve == "l1Chase") {
      step.passes = KnownGpu::passes(130);
    }
    if (step.curve == "farLine") {
      step.passes = KnownGpu::passes(130);
    }
  }
  const GpuHardware gpu = known.section().hardware;
  CHECK(gpu.l1.size_bytes == 0);
  CHECK(gpu.l2.partitions == 1);
  CHECK(gpu.l2.far_cycles == 0);
}

TEST_CASE("slices of an H200: what its curve of random atomics says") {
  // G lanes a second at random words of 32 bytes to 512 KiB, measured on one H200
  constexpr double kMeasured[] = {6.23, 5.39, 4.45, 3.45, 5.20, 3.87, 6.48, 11.9,
                                  19.5, 35.1, 35.5, 69.5, 70.8, 94.4, 94.9};
  KnownGpu known;
  known.measure();
  std::erase_if(known.steps, [](const HardwareStep& step) { return step.curve == "addRandom"; });
  for (size_t i = 0; i < std::size(kMeasured); ++i) {
    known.point("addRandom", uint64_t{32} << i, 1e9 * kMeasured[i]);
  }
  const GpuL2 l2 = known.section().hardware.l2;
  CHECK(l2.interleave_bytes == 256);
  CHECK(l2.folded_bytes == std::vector<uint64_t>{512, 16 * kKiB, 64 * kKiB});
}

TEST_CASE("a curve that was not measured is named") {
  KnownGpu known;
  known.measure();
  std::erase_if(known.steps, [](const HardwareStep& step) { return step.curve == "l2Chase"; });
  CHECK_THROWS_WITH_AS(known.section(), "curve l2Chase was not measured", Error);
}

}  // namespace
}  // namespace presort::gpu::hardware_section_test
