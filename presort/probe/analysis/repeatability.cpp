#include "presort/probe/analysis/repeatability.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "presort/core/measurement.h"
#include "presort/probe/analysis/spread.h"

namespace presort::inline v0::probe {
namespace {

const ProbeValue* find_measured(const std::vector<ProbeValue>& values, const std::string& key) {
  const auto found = std::find_if(values.begin(), values.end(), [&key](const ProbeValue& value) {
    return value.key == key && is_measured(value.quality);
  });
  return found == values.end() ? nullptr : &*found;
}

std::vector<double> values_of(const std::vector<std::vector<ProbeValue>>& passes,
                              const std::string& key) {
  std::vector<double> values;
  for (const auto& pass : passes) {
    if (const ProbeValue* value = find_measured(pass, key)) {
      values.push_back(value->value);
    }
  }
  return values;
}

// Rounds a relative uncertainty to a tenth of a percent, as in machine files.
double to_tenths_of_a_percent(double ratio) {
  return std::round(ratio * 1000) / 1000;
}

std::string four_digits(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, 4).ptr};
}

}  // namespace

void widen_by_passes(std::vector<ProbeValue>& whole,
                     const std::vector<std::vector<ProbeValue>>& passes) {
  for (ProbeValue& value : whole) {
    if (!is_measured(value.quality)) {
      continue;
    }
    const std::vector<double> seen = values_of(passes, value.key);
    value.passes = static_cast<int>(seen.size());
    value.spread = spread_of_passes(seen, value.value);
    value.uncertainty = std::max(value.uncertainty, value.spread);
    value.quality = measured_quality(value.uncertainty, value.passes);
  }
}

void floor_evictions(std::vector<ProbeValue>& values) {
  for (ProbeValue& value : values) {
    if (value.value < 0 && value.key.ends_with(".dirtyEviction")) {
      value.value = 0;
      value.uncertainty = std::max(value.uncertainty, 1.0);
      value.quality = Quality::poor;
    }
  }
}

double shared_spread(const std::vector<std::vector<ProbeValue>>& passes) {
  double widest = 0;
  for (const char* key : {"cpu.caches.L3.latency", "memory.latency", "memory.readBandwidth",
                          "memory.perCoreBandwidth"}) {
    const std::vector<double> values = values_of(passes, key);
    if (!values.empty()) {
      widest = std::max(widest, spread_of_passes(values, median(values)));
    }
  }
  return widest;
}

ProbedValue noted(const ProbeValue& value) {
  return {.key = value.key,
          .value = value.in_file ? "" : four_digits(value.value) + value.unit,
          .uncertainty = is_measured(value.quality) ? to_tenths_of_a_percent(value.uncertainty) : 0,
          .quality = value.quality};
}

bool is_noted(const ProbeValue& value) {
  return value.in_file || value.key.starts_with("cpu.") || value.key.starts_with("memory.");
}

void note_values(ProbeResult& result) {
  for (const ProbeValue& value : result.values) {
    if (is_noted(value)) {
      result.machine.probed.push_back(noted(value));
    }
  }
}

}  // namespace presort::probe
