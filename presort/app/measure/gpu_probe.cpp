#include "presort/app/measure/gpu_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "presort/core/fields/shown_number.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/measurement.h"
#include "presort/gpu/runner/hardware/device_facts.h"
#include "presort/gpu/runner/hardware/hardware_section.h"
#include "presort/gpu/runner/hardware/hardware_steps.h"
#include "presort/gpu/runner/probe.h"
#include "presort/io/machine/provenance.h"
#include "presort/probe/analysis/repeatability.h"

namespace presort::inline v0::app {

namespace {

std::string hardware_path(const std::string& key) {
  return "gpuHardware." + key;
}

// The key path of a GPU value in machine files.
std::string path_of(std::string_view key) {
  const std::string section = find_row(fields::kGpuCeilings, key) ? "gpu.ceilings." : "gpu.";
  return section + std::string(key);
}

// A measured value at a path of keys. `least` is the least uncertainty that it has.
probe::ProbeValue value_of(const std::string& path, const std::vector<double>& measured,
                           double least) {
  const auto [lowest, highest] = std::minmax_element(measured.begin(), measured.end());
  const double middle = median(measured);
  const ShownNumber shown = shown_number(field_at(fields::kMachine, path), middle);
  const double spread = middle == 0 ? 0 : (*highest - *lowest) / 2 / std::abs(middle);
  const double uncertainty = std::max(spread, least);
  const auto passes = static_cast<int>(measured.size());
  return {.key = path,
          .value = shown.value,
          .unit = shown.unit,
          .uncertainty = uncertainty,
          .quality = probe::measured_quality(uncertainty, passes),
          .in_file = true,
          .passes = passes,
          .spread = spread};
}

void add_value(probe::ProbeResult& result, const probe::ProbeValue& value) {
  result.machine.probed.push_back(probe::noted(value));
  result.values.push_back(value);
}

// Values that nothing measured: noted in the machine file alone.
void note_unmeasured(Machine& machine, const std::vector<std::string>& keys, Quality quality) {
  for (const std::string& key : keys) {
    machine.probed.push_back({hardware_path(key), {}, 0, quality});
  }
}

void add_hardware(probe::ProbeResult& result, const gpu::GpuProbe& probe, Progress& progress) {
  const std::vector<gpu::HardwareStep> steps =
      gpu::measure_hardware_steps([&progress](std::string_view step, double fraction) {
        progress.update(fraction, std::string(step));
      });
  const gpu::HardwareSection section = gpu::hardware_section(probe, gpu::device_facts(), steps);
  result.machine.gpu_hardware = section.hardware;
  for (const gpu::HardwareValue& value : section.values) {
    add_value(result, value_of(hardware_path(value.key), value.passes, value.resolution));
  }
  note_unmeasured(result.machine, section.documented, Quality::table);
  note_unmeasured(result.machine, section.guessed, Quality::guess);
}

bool is_of_gpu(std::string_view key) {
  return key.starts_with("gpu.") || key.starts_with("gpuHardware.");
}

}  // namespace

void add_gpu(probe::ProbeResult& result, Progress& progress) {
  const gpu::GpuProbe probe = gpu::probe_gpu([&progress](std::string_view step, double fraction) {
    progress.update(fraction, std::string(step));
  });
  Machine& machine = result.machine;
  machine.gpu = probe.gpu;
  std::erase_if(machine.provenance, [](const auto& note) { return is_of_gpu(note.first); });
  std::erase_if(machine.probed, [](const ProbedValue& probed) { return is_of_gpu(probed.key); });
  machine.provenance.emplace_back("gpu.date", io::current_provenance().date);
  for (const gpu::GpuSamples& samples : probe.samples) {
    add_value(result, value_of(path_of(samples.key), samples.passes, 0));
  }
  add_hardware(result, probe, progress);
}

}  // namespace presort::app
