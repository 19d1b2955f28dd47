#include <algorithm>
#include <cmath>
#include <string>

#include "presort/probe/analysis/structure/structure.h"
#include "presort/probe/assemble/draft.h"
#include "presort/probe/workloads/chase.h"

namespace presort::inline v0::probe {
namespace {

constexpr int kFewestOverlapping = 4;
constexpr double kWidestOverlap = 0.25;

std::string level_name(const AnnouncedCache& cache) {
  return cache.level == 1 ? "L1d" : "L" + std::to_string(cache.level);
}

CacheLevel cache_level(Draft& draft, const LevelFinding& level) {
  const AnnouncedCache& announced = level.cache;
  CacheLevel cache;
  cache.name = level_name(announced);
  const auto& above = draft.machine().caches;
  cache.line_bytes = above.empty() ? announced.line_bytes : above.front().line_bytes;
  if (announced.line_bytes != cache.line_bytes) {
    draft.warn(cache.name + " is announced with lines of " + std::to_string(announced.line_bytes) +
               " bytes, and taken with those of the first level");
  }
  cache.ways = announced.ways;
  if (cache.ways == 0) {
    cache.ways = announced.level == 1 ? 8 : 16;
    draft.warn("the ways of " + cache.name + " are not announced: " + std::to_string(cache.ways) +
               " is a guess");
  }
  const uint64_t set_bytes = cache.ways * cache.line_bytes;
  cache.size_bytes = std::max<uint64_t>(1, announced.size_bytes / set_bytes) * set_bytes;
  cache.latency_cycles = draft.cycles(level.latency_ns.value);
  cache.shared_by = std::clamp(announced.shared_by, 1, draft.machine().cores);
  cache.hashed = announced.level >= 3;
  const std::string key = "cpu.caches." + cache.name + ".latency";
  if (level.reached) {
    draft.file_value(key, cache.latency_cycles, "cy", level.latency_ns.uncertainty);
  } else {
    draft.warn("the latency of " + cache.name + " was not measured: it is a guess");
    draft.known_value(key, cache.latency_cycles, "cy", Quality::guess);
  }
  return cache;
}

// Sets the share of the last cache level. If that is a victim cache, a chase sees it and the level
// above together.
void set_last_share(Draft& draft, const Known& known, CacheLevel& cache,
                    const AnnouncedCache& announced) {
  if (announced.level < 3) {
    return;
  }
  cache.fill = known.core.last_fill;
  const Capacity& found = known.findings.last_capacity;
  if (found.bytes == 0) {
    draft.warn("the effective size of " + cache.name + " is beyond the largest footprint");
    return;
  }
  cache.policy = found.policy == Replacement::random && known.core.last_resists_streams
                     ? Replacement(ReplacementKind::srrip)
                     : found.policy;
  const uint64_t above = draft.machine().caches.back().size_bytes;
  const uint64_t effective =
      cache.fill == Fill::onEvict && found.bytes > 2 * above ? found.bytes - above : found.bytes;
  const double share = static_cast<double>(effective) / static_cast<double>(cache.size_bytes);
  cache.share = std::min(1.0, std::max(0.001, rounded(share)));
  draft.file_value("cpu.caches." + cache.name + ".share", cache.share, "", found.uncertainty);
  draft.report_value("cpu.caches." + cache.name + ".effectiveSize",
                     static_cast<double>(effective) / 1048576.0, "MiB", found.uncertainty);
  draft.report_value("cpu.caches." + cache.name + ".halfMissFootprint",
                     found.half_miss_bytes / 1048576.0, "MiB", found.uncertainty);
}

// Sets how many misses of the first level may be outstanding: as many as independent loads of
// flushed lines in few pages overlap. Random loads over a large footprint overlap less, for they
// take page walks and find some lines in the last level. Golden Cove documents 16 fill buffers, yet
// such loads overlap 24-fold, and so do the kernels when the buckets are in memory
// (docs/results/validation.md).
void set_first_queue(Draft& draft, const Found& overlap) {
  CacheLevel& first = draft.machine().caches.front();
  first.queue = std::max(kFewestOverlapping, static_cast<int>(std::lround(overlap.value)));
  draft.file_value("cpu.caches." + first.name + ".queue", first.queue, "",
                   std::hypot(overlap.uncertainty, 0.5 / first.queue));
}

// A measured overlap whose uncertainty is too large is not used.
void set_queues(Draft& draft, const Known& known) {
  auto& caches = draft.machine().caches;
  const auto& overlap = known.findings.overlap_uncached ? known.findings.overlap_uncached
                                                        : known.findings.overlap_memory;
  if (overlap && overlap->uncertainty < kWidestOverlap) {
    set_first_queue(draft, *overlap);
  } else {
    caches.front().queue = known.core.l1_queue;
    draft.warn("overlap was not measured well: L1d's queue is the core table's");
    draft.known_value("cpu.caches." + caches.front().name + ".queue", caches.front().queue, "",
                      quality_of_row(known.core));
  }
  for (size_t i = 1; i < caches.size(); ++i) {
    const int of_core = std::max(known.core.l2_queue, caches[i - 1].queue);
    const bool documented = i == 1 || known.core.last_queue > 0;
    const int of_all = known.core.last_queue > 0 ? known.core.last_queue
                                                 : of_core * std::min(caches[i].shared_by, 4);
    caches[i].queue = i == 1 ? of_core : of_all;
    draft.known_value("cpu.caches." + caches[i].name + ".queue", caches[i].queue, "",
                      documented ? quality_of_row(known.core) : Quality::guess);
  }
}

// Sets how many missing stores wait for lines at a time: fewer than loads. Measured on a Golden
// Cove: 9-fold where loads do 23-fold, to memory and to the last level alike, and whether 1 or 16
// stores follow each other in a line (docs/results/validation.md). Where stores overlap as much as
// loads, there is no limit.
void set_store_lines(Draft& draft, const Known& known) {
  constexpr double kFewer = 0.85;
  const auto& overlap = known.findings.overlap_stores;
  draft.report_value("memory.uncachedStoreOverlap", overlap, "");
  if (overlap && overlap->uncertainty < kWidestOverlap &&
      overlap->value < kFewer * draft.machine().caches.front().queue) {
    int& lines = draft.machine().window.store_lines;
    lines = std::max(1, static_cast<int>(std::lround(overlap->value)));
    draft.file_value("cpu.window.storeLines", lines, "",
                     std::hypot(overlap->uncertainty, 0.5 / lines));
  }
}

// Sets the second level's write bandwidth. Dirty lines that the first level drops cost it more than
// lines that it hands up: on a Golden Cove, random updates in the second level take 4.4 cycles a
// line where loads of as many lines are not slower than in the first level, and copies, which bring
// two lines up and write one back, 4.9.
void set_write_bandwidth(Draft& draft, const Known& known) {
  if (const auto& written = known.findings.second_level_write_gbs) {
    CacheLevel& second = draft.machine().caches[1];
    second.write_bandwidth = bytes_per_second(written->value);
    draft.file_value("cpu.caches." + second.name + ".writeBandwidth", rounded(written->value),
                     "GB/s", written->uncertainty);
  }
}

// Sets the last level's bandwidth. Where it is filled with what the level before it drops, a line
// goes down for each that comes up, clean or dirty, and both pass the same port: on a Golden Cove,
// reading in order, at random and copying take 2.15 to 2.3 ns for each line that comes up
// (docs/results/loops.md).
void set_last_bandwidth(Draft& draft, const Known& known) {
  if (const auto& read = known.findings.last_level_read_gbs) {
    CacheLevel& last = draft.machine().caches.back();
    const double passing = last.fill == Fill::onEvict ? 2 : 1;
    const double gbs = rounded(passing * read->value);
    last.bandwidth = bytes_per_second(gbs);
    draft.file_value("cpu.caches." + last.name + ".bandwidth", gbs, "GB/s", read->uncertainty);
  }
}

// Lines that a stream prefetcher that stays in its page runs ahead, at most (Intel 248966); one that
// goes on from page to page runs ahead by up to two pages.
constexpr int kMostAhead = 20;
constexpr int kMostAheadAcross = 128;
// Bytes that a step of streamsAlone reads from each of its two streams
constexpr double kBytesPerStep = 4;

// Pages in a row after which a stream goes on into the next one; 0: never. It is what is documented
// or tried for such cores, else what the probe found.
int cross_after(const Known& known) {
  return known.core.streams_cross_after.value_or(known.findings.streams_cross_after.value_or(0));
}

// How far ahead a stream prefetcher runs, in lines, by Little's law: the lines that are on their way
// at a time, of one of two streams, or of a single one that goes on from page to page.
int stream_distance(const Known& known) {
  const bool across = cross_after(known) > 0;
  const int most = across ? kMostAheadAcross : kMostAhead;
  double lines_per_ns = 0;
  if (const auto& read = known.findings.read_gbs; across && read) {
    lines_per_ns = read->value / kLineBytes;
  } else if (const auto alone = known.estimates.find({Quantity::streamsAlone, 0});
             !across && alone != known.estimates.end()) {
    lines_per_ns = kBytesPerStep / kLineBytes / alone->second.value_ns;
  } else {
    return most;
  }
  const double under_way = known.findings.memory_latency_ns.value * lines_per_ns;
  return std::clamp(static_cast<int>(std::lround(under_way)), 1, most);
}

void set_prefetchers(Draft& draft, const Known& known) {
  const auto& caches = draft.machine().caches;
  auto& prefetchers = draft.machine().prefetchers;
  prefetchers = {{.level = caches.front().name, .kind = PrefetcherKind::nextLine}};
  if (const auto& found = known.findings.streams_cross_after) {
    draft.report_value("cpu.prefetchers.crossesAfter", *found, "", 0.5 / std::max(1, *found));
  }
  if (caches.size() > 1) {
    prefetchers.push_back({.level = caches[1].name,
                           .kind = PrefetcherKind::stream,
                           .degree = 2,
                           .distance = stream_distance(known),
                           .yields_at = known.core.streams_yield_at,
                           .crosses_after = cross_after(known)});
  }
}

}  // namespace

void set_caches(Draft& draft, const Known& known) {
  for (const LevelFinding& level : known.findings.levels) {
    CacheLevel cache = cache_level(draft, level);
    set_last_share(draft, known, cache, level.cache);
    draft.machine().caches.push_back(std::move(cache));
  }
  set_queues(draft, known);
  set_store_lines(draft, known);
  set_write_bandwidth(draft, known);
  set_last_bandwidth(draft, known);
  set_prefetchers(draft, known);
}

void check_ways(Draft& draft, const Known& known) {
  const Structure structure = find_structure(known.estimates, known.findings);
  for (const LevelFinding& level : known.findings.levels) {
    const auto& ways = level.cache.level == 1 ? structure.l1_ways : structure.l2_ways;
    if (level.cache.level > 2 || !ways) {
      continue;
    }
    const std::string name = level_name(level.cache);
    draft.report_value("cpu.caches." + name + ".measuredWays", static_cast<double>(*ways), "",
                       0.5 / static_cast<double>(*ways));
    if (level.cache.ways != 0 && *ways != level.cache.ways) {
      draft.warn(name + " is announced with " + std::to_string(level.cache.ways) +
                 " ways; a chase over lines of one set finds " + std::to_string(*ways));
    }
  }
}

}  // namespace presort::probe
