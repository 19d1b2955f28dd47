#include <bit>

#include "presort/core/machine/check/machine_check.h"
#include "presort/core/text/units.h"

namespace presort::inline v0 {
namespace {

Found cache_geometry(const CacheLevel& level, const std::string& at) {
  if (!std::has_single_bit(level.line_bytes)) {
    return machine_problem(at + ".line", format_bytes(level.line_bytes), "a power of two");
  }
  const uint64_t lines = level.size_bytes / level.line_bytes;
  if (lines == 0 || level.size_bytes % level.line_bytes != 0 || lines % level.ways != 0) {
    return machine_problem(at + ".size", format_bytes(level.size_bytes),
                           "a multiple of ways x line of " + level.name + ", " +
                               std::to_string(level.ways) + " x " + format_bytes(level.line_bytes));
  }
  const uint64_t unit = unit_bytes(level);
  if (!std::has_single_bit(unit) || unit > level.line_bytes ||
      level.line_bytes / unit > kMaxSectors) {
    return machine_problem(at + ".sector", format_bytes(unit),
                           "a power of two, at most the line of " + level.name + ", " +
                               format_bytes(level.line_bytes) + ", and at least a " +
                               std::to_string(kMaxSectors) + "th of it");
  }
  return {};
}

Found cache_slices(const CacheLevel& level, const std::string& at) {
  const auto slices = static_cast<uint64_t>(level.slices);
  if (!std::has_single_bit(slices) || set_count(level) % slices != 0) {
    return machine_problem(at + ".slices", std::to_string(slices),
                           "a power of two that divides the sets of " + level.name + ", " +
                               std::to_string(set_count(level)));
  }
  return {};
}

Found cache_inclusion(const CacheLevel& level, const std::string& at, bool first) {
  if (first && level.fill == Fill::onEvict) {
    return machine_problem(at + ".fill", "onEvict", "onMiss: no level above " + level.name);
  }
  if (first && level.inclusion != Inclusion::nonInclusive) {
    return machine_problem(at + ".inclusion", to_name(kInclusions, level.inclusion),
                           "nonInclusive: no level above " + level.name);
  }
  if (level.inclusion == Inclusion::exclusive && level.fill == Fill::onMiss) {
    return machine_problem(at + ".fill", "onMiss", "onEvict: " + level.name + " is exclusive");
  }
  if (level.inclusion == Inclusion::inclusive && level.fill == Fill::onEvict) {
    return machine_problem(at + ".fill", "onEvict", "onMiss: " + level.name + " is inclusive");
  }
  return {};
}

Found cache_sharing(const Machine& machine, const CacheLevel& level, const std::string& at) {
  return level.shared_by <= machine.cores
             ? Found{}
             : machine_problem(at + ".sharedBy", std::to_string(level.shared_by),
                               "at most the number of cores, " + std::to_string(machine.cores));
}

std::string cycles_text(double cycles) {
  return number_text(cycles, RangeUnit::cycles);
}

Found cache_against_level_above(const CacheLevel& level, const CacheLevel& above,
                                const std::string& at) {
  const uint64_t unit = unit_bytes(above);
  if (unit_bytes(level) != unit) {
    const std::string of_above =
        (above.sector_bytes > 0 ? "the sector of " : "the line of ") + above.name;
    return level.sector_bytes > 0
               ? machine_problem(at + ".sector", format_bytes(level.sector_bytes),
                                 format_bytes(unit) + ", " + of_above)
               : machine_problem(at + ".line", format_bytes(level.line_bytes),
                                 format_bytes(unit) + ", " + of_above +
                                     ", or a longer line with sectors of that size");
  }
  if (level.latency_cycles <= above.latency_cycles) {
    return machine_problem(
        at + ".latency", cycles_text(level.latency_cycles),
        "more than the " + cycles_text(above.latency_cycles) + " of " + above.name);
  }
  return {};
}

}  // namespace

Found check_caches(const Machine& machine) {
  for (size_t i = 0; i < machine.caches.size(); ++i) {
    const CacheLevel& level = machine.caches[i];
    const std::string at = "cpu.caches[" + std::to_string(i) + "]";
    if (level.name.empty()) {
      return machine_problem(at + ".name", "", "a name");
    }
    for (size_t j = 0; j < i; ++j) {
      if (machine.caches[j].name == level.name) {
        return machine_problem(at + ".name", level.name, "a name that no other cache level has");
      }
    }
    const Found found =
        first_of(cache_geometry(level, at), cache_slices(level, at),
                 cache_inclusion(level, at, i == 0), cache_sharing(machine, level, at),
                 i == 0 ? Found{} : cache_against_level_above(level, machine.caches[i - 1], at));
    if (found) {
      return found;
    }
  }
  return {};
}

Found check_prefetchers(const Machine& machine) {
  for (size_t i = 0; i < machine.prefetchers.size(); ++i) {
    const Prefetcher& prefetcher = machine.prefetchers[i];
    const std::string at = "cpu.prefetchers[" + std::to_string(i) + "]";
    if (prefetcher.kind == PrefetcherKind::adjacentLine &&
        (prefetcher.degree != 1 || prefetcher.distance != 1)) {
      const bool degree = prefetcher.degree != 1;
      return machine_problem(at + (degree ? ".degree" : ".distance"),
                             std::to_string(degree ? prefetcher.degree : prefetcher.distance),
                             "1: an adjacentLine prefetcher fetches the other line of a pair");
    }
    if (prefetcher.crosses_after > 0 &&
        (prefetcher.kind != PrefetcherKind::stream || prefetcher.cross_page)) {
      return machine_problem(at + ".crossesAfter", std::to_string(prefetcher.crosses_after),
                             "0, or a stream prefetcher without crossPage: it goes on in virtual "
                             "memory or in physical memory, not in both");
    }
    if (const Found found = unless_level(machine, at + ".level", prefetcher.level)) {
      return found;
    }
  }
  return {};
}

}  // namespace presort
