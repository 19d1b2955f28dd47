#include "core/machine.h"

#include <bit>
#include <cmath>

#include "core/units.h"

namespace presort {
namespace {

using Found = std::optional<MachineProblem>;

std::string text_of(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) {
    text.pop_back();
  }
  return text;
}

MachineProblem problem(const std::string& key_path, const std::string& found,
                       const std::string& accepted) {
  return {key_path, "found '" + found + "', accepted: " + accepted};
}

Found unless_at_least_one(const std::string& key_path, int value) {
  return value >= 1 ? Found{}
                    : problem(key_path, std::to_string(value), "a whole number of at least 1");
}

Found unless_positive(const std::string& key_path, double value, const std::string& unit) {
  return value > 0 && std::isfinite(value) ? Found{}
                                           : problem(key_path, text_of(value) + unit, "above 0");
}

Found unless_non_negative(const std::string& key_path, double value, const std::string& unit) {
  return value >= 0 && std::isfinite(value) ? Found{}
                                            : problem(key_path, text_of(value) + unit, "0 or more");
}

Found unless_page(const std::string& key_path, uint64_t bytes, uint64_t line_bytes) {
  return std::has_single_bit(bytes) && bytes >= line_bytes
             ? Found{}
             : problem(key_path, format_bytes(bytes),
                       "a power of two, at least a line of " + format_bytes(line_bytes));
}

// The first problem of several checks, in their order.
template <class... Rest>
Found first_of(Found first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return first;
  } else {
    return first ? first : first_of(std::move(rest)...);
  }
}

bool knows_level(const Machine& machine, const std::string& name) {
  for (const CacheLevel& level : machine.caches) {
    if (level.name == name) {
      return true;
    }
  }
  return false;
}

Found unless_level(const Machine& machine, const std::string& key_path, const std::string& name) {
  std::vector<std::string> names;
  for (const CacheLevel& level : machine.caches) {
    names.push_back(level.name);
  }
  if (knows_level(machine, name)) {
    return {};
  }
  const std::string message = unknown_name_message("", name, names);
  return MachineProblem{key_path, message.substr(2)};  // without the ": " of the empty key
}

Found cache_geometry(const CacheLevel& level, const std::string& at) {
  if (!std::has_single_bit(level.line_bytes)) {
    return problem(at + ".line", format_bytes(level.line_bytes), "a power of two");
  }
  if (level.ways == 0) {
    return problem(at + ".ways", "0", "at least 1 (" + level.name + ")");
  }
  const uint64_t lines = level.size_bytes / level.line_bytes;
  if (lines == 0 || level.size_bytes % level.line_bytes != 0 || lines % level.ways != 0) {
    return problem(at + ".size", format_bytes(level.size_bytes),
                   "a multiple of ways x line of " + level.name + ", " +
                       std::to_string(level.ways) + " x " + format_bytes(level.line_bytes));
  }
  return {};
}

Found cache_resources(const Machine& machine, const CacheLevel& level, const std::string& at) {
  if (!(level.share > 0 && level.share <= 1)) {
    return problem(at + ".share", text_of(level.share), "above 0, at most 1");
  }
  if (level.shared_by > machine.cores) {
    return problem(at + ".sharedBy", std::to_string(level.shared_by),
                   "at most the number of cores, " + std::to_string(machine.cores));
  }
  return first_of(unless_at_least_one(at + ".queue", level.queue),
                  unless_at_least_one(at + ".sharedBy", level.shared_by),
                  unless_positive(at + ".latency", level.latency_cycles, "cy"));
}

Found cache_against_level_above(const CacheLevel& level, const CacheLevel& above,
                                const std::string& at) {
  if (level.line_bytes != above.line_bytes) {
    return problem(at + ".line", format_bytes(level.line_bytes),
                   format_bytes(above.line_bytes) + ", the line of " + above.name);
  }
  if (level.latency_cycles <= above.latency_cycles) {
    return problem(at + ".latency", text_of(level.latency_cycles) + "cy",
                   "more than the " + text_of(above.latency_cycles) + "cy of " + above.name);
  }
  return {};
}

Found caches(const Machine& machine) {
  if (machine.caches.empty()) {
    return problem("cpu.caches", "none", "at least one cache level");
  }
  for (size_t i = 0; i < machine.caches.size(); ++i) {
    const CacheLevel& level = machine.caches[i];
    const std::string at = "cpu.caches[" + std::to_string(i) + "]";
    if (level.name.empty()) {
      return problem(at + ".name", "", "a name");
    }
    for (size_t j = 0; j < i; ++j) {
      if (machine.caches[j].name == level.name) {
        return problem(at + ".name", level.name, "a name that no other cache level has");
      }
    }
    if (i == 0 && level.fill == Fill::onEvict) {
      return problem(at + ".fill", "onEvict", "onMiss: no level above " + level.name);
    }
    const Found found =
        first_of(cache_geometry(level, at), cache_resources(machine, level, at),
                 i == 0 ? Found{} : cache_against_level_above(level, machine.caches[i - 1], at));
    if (found) {
      return found;
    }
  }
  return {};
}

Found prefetchers(const Machine& machine) {
  for (size_t i = 0; i < machine.prefetchers.size(); ++i) {
    const Prefetcher& prefetcher = machine.prefetchers[i];
    const std::string at = "cpu.prefetchers[" + std::to_string(i) + "]";
    const Found found = first_of(unless_level(machine, at + ".level", prefetcher.level),
                                 unless_at_least_one(at + ".degree", prefetcher.degree),
                                 unless_at_least_one(at + ".distance", prefetcher.distance));
    if (found) {
      return found;
    }
  }
  return {};
}

Found tlb_level(const Machine& machine, const TlbLevel& level, const std::string& at) {
  if (level.page_bytes.empty()) {
    return problem(at + ".page", "none", "at least one page size");
  }
  for (const uint64_t page : level.page_bytes) {
    if (const Found found = unless_page(at + ".page", page, machine.caches[0].line_bytes)) {
      return found;
    }
  }
  if (level.ways == 0) {
    return problem(at + ".ways", "0", "at least 1 (" + level.name + ")");
  }
  if (level.entries == 0 || level.entries % level.ways != 0) {
    return problem(at + ".entries", std::to_string(level.entries),
                   "a multiple of the ways of " + level.name + ", " + std::to_string(level.ways));
  }
  return unless_non_negative(at + ".latency", level.latency_cycles, "cy");
}

Found translation(const Machine& machine) {
  for (size_t i = 0; i < machine.tlb.size(); ++i) {
    const std::string at = "cpu.tlb[" + std::to_string(i) + "]";
    for (size_t j = 0; j < i; ++j) {
      if (machine.tlb[j].name == machine.tlb[i].name) {
        return problem(at + ".name", machine.tlb[i].name, "a name that no other TLB level has");
      }
    }
    if (const Found found = tlb_level(machine, machine.tlb[i], at)) {
      return found;
    }
  }
  const PageWalk& walk = machine.walk;
  if (!walk.enters_at.empty() && !knows_level(machine, walk.enters_at)) {
    return unless_level(machine, "cpu.walk.entersAt", walk.enters_at);
  }
  if (walk.nested_host_page_bytes) {
    const Found found = unless_page("cpu.walk.nested.hostPage", *walk.nested_host_page_bytes,
                                    machine.caches[0].line_bytes);
    if (found) {
      return found;
    }
  }
  return unless_at_least_one("cpu.walk.walkers", walk.walkers);
}

Found core(const Machine& machine) {
  return first_of(unless_positive("cpu.clock", machine.clock_hz, "Hz"),
                  unless_at_least_one("cpu.cores", machine.cores),
                  unless_at_least_one("cpu.dispatchWidth", machine.dispatch_width),
                  unless_at_least_one("cpu.window.entries", machine.window.entries),
                  unless_at_least_one("cpu.window.loads", machine.window.loads),
                  unless_at_least_one("cpu.window.stores", machine.window.stores),
                  unless_non_negative("cpu.branchMiss", machine.branch_miss_cycles, "cy"),
                  unless_non_negative("cpu.storeForward", machine.store_forward_cycles, "cy"));
}

Found memory_latency(const Machine& machine) {
  const Memory& memory = machine.memory;
  const CacheLevel& last = machine.caches.back();
  const double last_ns = last.latency_cycles * 1e9 / machine.clock_hz;
  if (!(memory.latency_ns > last_ns)) {
    return problem("memory.latency", text_of(memory.latency_ns) + "ns",
                   "more than the " + text_of(last_ns) + "ns of " + last.name);
  }
  if (!(memory.row_hit_ns <= 0 && memory.latency_ns + memory.row_hit_ns > 0)) {
    return problem("memory.rowHit", text_of(memory.row_hit_ns) + "ns",
                   "at most 0ns, and less than the latency below it");
  }
  return {};
}

Found memory(const Machine& machine) {
  const Memory& memory = machine.memory;
  return first_of(unless_positive("memory.latency", memory.latency_ns, "ns"),
                  memory_latency(machine), unless_at_least_one("memory.channels", memory.channels),
                  unless_at_least_one("memory.banks", memory.banks),
                  unless_page("memory.rowSize", memory.row_bytes, machine.caches[0].line_bytes),
                  unless_positive("memory.bandwidth", memory.bandwidth, "B/s"),
                  unless_non_negative("memory.perCoreBandwidth", memory.per_core_bandwidth, "B/s"),
                  unless_non_negative("memory.streamingStore", memory.streaming_store_ns, "ns"));
}

}  // namespace

uint64_t set_count(const CacheLevel& level) {
  return level.size_bytes / (level.ways * level.line_bytes);
}

std::optional<MachineProblem> find_machine_problem(const Machine& machine) {
  for (const auto check : {core, caches, prefetchers, translation, memory}) {
    if (Found found = check(machine)) {
      return found;
    }
  }
  return {};
}

}  // namespace presort
