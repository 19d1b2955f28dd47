#include <string>

#include "presort/core/text/units.h"
#include "presort/io/files/atomic_file.h"
#include "presort/io/machine/machine_costs.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/machine/machine_gpu.h"
#include "presort/io/machine/machine_storage.h"
#include "presort/io/yaml/yaml_writer.h"

namespace presort::inline v0::io {
namespace {

std::string cache_text(const CacheLevel& level) {
  FlowMap map;
  map.add("name", yaml_scalar(level.name))
      .add("size", format_bytes(level.size_bytes))
      .add_number("ways", level.ways)
      .add("line", format_bytes(level.line_bytes));
  if (level.sector_bytes > 0) {
    map.add("sector", format_bytes(level.sector_bytes));
  }
  map.add("policy", to_string(level.policy))
      .add("latency", exact_cycles(level.latency_cycles))
      .add_number("queue", static_cast<uint64_t>(level.queue));
  if (level.bandwidth > 0) {
    map.add("bandwidth", exact_bandwidth(level.bandwidth));
  }
  if (level.write_bandwidth > 0) {
    map.add("writeBandwidth", exact_bandwidth(level.write_bandwidth));
  }
  return map.add_number("sharedBy", static_cast<uint64_t>(level.shared_by))
      .add("share", exact_number(level.share))
      .add_flag("hashed", level.hashed)
      .add("fill", to_name(kFills, level.fill))
      .add("inclusion", to_name(kInclusions, level.inclusion))
      .add("write", to_name(kWriteModes, level.write))
      .add_flag("writeAllocate", level.write_allocate)
      .str();
}

std::string prefetcher_text(const Prefetcher& prefetcher) {
  return FlowMap()
      .add("level", yaml_scalar(prefetcher.level))
      .add("kind", to_name(kPrefetcherKinds, prefetcher.kind))
      .add_number("degree", static_cast<uint64_t>(prefetcher.degree))
      .add_number("distance", static_cast<uint64_t>(prefetcher.distance))
      .add_flag("crossPage", prefetcher.cross_page)
      .add_number("yieldsAt", static_cast<uint64_t>(prefetcher.yields_at))
      .str();
}

std::string tlb_text(const TlbLevel& level) {
  std::vector<std::string> pages;
  for (const uint64_t bytes : level.page_bytes) {
    pages.push_back(format_bytes(bytes));
  }
  return FlowMap()
      .add("name", yaml_scalar(level.name))
      .add("page", pages.size() == 1 ? pages[0] : flow_list(pages))
      .add_number("entries", level.entries)
      .add_number("ways", level.ways)
      .add("latency", exact_cycles(level.latency_cycles))
      .add("policy", to_string(level.policy))
      .str();
}

std::string walk_text(const PageWalk& walk) {
  FlowMap map;
  map.add_number("walkers", static_cast<uint64_t>(walk.walkers));
  map.add("caches", FlowMap()
                        .add_number("pde", walk.pde_entries)
                        .add_number("pdpte", walk.pdpte_entries)
                        .add_number("pml4e", walk.pml4e_entries)
                        .add("policy", to_string(walk.cache_policy))
                        .str());
  if (!walk.enters_at.empty()) {
    map.add("entersAt", yaml_scalar(walk.enters_at));
  }
  if (walk.nested_host_page_bytes) {
    map.add("nested", FlowMap().add("hostPage", format_bytes(*walk.nested_host_page_bytes)).str());
  }
  if (walk.overhead_cycles > 0) {
    map.add("overhead", exact_cycles(walk.overhead_cycles));
  }
  if (walk.interval_cycles > 0) {
    map.add("interval", exact_cycles(walk.interval_cycles));
  }
  if (walk.large_interval_cycles) {
    map.add("largePageInterval", exact_cycles(*walk.large_interval_cycles));
  }
  if (walk.outstanding > 0) {
    map.add_number("outstanding", static_cast<uint64_t>(walk.outstanding));
  }
  return map.str();
}

std::string memory_text(const Memory& memory) {
  return FlowMap()
      .add("latency", exact_ns(memory.latency_ns))
      .add("rowHit", exact_ns(memory.row_hit_ns))
      .add_number("channels", static_cast<uint64_t>(memory.channels))
      .add_number("banks", static_cast<uint64_t>(memory.banks))
      .add("rowSize", format_bytes(memory.row_bytes))
      .add("bandwidth", exact_bandwidth(memory.bandwidth))
      .add("perCoreBandwidth", exact_bandwidth(memory.per_core_bandwidth))
      .add("streamingStore", exact_ns(memory.streaming_store_ns))
      .add("rowCycle", exact_ns(memory.row_cycle_ns))
      .add("turnaround", exact_ns(memory.turnaround_ns))
      .add_number("writeBatch", static_cast<uint64_t>(memory.write_batch))
      .str();
}

template <class Item, class Text>
std::string list_block(std::string_view key, const std::vector<Item>& items, Text text_of) {
  std::string text = "  " + std::string(key) + ":" + (items.empty() ? " []\n" : "\n");
  for (const Item& item : items) {
    text += "    - " + text_of(item) + "\n";
  }
  return text;
}

std::string window_text(const Window& window) {
  FlowMap map;
  map.add_number("entries", static_cast<uint64_t>(window.entries))
      .add_number("loads", static_cast<uint64_t>(window.loads))
      .add_number("stores", static_cast<uint64_t>(window.stores))
      .add_number("registers", static_cast<uint64_t>(window.registers));
  if (window.store_lines > 0) {
    map.add_number("storeLines", static_cast<uint64_t>(window.store_lines));
  }
  if (window.stores_ahead > 0) {
    map.add_number("storesAhead", static_cast<uint64_t>(window.stores_ahead));
  }
  if (window.store_runs > 0) {
    map.add_number("storeRuns", static_cast<uint64_t>(window.store_runs));
  }
  if (window.load_ports > 0) {
    map.add_number("loadPorts", static_cast<uint64_t>(window.load_ports));
  }
  return map.str();
}

std::string cpu_text(const Machine& machine) {
  std::string text = "cpu:\n";
  text += "  clock: " + exact_frequency(machine.clock_hz) + "\n";
  text += "  cores: " + std::to_string(machine.cores) + "\n";
  text += "  dispatchWidth: " + std::to_string(machine.dispatch_width) + "\n";
  if (!machine.costs_file.empty()) {
    text += "  costs: " + yaml_scalar(machine.costs_file) + "\n";
  }
  text += "  window: " + window_text(machine.window) + "\n";
  text += "  branchMiss: " + exact_cycles(machine.branch_miss_cycles) + "\n";
  text += "  storeForward: " + exact_cycles(machine.store_forward_cycles) + "\n";
  if (machine.repeated_forward_cycles) {
    text += "  storeForwardRepeated: " + exact_cycles(*machine.repeated_forward_cycles) + "\n";
  }
  text += "  writeCombining: " + std::to_string(machine.write_combining) + "\n";
  text += "  threadsPerCore: " + std::to_string(machine.threads_per_core) + "\n";
  text += "  # latency: total load-to-use; queue: misses of this level outstanding\n";
  text += list_block("caches", machine.caches, cache_text);
  text += list_block("prefetchers", machine.prefetchers, prefetcher_text);
  text += list_block("tlb", machine.tlb, tlb_text);
  text += "  walk: " + walk_text(machine.walk) + "\n";
  text += "  frames: " + to_name(kFrames, machine.frames) + "\n";
  return text;
}

}  // namespace

std::string machine_to_text(const Machine& machine) {
  return "presort: machine/1\nname: " + yaml_scalar(machine.name) + "\n" +
         text_map_block("provenance", "", machine.provenance) + cpu_text(machine) +
         "memory: " + memory_text(machine.memory) + "\n" +
         (machine.storage ? storage_text(*machine.storage) : "") +
         (machine.gpu ? gpu_text(*machine.gpu) : "");
}

void write_machine(const std::string& path, const Machine& machine) {
  if (const auto problem = find_machine_problem(machine)) {
    throw InputError(path + " not written: " + problem->key_path + ": " + problem->message);
  }
  Machine seen = machine;
  if (!machine.costs_file.empty()) {
    seen.costs_file = costs_name_from(path, machine.costs_file);
  }
  write_atomically(path, machine_to_text(seen));
}

}  // namespace presort::io
