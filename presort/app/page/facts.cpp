#include "presort/app/page/facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "presort/core/text/units.h"

namespace presort::inline v0::app::page {

Facts facts_of(const io::RecordedMachine& machine, const io::Provenance& provenance) {
  Facts facts;
  const auto add = [&facts](const char* name, const std::string& value) {
    if (!value.empty()) {
      facts.emplace_back(name, value);
    }
  };
  add("clock", machine.clock_hz > 0 ? format_frequency(machine.clock_hz) : "");
  add("cores", machine.cores > 0 ? std::to_string(machine.cores) : "");
  add("caches", fmt::format("{}", fmt::join(machine.caches, ", ")));
  add("memory latency",
      machine.memory_latency_ns > 0 ? fmt::format("{:.3g} ns", machine.memory_latency_ns) : "");
  add("memory bandwidth, all cores",
      machine.memory_bandwidth > 0 ? format_bandwidth(machine.memory_bandwidth) : "");
  add("memory bandwidth, one core", machine.per_core_memory_bandwidth > 0
                                        ? format_bandwidth(machine.per_core_memory_bandwidth)
                                        : "");
  add("presort", provenance.tool_version);
  add("compiler", provenance.compiler);
  add("system", provenance.kernel);
  add("host", provenance.host);
  add("date", provenance.date);
  return facts;
}

io::RecordedMachine recorded_machine(const Machine& machine) {
  io::RecordedMachine recorded = {
      .name = machine.name,
      .clock_hz = machine.clock_hz,
      .cores = static_cast<uint64_t>(machine.cores),
      .memory_latency_ns = machine.memory.latency_ns,
      .memory_bandwidth = machine.memory.bandwidth,
      .per_core_memory_bandwidth = machine.memory.per_core_bandwidth,
      .caches = {},
  };
  for (const CacheLevel& level : machine.caches) {
    recorded.caches.push_back(level.name + " " + format_bytes(level.size_bytes));
  }
  return recorded;
}

double memory_ceiling(const io::RecordedMachine& machine, int threads) {
  return machine.per_core_memory_bandwidth == 0
             ? machine.memory_bandwidth
             : std::min(machine.memory_bandwidth, threads * machine.per_core_memory_bandwidth);
}

std::optional<double> memory_bytes(const Prediction& prediction) {
  if (prediction.levels.empty() || prediction.simulated_inputs == 0) {
    return std::nullopt;
  }
  const LevelCounts& last = prediction.levels.back();
  const double bytes = static_cast<double>(last.bytes_in) + static_cast<double>(last.bytes_out);
  // In closed form no bytes are counted.
  return bytes > 0 ? std::optional(bytes / static_cast<double>(prediction.simulated_inputs))
                   : std::nullopt;
}

}  // namespace presort::app::page
