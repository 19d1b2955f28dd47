#include "presort/fit/parameters.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "presort/core/text/units.h"

namespace presort::inline v0::fit {

namespace {

constexpr double kTlbRoom = 30;  // cycles by which a TLB latency may exceed the machine's

// Rounds a latency to tenths of a cycle: hundreds of cells measured in whole cycles tell no more digits.
double tenths(double value) {
  return std::round(value * 10) / 10;
}

std::string show_number(double value, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3g%s", value, unit);
  return text;
}

std::string show_cycles(double value) {
  return show_number(value, "cy");
}

std::string show_plain(double value) {
  return show_number(value, "");
}

Parameter count(std::string name, double low, double high,
                std::function<double(const Machine&)> get,
                std::function<void(Machine&, double)> set) {
  return {std::move(name), Kind::count, low, high, std::move(get), std::move(set), show_plain};
}

double row_of(const std::vector<std::string>& table, const std::string& name) {
  return static_cast<double>(std::find(table.begin(), table.end(), name) - table.begin());
}

// The replacement policies that are tried for a level: one of each group that fits alike, and two
// of the QLRU family that were found in Intel's second and last levels (Abel and Reineke,
// "nanoBench", ISPASS 2020, table I). The level's own policy is tried too.
std::vector<std::string> policies_for(const CacheLevel& level) {
  std::vector<std::string> names = {"lru",   "tree-plru",         "random",           "srrip",
                                    "drrip", "QLRU_H00_M1_R2_U1", "QLRU_H11_M1_R0_U0"};
  if (std::find(names.begin(), names.end(), to_string(level.policy)) == names.end()) {
    names.push_back(to_string(level.policy));
  }
  return names;
}

void add_cache(std::vector<Parameter>& parameters, const Machine& machine, size_t i) {
  const std::string key = "cpu.caches." + machine.caches[i].name;
  parameters.push_back(
      {key + ".share", Kind::ratio, 0.2, 1, [i](const Machine& m) { return m.caches[i].share; },
       [i](Machine& m, double value) { m.caches[i].share = std::round(value * 1000) / 1000; },
       show_plain});
  const std::vector<std::string> names = policies_for(machine.caches[i]);
  parameters.push_back(
      {key + ".policy", Kind::choice, 0, static_cast<double>(names.size() - 1),
       [i, names](const Machine& m) { return row_of(names, to_string(m.caches[i].policy)); },
       [i, names](Machine& m, double row) {
         m.caches[i].policy = parse_replacement("policy", names[static_cast<size_t>(row)]);
       },
       [names](double row) { return names[static_cast<size_t>(row)]; }});
}

}  // namespace

std::vector<Parameter> latency_parameters(const Machine& machine) {
  std::vector<Parameter> parameters;
  for (size_t i = 0; i < machine.caches.size(); ++i) {
    const CacheLevel& level = machine.caches[i];
    parameters.push_back(
        {"cpu.caches." + level.name + ".latency", Kind::linear, level.latency_cycles / 2,
         level.latency_cycles * 2, [i](const Machine& m) { return m.caches[i].latency_cycles; },
         [i](Machine& m, double value) { m.caches[i].latency_cycles = tenths(value); },
         show_cycles});
  }
  const double clock = machine.clock_hz;
  const double memory = machine.memory.latency_ns * 1e-9 * clock;
  parameters.push_back(
      {"memory.latency", Kind::linear, memory / 2, memory * 2,
       [clock](const Machine& m) { return m.memory.latency_ns * 1e-9 * clock; },
       [clock](Machine& m, double cycles) { m.memory.latency_ns = tenths(cycles * 1e9 / clock); },
       show_cycles});
  for (size_t i = 0; i < machine.tlb.size(); ++i) {
    const TlbLevel& level = machine.tlb[i];
    const double most = i == 0 ? level.latency_cycles : level.latency_cycles + kTlbRoom;
    parameters.push_back(
        {"cpu.tlb." + level.name + ".latency", Kind::linear, i == 0 ? most : 0, most,
         [i](const Machine& m) { return m.tlb[i].latency_cycles; },
         [i](Machine& m, double value) { m.tlb[i].latency_cycles = tenths(value); }, show_cycles});
  }
  return parameters;
}

std::vector<Parameter> geometry_parameters(const Machine& machine) {
  std::vector<Parameter> parameters;
  parameters.push_back(
      {"cpu.frames", Kind::choice, 0, static_cast<double>(std::size(kFrames) - 1),
       [](const Machine& m) { return static_cast<double>(m.frames); },
       [](Machine& m, double row) { m.frames = kFrames[static_cast<size_t>(row)].value; },
       [](double row) { return std::string(kFrames[static_cast<size_t>(row)].name); }});
  for (size_t i = 1; i < machine.caches.size(); ++i) {
    add_cache(parameters, machine, i);
  }
  if (!machine.tlb.empty()) {
    parameters.push_back(count(
        "cpu.walk.caches.pde", 1, 512,
        [](const Machine& m) { return static_cast<double>(m.walk.pde_entries); },
        [](Machine& m, double value) { m.walk.pde_entries = static_cast<uint64_t>(value); }));
  }
  return parameters;
}

std::vector<Parameter> prefetch_parameters(const Machine& machine) {
  if (machine.prefetchers.empty()) {
    return {};
  }
  const size_t last = machine.prefetchers.size() - 1;
  const std::string key = "cpu.prefetchers[" + std::to_string(last) + "]";
  std::vector<Parameter> parameters;
  parameters.push_back(count(
      key + ".degree", 1, 8,
      [last](const Machine& m) { return static_cast<double>(m.prefetchers[last].degree); },
      [last](Machine& m, double value) { m.prefetchers[last].degree = static_cast<int>(value); }));
  parameters.push_back(count(
      key + ".distance", 1, 64,
      [last](const Machine& m) { return static_cast<double>(m.prefetchers[last].distance); },
      [last](Machine& m, double value) {
        m.prefetchers[last].distance = static_cast<int>(value);
      }));
  const double bandwidth = machine.memory.per_core_bandwidth > 0 ? machine.memory.per_core_bandwidth
                                                                 : machine.memory.bandwidth;
  parameters.push_back(
      {"memory.perCoreBandwidth", Kind::ratio, bandwidth / 8, machine.memory.bandwidth,
       [bandwidth](const Machine& m) {
         return m.memory.per_core_bandwidth > 0 ? m.memory.per_core_bandwidth : bandwidth;
       },
       [](Machine& m, double value) {
         m.memory.per_core_bandwidth = std::round(tenths(value * 1e-9) * 1e9);
       },
       [](double value) { return format_bandwidth(value); }});
  return parameters;
}

}  // namespace presort::fit
