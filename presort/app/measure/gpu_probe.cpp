#include "presort/app/measure/gpu_probe.h"

#include <fmt/format.h>

#include <algorithm>

#include "presort/core/measurement.h"
#include "presort/gpu/runner/probe.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::app {

namespace {

// How a key is called in the file and counted in messages.
struct Shown {
  std::string key;
  double scale;
  std::string unit;
};

Shown shown(std::string_view key) {
  if (key == "l2Effective") {
    return {"gpu.l2Effective", 1.0 / (1 << 20), "MiB"};
  }
  if (key == "launch") {
    return {"gpu.launch", 1, "ns"};
  }
  for (const GpuCeiling& ceiling : kGpuCeilings) {
    if (ceiling.key == key) {
      return {"gpu.ceilings." + std::string(key), 1e-9,
              ceiling.unit == GpuUnit::bytesPerSecond ? "GB/s" : "G/s"};
    }
  }
  throw Error("not a value of a GPU: " + std::string(key));
}

probe::ProbeValue value_of(const gpu::GpuSamples& samples) {
  const Shown as = shown(samples.key);
  const auto [least, most] = std::minmax_element(samples.passes.begin(), samples.passes.end());
  const double middle = median(samples.passes);
  const double uncertainty = (*most - *least) / 2 / middle;
  const auto passes = static_cast<int>(samples.passes.size());
  return {.key = as.key,
          .value = middle * as.scale,
          .unit = as.unit,
          .uncertainty = uncertainty,
          .quality = probe::measured_quality(uncertainty, passes),
          .in_file = true,
          .passes = passes,
          .spread = uncertainty};
}

}  // namespace

void add_gpu(probe::ProbeResult& result, Progress& progress) {
  const gpu::GpuProbe probe = gpu::probe_gpu([&progress](std::string_view step, double fraction) {
    progress.update(fraction, std::string(step));
  });
  Machine& machine = result.machine;
  machine.gpu = probe.gpu;
  std::erase_if(machine.provenance, [](const auto& note) {
    return note.first.starts_with("gpu.") || note.first.find(".gpu.") != std::string::npos;
  });
  machine.provenance.emplace_back("gpu.date", io::current_provenance().date);
  for (const gpu::GpuSamples& samples : probe.samples) {
    const probe::ProbeValue value = value_of(samples);
    machine.provenance.emplace_back("uncertainty." + value.key,
                                    fmt::format("{:.1f}%", value.uncertainty * 100));
    machine.provenance.emplace_back("quality." + value.key,
                                    to_name(probe::kQualities, value.quality));
    result.values.push_back(value);
  }
}

}  // namespace presort::app
