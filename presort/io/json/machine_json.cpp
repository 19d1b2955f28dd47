#include "presort/io/json/machine_json.h"

#include "presort/io/machine/machine_gpu.h"
#include "presort/io/machine/machine_storage.h"

namespace presort::inline v0::io {
namespace {

Json cache_json(const CacheLevel& level) {
  return {{"name", level.name},
          {"size_bytes", level.size_bytes},
          {"ways", level.ways},
          {"line_bytes", level.line_bytes},
          {"policy", to_string(level.policy)},
          {"latency_cycles", level.latency_cycles},
          {"queue", level.queue},
          {"bandwidth_bytes_per_second", level.bandwidth},
          {"write_bandwidth_bytes_per_second", level.write_bandwidth},
          {"shared_by", level.shared_by},
          {"share", level.share},
          {"hashed", level.hashed},
          {"fill", to_name(kFills, level.fill)},
          {"inclusion", to_name(kInclusions, level.inclusion)},
          {"write", to_name(kWriteModes, level.write)},
          {"write_allocate", level.write_allocate},
          {"sector_bytes", unit_bytes(level)}};
}

Json prefetcher_json(const Prefetcher& prefetcher) {
  return {
      {"level", prefetcher.level},           {"kind", to_name(kPrefetcherKinds, prefetcher.kind)},
      {"degree", prefetcher.degree},         {"distance", prefetcher.distance},
      {"cross_page", prefetcher.cross_page}, {"yields_at", prefetcher.yields_at}};
}

Json tlb_json(const TlbLevel& level) {
  return {{"name", level.name},
          {"page_bytes", level.page_bytes},
          {"entries", level.entries},
          {"ways", level.ways},
          {"latency_cycles", level.latency_cycles},
          {"policy", to_string(level.policy)}};
}

Json walk_json(const PageWalk& walk) {
  Json json = {{"walkers", walk.walkers},
               {"pde_entries", walk.pde_entries},
               {"pdpte_entries", walk.pdpte_entries},
               {"pml4e_entries", walk.pml4e_entries},
               {"cache_policy", to_string(walk.cache_policy)},
               {"enters_at", walk.enters_at},
               {"overhead_cycles", walk.overhead_cycles},
               {"outstanding", walk.outstanding},
               {"interval_cycles", walk.interval_cycles},
               {"nested_host_page_bytes", nullptr}};
  if (walk.large_interval_cycles) {
    json["large_interval_cycles"] = *walk.large_interval_cycles;
  }
  if (walk.nested_host_page_bytes) {
    json["nested_host_page_bytes"] = *walk.nested_host_page_bytes;
  }
  return json;
}

Json memory_json(const Memory& memory) {
  return {{"latency_ns", memory.latency_ns},
          {"row_hit_ns", memory.row_hit_ns},
          {"channels", memory.channels},
          {"banks", memory.banks},
          {"row_bytes", memory.row_bytes},
          {"bandwidth_bytes_per_second", memory.bandwidth},
          {"per_core_bandwidth_bytes_per_second", memory.per_core_bandwidth},
          {"streaming_store_ns", memory.streaming_store_ns},
          {"row_cycle_ns", memory.row_cycle_ns},
          {"turnaround_ns", memory.turnaround_ns},
          {"write_batch", memory.write_batch}};
}

template <class Item, class Function>
Json list_json(const std::vector<Item>& items, Function json_of) {
  Json json = Json::array();
  for (const Item& item : items) {
    json.push_back(json_of(item));
  }
  return json;
}

Json slots_json(const CoreCosts& costs) {
  Json json = Json::object();
  for (const auto& [name, op] : kMicroOps) {
    json[std::string(name)] = costs[op];
  }
  return json;
}

Json cpu_json(const Machine& machine) {
  return {{"clock_hz", machine.clock_hz},
          {"cores", machine.cores},
          {"dispatch_width", machine.dispatch_width},
          {"dispatch_slots", slots_json(machine.costs)},
          {"costs_file", machine.costs_file},
          {"window",
           {{"entries", machine.window.entries},
            {"loads", machine.window.loads},
            {"stores", machine.window.stores},
            {"registers", machine.window.registers},
            {"store_lines", machine.window.store_lines},
            {"stores_ahead", machine.window.stores_ahead},
            {"store_runs", machine.window.store_runs},
            {"load_ports", machine.window.load_ports}}},
          {"branch_miss_cycles", machine.branch_miss_cycles},
          {"store_forward_cycles", machine.store_forward_cycles},
          {"store_forward_repeated_cycles",
           machine.repeated_forward_cycles.value_or(machine.store_forward_cycles)},
          {"write_combining", machine.write_combining},
          {"threads_per_core", machine.threads_per_core},
          {"caches", list_json(machine.caches, cache_json)},
          {"prefetchers", list_json(machine.prefetchers, prefetcher_json)},
          {"tlb", list_json(machine.tlb, tlb_json)},
          {"walk", walk_json(machine.walk)},
          {"frames", to_name(kFrames, machine.frames)}};
}

}  // namespace

Json machine_to_json(const Machine& machine) {
  Json provenance = Json::object();
  for (const auto& [key, value] : machine.provenance) {
    provenance[key] = value;
  }
  Json json = {{"name", machine.name},
               {"cpu", cpu_json(machine)},
               {"memory", memory_json(machine.memory)},
               {"provenance", provenance}};
  if (machine.storage) {
    json["storage"] = storage_json(*machine.storage);
  }
  if (machine.gpu) {
    json["gpu"] = gpu_json(*machine.gpu);
  }
  return json;
}

}  // namespace presort::io
