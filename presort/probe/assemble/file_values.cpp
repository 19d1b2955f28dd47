#include "presort/probe/assemble/file_values.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "presort/core/error.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::probe {
namespace {

struct Number {
  double value = 0;
  std::string unit;
};
using Numbers = std::vector<std::pair<std::string, Number>>;

void add_levels(Numbers& numbers, const Machine& machine) {
  for (const CacheLevel& level : machine.caches) {
    const std::string prefix = "cpu.caches." + level.name + ".";
    numbers.push_back({prefix + "latency", {level.latency_cycles, "cy"}});
    numbers.push_back({prefix + "queue", {static_cast<double>(level.queue), ""}});
    numbers.push_back({prefix + "bandwidth", {level.bandwidth * 1e-9, "GB/s"}});
    numbers.push_back({prefix + "writeBandwidth", {level.write_bandwidth * 1e-9, "GB/s"}});
    numbers.push_back({prefix + "share", {level.share, ""}});
    numbers.push_back({prefix + "ways", {static_cast<double>(level.ways), ""}});
  }
  for (const TlbLevel& level : machine.tlb) {
    const std::string prefix = "cpu.tlb." + level.name + ".";
    numbers.push_back({prefix + "entries", {static_cast<double>(level.entries), ""}});
    numbers.push_back({prefix + "latency", {level.latency_cycles, "cy"}});
  }
}

void add_walk(Numbers& numbers, const PageWalk& walk) {
  numbers.push_back({"cpu.walk.walkers", {static_cast<double>(walk.walkers), ""}});
  numbers.push_back({"cpu.walk.overhead", {walk.overhead_cycles, "cy"}});
  numbers.push_back({"cpu.walk.interval", {walk.interval_cycles, "cy"}});
  if (walk.large_interval_cycles) {
    numbers.push_back({"cpu.walk.largePageInterval", {*walk.large_interval_cycles, "cy"}});
  }
  numbers.push_back({"cpu.walk.outstanding", {static_cast<double>(walk.outstanding), ""}});
  numbers.push_back({"cpu.walk.caches.pde", {static_cast<double>(walk.pde_entries), ""}});
  numbers.push_back({"cpu.walk.caches.pdpte", {static_cast<double>(walk.pdpte_entries), ""}});
  numbers.push_back({"cpu.walk.caches.pml4e", {static_cast<double>(walk.pml4e_entries), ""}});
  if (walk.nested_host_page_bytes) {
    const auto kib = static_cast<double>(*walk.nested_host_page_bytes / 1024);
    numbers.push_back({"cpu.walk.nested.hostPage", {kib, "KiB"}});
  }
}

void add_gpu(Numbers& numbers, const Gpu& gpu) {
  constexpr double kMiB = 1 << 20;
  numbers.push_back(
      {"gpu.l2Effective", {static_cast<double>(gpu.l2_effective_bytes) / kMiB, "MiB"}});
  numbers.push_back({"gpu.launch", {gpu.launch_ns, "ns"}});
  for (const GpuCeiling& ceiling : kGpuCeilings) {
    const char* unit = ceiling.unit == GpuUnit::bytesPerSecond ? "GB/s" : "G/s";
    numbers.push_back(
        {"gpu.ceilings." + std::string(ceiling.key), {gpu.*ceiling.value * 1e-9, unit}});
  }
}

Numbers numbers_of(const Machine& machine) {
  const Window& window = machine.window;
  const Memory& memory = machine.memory;
  Numbers numbers = {
      {"cpu.clock", {machine.clock_hz * 1e-9, "GHz"}},
      {"cpu.dispatchWidth", {static_cast<double>(machine.dispatch_width), ""}},
      {"cpu.threadsPerCore", {static_cast<double>(machine.threads_per_core), ""}},
      {"cpu.window.entries", {static_cast<double>(window.entries), ""}},
      {"cpu.window.loads", {static_cast<double>(window.loads), ""}},
      {"cpu.window.stores", {static_cast<double>(window.stores), ""}},
      {"cpu.window.storeLines", {static_cast<double>(window.store_lines), ""}},
      {"cpu.window.storesAhead", {static_cast<double>(window.stores_ahead), ""}},
      {"cpu.window.storeRuns", {static_cast<double>(window.store_runs), ""}},
      {"cpu.window.loadPorts", {static_cast<double>(window.load_ports), ""}},
      {"cpu.branchMiss", {machine.branch_miss_cycles, "cy"}},
      {"cpu.storeForward", {machine.store_forward_cycles, "cy"}},
      {"cpu.storeForwardRepeated",
       {machine.repeated_forward_cycles.value_or(machine.store_forward_cycles), "cy"}},
      {"memory.latency", {memory.latency_ns, "ns"}},
      {"memory.bandwidth", {memory.bandwidth * 1e-9, "GB/s"}},
      {"memory.perCoreBandwidth", {memory.per_core_bandwidth * 1e-9, "GB/s"}},
      {"memory.streamingStore", {memory.streaming_store_ns, "ns"}},
  };
  add_levels(numbers, machine);
  add_walk(numbers, machine.walk);
  if (machine.gpu) {
    add_gpu(numbers, *machine.gpu);
  }
  return numbers;
}

const std::string* find_note(const Machine& machine, const std::string& key) {
  const auto found = std::find_if(machine.provenance.begin(), machine.provenance.end(),
                                  [&key](const auto& entry) { return entry.first == key; });
  return found == machine.provenance.end() ? nullptr : &found->second;
}

Quality quality_of(const std::string& path, const std::string& text) {
  return from_name(kQualities, path, text);
}

std::string path_of(const std::string& note) {
  return "provenance." + note;
}

// parse(path, text) of an entry; its InputError becomes a ProvenanceError.
template <class Parse>
auto understood(const std::string& note, const std::string& text, Parse parse) {
  try {
    return parse(path_of(note), text);
  } catch (const InputError& error) {
    throw ProvenanceError(note, error.what());
  }
}

// "12.3ns": digits, then the unit.
Number parse_measured(const std::string& key, const std::string& text) {
  Number number;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number.value);
  if (error != std::errc()) {
    throw ProvenanceError(key, path_of(key) + ": found '" + text +
                                   "', accepted: a number with a unit, such as 12.3ns");
  }
  number.unit = std::string(end, text.data() + text.size());
  return number;
}

Number number_of(const Machine& machine, const Numbers& numbers, const std::string& key) {
  const std::string measured = "measured." + key;
  if (const std::string* text = find_note(machine, measured)) {
    return parse_measured(measured, *text);
  }
  const auto found = std::find_if(numbers.begin(), numbers.end(),
                                  [&key](const auto& entry) { return entry.first == key; });
  if (found == numbers.end()) {
    const std::string note = "quality." + key;
    throw ProvenanceError(note,
                          path_of(note) +
                              ": found no value of this name, accepted: one that the machine has, "
                              "or that measured." +
                              key + " gives");
  }
  return found->second;
}

}  // namespace

std::vector<FileValue> file_values(const Machine& machine) {
  constexpr std::string_view kPrefix = "quality.";
  const Numbers numbers = numbers_of(machine);
  std::vector<FileValue> values;
  for (const auto& [note, text] : machine.provenance) {
    if (!note.starts_with(kPrefix)) {
      continue;
    }
    const std::string key = note.substr(kPrefix.size());
    const Number number = number_of(machine, numbers, key);
    const std::string uncertainty_key = "uncertainty." + key;
    const std::string* uncertainty = find_note(machine, uncertainty_key);
    values.push_back(
        {.key = key,
         .value = number.value,
         .unit = number.unit,
         .quality = understood(note, text, quality_of),
         .uncertainty = uncertainty ? understood(uncertainty_key, *uncertainty, parse_ratio) : 0});
  }
  return values;
}

}  // namespace presort::probe
