#include "presort/probe/analysis/findings.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "presort/core/error.h"
#include "presort/probe/analysis/structure/stream_pages.h"

namespace presort::inline v0::probe {
namespace {

constexpr double kBytesPerSlice = 64;  // bytes that a stream's time is stated for: 64 / ns = GB/s
constexpr double kMissedBranches = 0.5;

std::optional<Found> found(const Estimates& estimates, Quantity quantity, uint64_t at = 0) {
  const auto entry = estimates.find({quantity, at});
  if (entry == estimates.end()) {
    return std::nullopt;
  }
  return Found{entry->second.value_ns, entry->second.uncertainty};
}

std::optional<Found> gigabytes_per_second(const std::optional<Found>& ns) {
  return ns ? std::optional(Found{kBytesPerSlice / ns->value, ns->uncertainty}) : std::nullopt;
}

// A quantity's time, with cycles converted at the probe's median clock: for what happens inside the
// core.
std::optional<Found> found_in_core(const Estimates& estimates, Quantity quantity) {
  const auto entry = estimates.find({quantity, 0});
  if (entry == estimates.end()) {
    return std::nullopt;
  }
  return Found{entry->second.core_ns, entry->second.core_uncertainty};
}

// The ratio a / b of two independent measurements
std::optional<Found> ratio(const std::optional<Found>& a, const std::optional<Found>& b) {
  if (!a || !b) {
    return std::nullopt;
  }
  return Found{a->value / b->value, std::hypot(a->uncertainty, b->uncertainty)};
}

std::optional<Found> difference(const std::optional<Found>& a, const std::optional<Found>& b,
                                double factor = 1) {
  if (!a || !b) {
    return std::nullopt;
  }
  const Found less = difference(*a, *b);
  return Found{factor * less.value, less.uncertainty};
}

// The footprints in which a cache level, and no level above it, holds the lines: from three times
// the size of the level above to half the level's own. The first level's range ends at half of its
// size; the second level's starts at twice the first level's size and ends at four times it, which
// the first TLB still reaches on 4 KiB pages.
std::pair<uint64_t, uint64_t> plateau_range(const std::vector<LevelFinding>& levels, size_t i,
                                            uint64_t effective_bytes) {
  const uint64_t size = effective_bytes;
  if (i == 0) {
    return {0, size / 2};
  }
  const uint64_t above = levels[i - 1].cache.size_bytes;
  if (i == 1) {
    const uint64_t last = std::max(2 * above, std::min(4 * above, size / 2));
    return {std::min(2 * above, last), last};
  }
  return {std::min(3 * above, size), std::max(3 * above, size / 2)};
}

// The latency curves that cache levels are read from: at the core's clock for levels inside the
// core, in wall time and without translation for the others.
struct LevelCurves {
  Curve core;
  Curve beyond;
  const Curve& of(const AnnouncedCache& cache) const { return cache.level <= 2 ? core : beyond; }
};

void find_level_latencies(Findings& findings, const LevelCurves& curves) {
  for (size_t i = 0; i < findings.levels.size(); ++i) {
    LevelFinding& level = findings.levels[i];
    const bool last = i + 1 == findings.levels.size();
    const uint64_t bytes = last && i > 0 && findings.last_capacity.bytes > 0
                               ? std::min(level.cache.size_bytes, findings.last_capacity.bytes)
                               : level.cache.size_bytes;
    const auto [from, to] = plateau_range(findings.levels, i, bytes);
    const Curve& curve = curves.of(level.cache);
    level.reached = curve.back().bytes >= from;
    level.latency_ns = {plateau(curve, from, to),
                        uncertainty_near(curve, std::max<uint64_t>(1, from / 2 + to / 2))};
    if (i > 0) {  // a disturbed measurement must not make a level faster than the one above it
      level.latency_ns.value =
          std::max(level.latency_ns.value, 1.05 * findings.levels[i - 1].latency_ns.value);
    }
  }
}

// The last level's latency is read where the level ends, and where it ends is found from its
// latency. So there are two rounds; the first takes the latency just beyond the level above.
void find_last_capacity(Findings& findings, const LevelCurves& curves) {
  const size_t count = findings.levels.size();
  const uint64_t above = count > 1 ? findings.levels[count - 2].cache.size_bytes : 0;
  const uint64_t nominal = findings.levels.back().cache.size_bytes;
  const uint64_t first = above > 0 ? 3 * above : nominal / 2;
  double hit_ns = value_at(curves.beyond, first);
  for (int round = 0; round < 2; ++round) {
    findings.last_capacity =
        estimate_capacity(curves.beyond, hit_ns, findings.memory_latency_ns.value, first);
    find_level_latencies(findings, curves);
    hit_ns = findings.levels.back().latency_ns.value;
  }
}

void find_memory_latency(Findings& findings, const Curve& curve, const Estimates& estimates) {
  if (const auto uncached = found(estimates, Quantity::uncachedChase)) {
    findings.memory_latency_ns = *uncached;
    return;
  }
  const uint64_t bytes = curve.back().bytes;
  findings.memory_latency_ns = {value_at(curve, bytes), uncertainty_near(curve, bytes)};
  findings.warnings.emplace_back(
      "memory latency is that of the largest footprint, page walks included");
}

void find_levels_of(Findings& findings, const Curve& curve, const Topology& topology) {
  for (const AnnouncedCache& cache : topology.caches) {
    findings.levels.push_back({.cache = cache, .latency_ns = {}, .reached = true});
  }
  if (!findings.levels.empty()) {
    return;
  }
  findings.warnings.emplace_back("cache sizes are estimated from latencies");
  int number = 0;
  for (const MeasuredLevel& level : find_levels(curve)) {
    findings.levels.push_back({.cache = {.level = ++number, .size_bytes = level.size_bytes},
                               .latency_ns = {},
                               .reached = true});
  }
  if (findings.levels.empty()) {
    throw EnvironmentError("the probe finds no cache: latency does not grow with the footprint");
  }
}

// Time from a store to a load that takes its data through the store buffer. A core that knows which
// store wrote what an update reads, although the index comes from an array, does without the buffer:
// on a Zen 5 an update of one counter takes 1.2 cycles, one of two at random 4.0, so that two cycles
// of 8 wait for each other; updates of two in turn take 7.8 for each of them (2026-11-26, two-core
// virtual machine).
std::optional<Found> forward_through_buffer(const Estimates& estimates, const Found& cycle) {
  constexpr double kLeastCycles = 3;  // least of a store buffer: tags are compared, data are read
  const auto one = difference(found_in_core(estimates, Quantity::sameAddressUpdate), cycle);
  const auto pair = found_in_core(estimates, Quantity::pairUpdate);
  if (!pair || (one && one->value >= kLeastCycles * cycle.value)) {
    return one;
  }
  return difference(Found{2 * pair->value, pair->uncertainty}, cycle);
}

// Updates of one address in a row that a core needs before it renames the next: what kRunOfUpdates
// updates take more, in `runs`, than as many of one address alone, in updates through the store
// buffer.
std::optional<Found> updates_to_learn(const Estimates& estimates, const Findings& findings,
                                      Quantity runs) {
  const auto more = difference(found_in_core(estimates, runs),
                               found_in_core(estimates, Quantity::repeatedUpdate), kRunOfUpdates);
  const auto saved = difference(findings.store_forward_ns, findings.repeated_forward_ns);
  if (!more || !saved || saved->value <= 0) {
    return std::nullopt;
  }
  return Found{more->value / saved->value, more->uncertainty + saved->uncertainty};
}

// A mispredicted branch costs its loop the refill of the pipeline, and the load and comparison that
// decide the next branch, which cannot start before. The latter are no part of the penalty and are
// taken off.
void find_core(Findings& findings, const Estimates& estimates) {
  const Found cycle = {findings.cycle_ns.value,
                       0};  // uncertainty 0: an add takes one cycle at any clock
  const Found first_level = findings.levels.front().latency_ns;
  findings.store_forward_ns = forward_through_buffer(estimates, cycle);
  findings.repeated_forward_ns =
      difference(found_in_core(estimates, Quantity::repeatedUpdate), cycle);
  findings.repeated_forward_after = updates_to_learn(estimates, findings, Quantity::runUpdate);
  findings.repeated_forward_after_strays =
      updates_to_learn(estimates, findings, Quantity::strayUpdate);
  findings.prefetched_forward_ns =
      difference(found_in_core(estimates, Quantity::prefetchedUpdate), cycle);
  findings.float_forward_ns = difference(found_in_core(estimates, Quantity::floatUpdate), cycle);
  findings.float_add_ns = found_in_core(estimates, Quantity::floatSum);
  const auto per_miss =
      difference(found_in_core(estimates, Quantity::randomBranch),
                 found_in_core(estimates, Quantity::steadyBranch), 1 / kMissedBranches);
  findings.branch_miss_ns = difference(per_miss, Found{first_level.value + cycle.value, 0});
  if (const auto adds = found(estimates, Quantity::independentAdds); adds && adds->value > 0) {
    findings.issue_width = Found{1 / adds->value, adds->uncertainty};
  }
  findings.second_tlb_ns =
      difference(found_in_core(estimates, Quantity::translationChase), first_level);
}

// Bytes of the cache level before the last one: what a core has to itself.
uint64_t private_bytes(const std::vector<LevelFinding>& levels) {
  return levels.size() > 1 ? levels[levels.size() - 2].cache.size_bytes : 0;
}

void find_overlaps(Findings& findings, const Curve& curve, const Estimates& estimates) {
  const Curve loads = curve_of(estimates, Quantity::randomLoads);
  const auto overlap_at = [&](uint64_t bytes) {
    return ratio(found(estimates, Quantity::chaseHuge, bytes),
                 found(estimates, Quantity::randomLoads, bytes));
  };
  if (!loads.empty() && !curve.empty()) {
    findings.overlap_memory = overlap_at(loads.back().bytes);
    const uint64_t inside = private_bytes(findings.levels);
    const auto beyond = std::find_if(loads.begin(), loads.end(), [inside](const CurvePoint& point) {
      return point.bytes > inside;
    });
    findings.overlap_cache = overlap_at(beyond == loads.end() ? loads.back().bytes : beyond->bytes);
  }
  findings.overlap_uncached =
      ratio(found(estimates, Quantity::uncachedChase), found(estimates, Quantity::uncachedLoads));
  findings.overlap_stores =
      ratio(found(estimates, Quantity::uncachedChase), found(estimates, Quantity::uncachedStores));
  findings.flush_ns = found(estimates, Quantity::flushes);
}

void find_walks(Findings& findings, const Curve& cost, const Estimates& estimates) {
  for (const CurvePoint& point : cost) {
    if (!findings.page_walk_ns || point.ns > findings.page_walk_ns->value) {
      findings.page_walk_ns = Found{point.ns, point.uncertainty};
    }
  }
  const auto beyond_memory = [&](Quantity quantity) {
    return difference(found(estimates, quantity, kReferenceFootprint), findings.memory_latency_ns);
  };
  findings.walk_huge_ns = beyond_memory(Quantity::chaseHuge);
  findings.walk_small_ns = beyond_memory(Quantity::chaseSmall);
  const auto one = found(estimates, Quantity::chaseSmall, kReferenceFootprint);
  const auto many = found(estimates, Quantity::walkedMisses, kMostChains);
  if (one && many) {
    findings.overlap_walked =
        Found{one->value / many->value, std::hypot(one->uncertainty, many->uncertainty)};
  }
}

// Bytes of the largest cache level inside the core: the second level if there is one, otherwise the
// first.
uint64_t core_cache_bytes(const std::vector<LevelFinding>& levels) {
  uint64_t bytes = levels.front().cache.size_bytes;
  for (const LevelFinding& level : levels) {
    bytes = level.cache.level <= 2 ? level.cache.size_bytes : bytes;
  }
  return bytes;
}

// Write bandwidth of the second level: a random update of its lines brings one line up and writes
// one back. Nothing if that takes no longer than in the first level: then the core is the limit.
std::optional<Found> second_level_write_gbs(const Findings& findings, const Estimates& estimates) {
  constexpr double kLonger = 1.1;
  constexpr double kBytesPerLine = 64;
  const Curve updates = curve_of(estimates, Quantity::randomUpdates);
  if (updates.empty() || findings.levels.size() < 2) {
    return std::nullopt;
  }
  const auto first = static_cast<double>(findings.levels[0].cache.size_bytes);
  const uint64_t second = findings.levels[1].cache.size_bytes;
  const CurvePoint& inside_first = updates.front();
  if (2 * inside_first.bytes > findings.levels[0].cache.size_bytes) {
    return std::nullopt;
  }
  for (const CurvePoint& point : updates) {
    const auto bytes = static_cast<double>(point.bytes);
    if (bytes >= 2 * first && point.bytes <= second && point.ns > kLonger * inside_first.ns) {
      return Found{kBytesPerLine * (1 - first / bytes) / point.ns, point.uncertainty};
    }
  }
  return std::nullopt;
}

// Read bandwidth of the last cache level, from a footprint that fits it and not the level before
// it.
std::optional<Found> last_level_read_gbs(const Findings& findings, const Estimates& estimates) {
  constexpr double kBytesPerLine = 64;
  constexpr size_t kPrivateLevels = 2;
  const Curve reads = curve_of(estimates, Quantity::lastLevelRead);
  const uint64_t held = findings.last_capacity.bytes;
  if (reads.empty() || findings.levels.size() <= kPrivateLevels ||
      (held > 0 && held < 2 * reads.front().bytes)) {
    return std::nullopt;
  }
  return Found{kBytesPerLine / reads.front().ns, reads.front().uncertainty};
}

// The highest bandwidth that one core had: among streams read, streaming stores, and random
// updates, which read a line and write one back.
std::optional<Found> most_core_gbs(const Findings& findings, const Estimates& estimates) {
  constexpr double kBytesPerUpdate = 2 * 64;
  std::optional<Found> most = findings.read_gbs;
  const auto take = [&most](const std::optional<Found>& other) {
    if (other && (!most || other->value > most->value)) {
      most = other;
    }
  };
  take(findings.streaming_store_gbs);
  const Curve updates = curve_of(estimates, Quantity::randomUpdates);
  if (!updates.empty()) {
    const auto ns = found(estimates, Quantity::randomUpdates, updates.back().bytes);
    take(Found{kBytesPerUpdate / ns->value, ns->uncertainty});
  }
  return most;
}

void find_bandwidths(Findings& findings, const Estimates& estimates) {
  findings.read_gbs = gigabytes_per_second(found(estimates, Quantity::streamRead));
  findings.copy_gbs = gigabytes_per_second(found(estimates, Quantity::streamCopy));
  findings.streaming_store_gbs = gigabytes_per_second(found(estimates, Quantity::streamStore));
  findings.read_all_gbs = gigabytes_per_second(found(estimates, Quantity::streamReadAll));
  // Bandwidth of all cores from the best slices: other programs on other cores can only lower it
  if (findings.read_all_gbs) {
    findings.read_all_gbs->value =
        kBytesPerSlice / estimates.at({Quantity::streamReadAll, 0}).best_ns;
  }
  findings.streams_cross_after = streams_cross_after(estimates, findings.memory_latency_ns.value);
  findings.second_level_write_gbs = second_level_write_gbs(findings, estimates);
  findings.last_level_read_gbs = last_level_read_gbs(findings, estimates);
  findings.most_core_gbs = most_core_gbs(findings, estimates);
}

}  // namespace

Found difference(const Found& a, const Found& b) {
  const double value = std::max(0.0, a.value - b.value);
  const double width = std::hypot(a.value * a.uncertainty, b.value * b.uncertainty);
  return {value, value > 0 ? width / value : 1};
}

Findings find(const Estimates& estimates, const Topology& topology) {
  Findings findings;
  const Curve curve = curve_of(estimates, Quantity::chaseHuge);
  const auto add = found(estimates, Quantity::addLatency);
  if (!add || curve.size() < 4) {
    throw EnvironmentError("the probe had no time to measure the nearest caches");
  }
  // The clock of the core. It moves, so its uncertainty covers all clocks that were seen.
  const Estimate& cycle = estimates.at({Quantity::addLatency, 0});
  findings.cycle_ns = {add->value, std::max(add->uncertainty, cycle.half_range)};
  find_levels_of(findings, curve, topology);
  const Curve cost = translation_cost(curve_of(estimates, Quantity::pageChase), curve,
                                      core_cache_bytes(findings.levels));
  find_memory_latency(findings, curve, estimates);
  find_last_capacity(findings, {.core = curve_of(estimates, Quantity::chaseHuge, Clocking::core),
                                .beyond = without_translation(curve, cost)});
  find_core(findings, estimates);
  find_overlaps(findings, curve, estimates);
  find_walks(findings, cost, estimates);
  find_bandwidths(findings, estimates);
  return findings;
}

}  // namespace presort::probe
