#include "presort/app/measure/gpu_probe.h"

#include <fmt/format.h>

#include <algorithm>

#include "presort/core/fields/shown_number.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/measurement.h"
#include "presort/gpu/runner/probe.h"
#include "presort/io/machine/provenance.h"
#include "presort/probe/analysis/repeatability.h"

namespace presort::inline v0::app {

namespace {

// The key path of a GPU value in machine files.
std::string path_of(std::string_view key) {
  const std::string section = find_row(fields::kGpuCeilings, key) ? "gpu.ceilings." : "gpu.";
  return section + std::string(key);
}

probe::ProbeValue value_of(const gpu::GpuSamples& samples) {
  const auto [least, most] = std::minmax_element(samples.passes.begin(), samples.passes.end());
  const double middle = median(samples.passes);
  const std::string path = path_of(samples.key);
  const ShownNumber shown = shown_number(field_at(fields::kMachine, path), middle);
  const double uncertainty = (*most - *least) / 2 / middle;
  const auto passes = static_cast<int>(samples.passes.size());
  return {.key = path,
          .value = shown.value,
          .unit = shown.unit,
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
  std::erase_if(machine.provenance,
                [](const auto& note) { return note.first.starts_with("gpu."); });
  std::erase_if(machine.probed,
                [](const ProbedValue& probed) { return probed.key.starts_with("gpu."); });
  machine.provenance.emplace_back("gpu.date", io::current_provenance().date);
  for (const gpu::GpuSamples& samples : probe.samples) {
    const probe::ProbeValue value = value_of(samples);
    machine.probed.push_back(probe::noted(value));
    result.values.push_back(value);
  }
}

}  // namespace presort::app
