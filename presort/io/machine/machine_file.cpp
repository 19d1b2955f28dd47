#include "presort/io/machine/machine_file.h"

#include "presort/core/text/units.h"
#include "presort/io/machine/machine_costs.h"
#include "presort/io/machine/machine_gpu.h"
#include "presort/io/machine/machine_number.h"
#include "presort/io/machine/machine_storage.h"
#include "presort/io/text_map.h"
#include "presort/io/yaml/yaml_binder.h"

namespace presort::inline v0::io {
namespace {

double read_cycles(const ValueReader& value, double clock_hz) {
  const auto parse = [](std::string_view key, std::string_view text) {
    return parse_duration(key, text);
  };
  return value.as(parse).cycles(clock_hz);
}

double read_ns(const ValueReader& value, double clock_hz, Sign sign) {
  const auto parse = [sign](std::string_view key, std::string_view text) {
    return parse_duration(key, text, sign);
  };
  return value.as(parse).ns(clock_hz);
}

// An exclusive level is filled on eviction unless the file says otherwise, which is then refused.
void read_inclusion(MapReader& map, CacheLevel& level) {
  if (const auto inclusion = map.optional("inclusion")) {
    level.inclusion = inclusion->one_of(kInclusions);
  }
  level.fill = level.inclusion == Inclusion::exclusive ? Fill::onEvict : Fill::onMiss;
  if (const auto fill = map.optional("fill")) {
    level.fill = fill->one_of(kFills);
  }
}

void read_writes(MapReader& map, CacheLevel& level) {
  if (const auto sector = map.optional("sector")) {
    level.sector_bytes = sector->as(parse_bytes);
  }
  if (const auto write = map.optional("write")) {
    level.write = write->one_of(kWriteModes);
  }
  if (const auto write_allocate = map.optional("writeAllocate")) {
    level.write_allocate = write_allocate->boolean();
  }
}

// `above` is the level nearer to the core, if any: without a queue of its own, a level holds as
// many misses as can reach it.
CacheLevel read_cache(const ValueReader& value, double clock_hz, const CacheLevel* above) {
  MapReader map = value.map();
  CacheLevel level;
  level.name = map.required("name").name();
  level.size_bytes = map.required("size").as(parse_bytes);
  level.ways = map.required("ways").as(parse_count);
  level.line_bytes = map.required("line").as(parse_bytes);
  if (const auto policy = map.optional("policy")) {
    level.policy = policy->as(parse_replacement);
  }
  level.latency_cycles = read_cycles(map.required("latency"), clock_hz);
  const auto queue = above == nullptr ? map.required("queue") : map.optional("queue");
  level.queue = queue ? read_int(*queue) : above->queue;
  if (const auto bandwidth = map.optional("bandwidth")) {
    level.bandwidth = bandwidth->as(parse_bytes_per_second);
  }
  if (const auto write_bandwidth = map.optional("writeBandwidth")) {
    level.write_bandwidth = write_bandwidth->as(parse_bytes_per_second);
  }
  if (const auto shared_by = map.optional("sharedBy")) {
    level.shared_by = read_int(*shared_by);
  }
  if (const auto share = map.optional("share")) {
    level.share = share->as(parse_ratio);
  }
  if (const auto hashed = map.optional("hashed")) {
    level.hashed = hashed->boolean();
  }
  read_inclusion(map, level);
  read_writes(map, level);
  map.finish();
  return level;
}

Prefetcher read_prefetcher(const ValueReader& value) {
  MapReader map = value.map();
  Prefetcher prefetcher;
  prefetcher.level = map.required("level").name();
  prefetcher.kind = map.required("kind").one_of(kPrefetcherKinds);
  if (const auto degree = map.optional("degree")) {
    prefetcher.degree = read_int(*degree);
  }
  if (const auto distance = map.optional("distance")) {
    prefetcher.distance = read_int(*distance);
  }
  if (const auto cross_page = map.optional("crossPage")) {
    prefetcher.cross_page = cross_page->boolean();
  }
  if (const auto yields_at = map.optional("yieldsAt")) {
    prefetcher.yields_at = read_int(*yields_at);
  }
  map.finish();
  return prefetcher;
}

TlbLevel read_tlb_level(const ValueReader& value, double clock_hz) {
  MapReader map = value.map();
  TlbLevel level;
  level.name = map.required("name").name();
  const ValueReader page = map.required("page");
  if (page.is_list()) {
    for (const ValueReader& item : page.list()) {
      level.page_bytes.push_back(item.as(parse_bytes));
    }
  } else {
    level.page_bytes.push_back(page.as(parse_bytes));
  }
  level.entries = map.required("entries").as(parse_count);
  level.ways = map.required("ways").as(parse_count);
  if (const auto latency = map.optional("latency")) {
    level.latency_cycles = read_cycles(*latency, clock_hz);
  }
  if (const auto policy = map.optional("policy")) {
    level.policy = policy->as(parse_replacement);
  }
  map.finish();
  return level;
}

void read_walk_caches(const ValueReader& value, PageWalk& walk) {
  MapReader map = value.map();
  if (const auto pde = map.optional("pde")) {
    walk.pde_entries = pde->as(parse_count);
  }
  if (const auto pdpte = map.optional("pdpte")) {
    walk.pdpte_entries = pdpte->as(parse_count);
  }
  if (const auto pml4e = map.optional("pml4e")) {
    walk.pml4e_entries = pml4e->as(parse_count);
  }
  if (const auto policy = map.optional("policy")) {
    walk.cache_policy = policy->as(parse_replacement);
  }
  map.finish();
}

PageWalk read_walk(const ValueReader& value, double clock_hz) {
  MapReader map = value.map();
  PageWalk walk;
  if (const auto walkers = map.optional("walkers")) {
    walk.walkers = read_int(*walkers);
  }
  if (const auto caches = map.optional("caches")) {
    read_walk_caches(*caches, walk);
  }
  if (const auto enters_at = map.optional("entersAt")) {
    walk.enters_at = enters_at->name();
  }
  if (const auto overhead = map.optional("overhead")) {
    walk.overhead_cycles = read_cycles(*overhead, clock_hz);
  }
  if (const auto interval = map.optional("interval")) {
    walk.interval_cycles = read_cycles(*interval, clock_hz);
  }
  if (const auto interval = map.optional("largePageInterval")) {
    walk.large_interval_cycles = read_cycles(*interval, clock_hz);
  }
  if (const auto outstanding = map.optional("outstanding")) {
    walk.outstanding = read_int(*outstanding);
  }
  if (const auto nested = map.optional("nested")) {
    MapReader host = nested->map();
    walk.nested_host_page_bytes = host.required("hostPage").as(parse_bytes);
    host.finish();
  }
  map.finish();
  return walk;
}

Window read_window(const ValueReader& value) {
  MapReader map = value.map();
  Window window;
  window.entries = read_int(map.required("entries"));
  window.loads = read_int(map.required("loads"));
  window.stores = read_int(map.required("stores"));
  if (const auto registers = map.optional("registers")) {
    window.registers = read_int(*registers);
  }
  if (const auto store_lines = map.optional("storeLines")) {
    window.store_lines = read_int(*store_lines);
  }
  if (const auto stores_ahead = map.optional("storesAhead")) {
    window.stores_ahead = read_int(*stores_ahead);
  }
  if (const auto store_runs = map.optional("storeRuns")) {
    window.store_runs = read_int(*store_runs);
  }
  if (const auto load_ports = map.optional("loadPorts")) {
    window.load_ports = read_int(*load_ports);
  }
  map.finish();
  return window;
}

Memory read_memory(const ValueReader& value, double clock_hz) {
  MapReader map = value.map();
  Memory memory;
  memory.latency_ns = read_ns(map.required("latency"), clock_hz, Sign::nonNegative);
  if (const auto row_hit = map.optional("rowHit")) {
    memory.row_hit_ns = read_ns(*row_hit, clock_hz, Sign::any);
  }
  memory.channels = read_int(map.required("channels"));
  memory.banks = read_int(map.required("banks"));
  memory.row_bytes = map.required("rowSize").as(parse_bytes);
  memory.bandwidth = map.required("bandwidth").as(parse_bytes_per_second);
  if (const auto per_core = map.optional("perCoreBandwidth")) {
    memory.per_core_bandwidth = per_core->as(parse_bytes_per_second);
  }
  if (const auto streaming = map.optional("streamingStore")) {
    memory.streaming_store_ns = read_ns(*streaming, clock_hz, Sign::nonNegative);
  }
  if (const auto row_cycle = map.optional("rowCycle")) {
    memory.row_cycle_ns = read_ns(*row_cycle, clock_hz, Sign::nonNegative);
  }
  if (const auto turnaround = map.optional("turnaround")) {
    memory.turnaround_ns = read_ns(*turnaround, clock_hz, Sign::nonNegative);
  }
  if (const auto batch = map.optional("writeBatch")) {
    memory.write_batch = read_int(*batch);
  }
  map.finish();
  return memory;
}

void read_translation(MapReader& cpu, Machine& machine) {
  if (const auto tlb = cpu.optional("tlb")) {
    for (const ValueReader& item : tlb->list()) {
      machine.tlb.push_back(read_tlb_level(item, machine.clock_hz));
    }
  }
  if (const auto walk = cpu.optional("walk")) {
    machine.walk = read_walk(*walk, machine.clock_hz);
  }
  if (const auto frames = cpu.optional("frames")) {
    machine.frames = frames->one_of(kFrames);
  }
}

void read_cpu(const ValueReader& value, const std::string& file, Machine& machine) {
  MapReader cpu = value.map();
  machine.clock_hz = read_clock(cpu.required("clock"));
  machine.cores = read_int(cpu.required("cores"));
  machine.dispatch_width = read_int(cpu.required("dispatchWidth"));
  if (const auto costs = cpu.optional("costs")) {
    read_costs(*costs, file, machine);
  }
  machine.window = read_window(cpu.required("window"));
  if (const auto branch_miss = cpu.optional("branchMiss")) {
    machine.branch_miss_cycles = read_cycles(*branch_miss, machine.clock_hz);
  }
  if (const auto store_forward = cpu.optional("storeForward")) {
    machine.store_forward_cycles = read_cycles(*store_forward, machine.clock_hz);
  }
  if (const auto repeated = cpu.optional("storeForwardRepeated")) {
    machine.repeated_forward_cycles = read_cycles(*repeated, machine.clock_hz);
  }
  if (const auto write_combining = cpu.optional("writeCombining")) {
    machine.write_combining = read_int(*write_combining);
  }
  if (const auto threads = cpu.optional("threadsPerCore")) {
    machine.threads_per_core = read_int(*threads);
  }
  for (const ValueReader& item : cpu.required("caches").list()) {
    const CacheLevel* above = machine.caches.empty() ? nullptr : &machine.caches.back();
    machine.caches.push_back(read_cache(item, machine.clock_hz, above));
  }
  if (const auto prefetchers = cpu.optional("prefetchers")) {
    for (const ValueReader& item : prefetchers->list()) {
      machine.prefetchers.push_back(read_prefetcher(item));
    }
  }
  read_translation(cpu, machine);
  cpu.finish();
}

Machine bind_machine(const YamlDocument& document) {
  MapReader root = open_document(document, "machine/1");
  Machine machine;
  machine.name = root.required("name").name();
  if (const auto provenance = root.optional("provenance")) {
    machine.provenance = read_text_pairs(*provenance);
  }
  read_cpu(root.required("cpu"), document.file, machine);
  machine.memory = read_memory(root.required("memory"), machine.clock_hz);
  if (const auto storage = root.optional("storage")) {
    machine.storage = read_storage(*storage, machine.clock_hz);
  }
  if (const auto gpu = root.optional("gpu")) {
    machine.gpu = read_gpu(*gpu);
  }
  root.finish();
  if (const auto problem = find_machine_problem(machine)) {
    fail_at_path(document, problem->key_path, problem->message);
  }
  return machine;
}

}  // namespace

Machine read_machine(const std::string& path) {
  return bind_machine(load_yaml(path));
}

std::string place_in_machine(const std::string& path, const std::string& key_path) {
  return place_of_path(load_yaml(path), key_path);
}

Machine parse_machine(const std::string& text, const std::string& file) {
  return bind_machine(parse_yaml(text, file));
}

}  // namespace presort::io
