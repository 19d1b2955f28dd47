#include "presort/app/machines/machine_override.h"

#include <fmt/format.h>

#include <functional>
#include <limits>

#include "presort/core/error.h"
#include "presort/core/machine/shared_core.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app {

namespace {

struct Setter {
  std::string key;
  std::function<void(const std::string& key, const std::string& value)> set;
};
using Setters = std::vector<Setter>;

int parse_int(const std::string& key, const std::string& value) {
  const uint64_t count = parse_count(key, value);
  if (count > static_cast<uint64_t>(std::numeric_limits<int>::max())) {
    throw InputError(fmt::format("{}: found '{}', accepted: a number below 2^31", key, value));
  }
  return static_cast<int>(count);
}

Setter count(const std::string& key, uint64_t& target) {
  return {key, [&](const auto& k, const auto& v) { target = parse_count(k, v); }};
}

Setter integer(const std::string& key, int& target) {
  return {key, [&](const auto& k, const auto& v) { target = parse_int(k, v); }};
}

Setter bytes(const std::string& key, uint64_t& target) {
  return {key, [&](const auto& k, const auto& v) { target = parse_bytes(k, v); }};
}

Setter bandwidth(const std::string& key, double& target) {
  return {key, [&](const auto& k, const auto& v) { target = parse_bytes_per_second(k, v); }};
}

Setter cycles(const std::string& key, double& target, const double& clock_hz) {
  return {key,
          [&](const auto& k, const auto& v) { target = parse_duration(k, v).cycles(clock_hz); }};
}

Setter nanoseconds(const std::string& key, double& target, const double& clock_hz, Sign sign) {
  return {key, [&, sign](const auto& k, const auto& v) {
            target = parse_duration(k, v, sign).ns(clock_hz);
          }};
}

Setter policy(const std::string& key, Replacement& target) {
  return {key, [&](const auto& k, const auto& v) { target = parse_replacement(k, v); }};
}

void add_core(Setters& setters, Machine& machine) {
  setters.push_back({"cpu.clock", [&](const auto& k, const auto& v) {
                       machine.clock_hz = parse_frequency_hz(k, v);
                     }});
  setters.push_back(integer("cpu.cores", machine.cores));
  setters.push_back(integer("cpu.dispatchWidth", machine.dispatch_width));
  setters.push_back(integer("cpu.threadsPerCore", machine.threads_per_core));
  setters.push_back(
      {"cpu.siblings", [&](const auto& k, const auto& v) {
         if (v != "idle" && v != "busy") {
           throw InputError(fmt::format("{}: found '{}', accepted: idle, busy", k, v));
         }
         if (v == "busy" && machine.threads_per_core == 1) {
           throw InputError(
               fmt::format("{}: {} has one thread a core (cpu.threadsPerCore)", k, machine.name));
         }
         if (v == "busy") {
           machine = beside_busy_siblings(machine);
         }
       }});
  setters.push_back(integer("cpu.window.entries", machine.window.entries));
  setters.push_back(integer("cpu.window.loads", machine.window.loads));
  setters.push_back(integer("cpu.window.stores", machine.window.stores));
  setters.push_back(integer("cpu.window.storeLines", machine.window.store_lines));
  setters.push_back(integer("cpu.window.storesAhead", machine.window.stores_ahead));
  setters.push_back(integer("cpu.window.storeRuns", machine.window.store_runs));
  setters.push_back(integer("cpu.window.loadPorts", machine.window.load_ports));
  setters.push_back(cycles("cpu.branchMiss", machine.branch_miss_cycles, machine.clock_hz));
  setters.push_back(cycles("cpu.storeForward", machine.store_forward_cycles, machine.clock_hz));
  setters.push_back(integer("cpu.walk.walkers", machine.walk.walkers));
  setters.push_back(integer("cpu.walk.outstanding", machine.walk.outstanding));
  setters.push_back(cycles("cpu.walk.overhead", machine.walk.overhead_cycles, machine.clock_hz));
}

void add_levels(Setters& setters, Machine& machine) {
  for (CacheLevel& level : machine.caches) {
    const std::string prefix = "cpu.caches." + level.name + ".";
    setters.push_back(bytes(prefix + "size", level.size_bytes));
    setters.push_back(count(prefix + "ways", level.ways));
    setters.push_back(bytes(prefix + "line", level.line_bytes));
    setters.push_back(cycles(prefix + "latency", level.latency_cycles, machine.clock_hz));
    setters.push_back(integer(prefix + "queue", level.queue));
    setters.push_back({prefix + "share", [&level](const auto& k, const auto& v) {
                         level.share = parse_ratio(k, v);
                       }});
    setters.push_back(bandwidth(prefix + "bandwidth", level.bandwidth));
    setters.push_back(bandwidth(prefix + "writeBandwidth", level.write_bandwidth));
    setters.push_back(policy(prefix + "policy", level.policy));
  }
  for (TlbLevel& level : machine.tlb) {
    const std::string prefix = "cpu.tlb." + level.name + ".";
    setters.push_back(count(prefix + "entries", level.entries));
    setters.push_back(count(prefix + "ways", level.ways));
    setters.push_back(cycles(prefix + "latency", level.latency_cycles, machine.clock_hz));
    setters.push_back(policy(prefix + "policy", level.policy));
  }
}

void add_memory(Setters& setters, Machine& machine) {
  Memory& memory = machine.memory;
  const double& clock = machine.clock_hz;
  setters.push_back(nanoseconds("memory.latency", memory.latency_ns, clock, Sign::nonNegative));
  setters.push_back(nanoseconds("memory.rowHit", memory.row_hit_ns, clock, Sign::any));
  setters.push_back(integer("memory.channels", memory.channels));
  setters.push_back(integer("memory.banks", memory.banks));
  setters.push_back(bytes("memory.rowSize", memory.row_bytes));
  setters.push_back(bandwidth("memory.bandwidth", memory.bandwidth));
  setters.push_back(bandwidth("memory.perCoreBandwidth", memory.per_core_bandwidth));
  setters.push_back(nanoseconds("memory.rowCycle", memory.row_cycle_ns, clock, Sign::nonNegative));
  setters.push_back(
      nanoseconds("memory.turnaround", memory.turnaround_ns, clock, Sign::nonNegative));
  setters.push_back(integer("memory.writeBatch", memory.write_batch));
}

void add_storage(Setters& setters, Machine& machine) {
  if (!machine.storage) {
    return;
  }
  Storage& storage = *machine.storage;
  const double& clock = machine.clock_hz;
  setters.push_back(bytes("storage.pageCache", storage.page_cache_bytes));
  setters.push_back(bytes("storage.pageSize", storage.page_bytes));
  setters.push_back(bytes("storage.readAhead", storage.read_ahead_bytes));
  setters.push_back(bytes("storage.writeCluster", storage.write_cluster_bytes));
  setters.push_back(integer("storage.faults", storage.faults));
  setters.push_back(integer("storage.queueDepth", storage.queue_depth));
  setters.push_back(nanoseconds("storage.latency", storage.latency_ns, clock, Sign::nonNegative));
  setters.push_back(
      nanoseconds("storage.requestTime", storage.request_ns, clock, Sign::nonNegative));
  setters.push_back(bandwidth("storage.readBandwidth", storage.read_bandwidth));
  setters.push_back(bandwidth("storage.writeBandwidth", storage.write_bandwidth));
  setters.push_back(nanoseconds("storage.seek", storage.seek_ns, clock, Sign::nonNegative));
  setters.push_back(nanoseconds("storage.rotation", storage.rotation_ns, clock, Sign::nonNegative));
  setters.push_back(bytes("storage.eraseBlock", storage.erase_block_bytes));
  setters.push_back({"storage.overProvisioning", [&storage](const auto& k, const auto& v) {
                       storage.over_provisioning = parse_ratio(k, v);
                     }});
}

Setters all_setters(Machine& machine) {
  Setters setters;
  add_core(setters, machine);
  add_levels(setters, machine);
  add_memory(setters, machine);
  add_storage(setters, machine);
  return setters;
}

}  // namespace

std::vector<std::string> settable_keys(const Machine& machine) {
  Machine copy = machine;
  std::vector<std::string> keys;
  for (const Setter& setter : all_setters(copy)) {
    keys.push_back(setter.key);
  }
  return keys;
}

void set_machine_value(Machine& machine, const std::string& assignment) {
  const size_t equals = assignment.find('=');
  if (equals == std::string::npos) {
    throw InputError(fmt::format("--set: found '{}', accepted: KEY=VALUE, e.g. memory.latency=90ns",
                                 assignment));
  }
  const std::string key = assignment.substr(0, equals);
  for (const Setter& setter : all_setters(machine)) {
    if (setter.key == key) {
      setter.set("--set " + key, assignment.substr(equals + 1));
      if (const auto problem = find_machine_problem(machine)) {
        throw InputError(
            fmt::format("--set {}: {}: {}", assignment, problem->key_path, problem->message));
      }
      return;
    }
  }
  throw InputError(unknown_name_message("--set", key, settable_keys(machine)));
}

}  // namespace presort::app
