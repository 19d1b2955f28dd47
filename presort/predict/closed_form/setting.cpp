#include "presort/predict/closed_form/setting.h"

#include <algorithm>
#include <cmath>

#include "presort/sim/tlb/page_table.h"

namespace presort::inline v0::predict {

namespace {

constexpr double kEntriesPerLine = 8;  // page-table entries in a cache line
constexpr double kTableBytes = 4096;
// Bytes of the simulated memory that holds the guest's page tables (sim::PageTable)
constexpr double kGuestMemory = 0x1p44;
constexpr size_t kMaxLevels = 4;  // most cache levels that a LinePlace distinguishes

std::vector<Room> line_rooms(const Machine& machine) {
  std::vector<Room> rooms;
  for (const CacheLevel& level : machine.caches) {
    const double lines =
        static_cast<double>(level.size_bytes) * level.share / static_cast<double>(level.line_bytes);
    rooms.push_back({lines, level.policy, level.fill == Fill::onEvict});
  }
  return rooms;
}

double covered_bytes(int level) {
  return std::exp2(12 + 9 * (level - 1));
}

// Probabilities that a unit (line or page) that the excerpt has not touched yet is in levels 0 … i.
std::array<double, 4> found_within(const CharacteristicTimes& reach,
                                   std::span<const Population> populations, double horizon,
                                   double met) {
  std::array<double, 4> within{};
  double unmet = 0;
  for (const Population& population : populations) {
    unmet += misses(population, std::min(met, horizon));
  }
  for (size_t i = 0; i < std::min(kMaxLevels, reach.levels()); ++i) {
    double missed = 0;
    for (const Population& population : populations) {
      missed += reach.misses(i, population, horizon);
    }
    within[i] = unmet <= 0 ? 1 : std::clamp(1 - missed / unmet, 0.0, 1.0);
  }
  return within;
}

std::array<double, 4> found_within(const CharacteristicTimes& reach, const Population& population,
                                   double horizon, double met) {
  return found_within(reach, std::span(&population, 1), horizon, met);
}

bool is_stream(const Population& population) {
  return population.measured.empty() && population.groups.size() == 1 &&
         population.groups[0].rate == 1 && population.reuses.size() == 1 &&
         population.reuses[0].arrivals > 1;
}

// Limits a population of lines or pages to `units` units.
void crowd(Population& population, double units) {
  double count = 0;
  for (const Group& group : population.groups) {
    count += group.count;
  }
  const double more = count / units;
  for (Group& group : population.groups) {
    group.count /= std::max(1.0, more);
    group.rate *= std::max(1.0, more);
  }
}

void thin(Population& population, double part) {
  for (Group& group : population.groups) {
    group.rate *= part;
  }
  for (Measured& measured : population.measured) {
    measured.touches *= part;
    measured.interval /= part;
  }
}

}  // namespace

Setting::Setting(const Machine& machine, uint64_t page_bytes, std::vector<Footprint> touched,
                 double inputs)
    : entry_bytes_(static_cast<double>(entry_bytes(machine, page_bytes))),
      touched_(std::move(touched)) {
  for (const CacheLevel& level : machine.caches) {
    cycles_.push_back(level.latency_cycles);
  }
  cycles_.push_back(machine.memory.latency_ns * 1e-9 * machine.clock_hz);
  const double line = static_cast<double>(unit_bytes(machine.caches.front()));
  const uint64_t entry = entry_bytes(machine, page_bytes);
  for (const Footprint& each : touched_) {
    kinds_.push_back({each.region, each.written, each.past_caches ? Population{} : each.units(line),
                      each.units(static_cast<double>(entry))});
  }
  std::vector<Population> all;
  for (const TlbLevel* level : levels_for(machine, entry)) {
    page_rooms_.push_back({static_cast<double>(level->entries), level->policy, false});
  }
  if (!page_rooms_.empty()) {
    for (const Kind& kind : kinds_) {
      all.push_back(kind.pages);
    }
    const CharacteristicTimes& reach = page_reach_.emplace_back(page_rooms_, all, inputs);
    for (const Kind& kind : kinds_) {
      const double walks = reach.misses(reach.levels() - 1, kind.pages, kNever);
      walked_.push_back(walks / std::max(1e-300, misses(kind.pages, 0)));
    }
    using sim::PageTable;
    const int leaf = PageTable::leaf_level(page_bytes);
    add_tables(machine.walk, leaf, {walks_for_data(kGuestTables)});
    if (machine.walk.nested_host_page_bytes) {
      add_tables(machine.walk, PageTable::leaf_level(*machine.walk.nested_host_page_bytes),
                 {walks_for_tables(machine.frames, leaf), walks_for_data(kHostTables)});
    }
  }
  all.clear();
  for (const Kind& kind : kinds_) {
    all.push_back(kind.lines);
  }
  for (const Table& table : tables_) {
    all.insert(all.end(), table.lines.begin(), table.lines.end());
  }
  line_reach_.emplace_back(line_rooms(machine), all, inputs);
}

// Page walks into a region whose pages are of unequal popularity. Walks go to unpopular pages, so
// all units of such pages count as equal.
Population Setting::scattered_walks(size_t kind, double unit_bytes) const {
  double pages = 0;
  for (const Group& group : kinds_[kind].pages.groups) {
    pages += group.count;
  }
  const double units =
      std::max(pages * entry_bytes_ / std::max(unit_bytes, entry_bytes_), std::min(pages, 1.0));
  return {{{units, walked_[kind] * misses(kinds_[kind].pages, 0) / units}}};
}

// Reduces the touches of a region's units (lines or pages) to those that need a page walk. Where
// pages are not equally popular, these touches go to unpopular pages; the pages of one unit count
// as equally popular.
void Setting::thin_to_walks(Population& units, size_t kind, double unit_bytes) const {
  if (units.groups.size() < 2 || units.reuses.size() != 1) {
    thin(units, walked_[kind]);
    return;
  }
  const CharacteristicTimes& reach = page_reach_.front();
  const double pages = std::max(1.0, unit_bytes / entry_bytes_);
  double sum = 0;
  for (Group& group : units.groups) {
    const Population of_page{{{1, group.rate / pages}}, units.reuses};
    group.rate = pages * reach.misses(reach.levels() - 1, of_page, kNever);
    sum += group.count * group.rate;
  }
  const double walks = walked_[kind] * misses(kinds_[kind].pages, 0);
  for (Group& group : units.groups) {
    group.rate *= walks / sum;
  }
}

// Returns the units (lines) of page tables that page walks read, for each region of memory; `part`
// is the share of walks that read them. A stream enters a new unit every time it has passed as many
// pages as a unit maps.
std::vector<Population> Setting::walked_units(double unit_bytes, double part,
                                              Walkers walkers) const {
  std::vector<Population> all;
  for (size_t i = 0; i < touched_.size(); ++i) {
    if (walked_[i] * part <= 0) {
      continue;
    }
    const bool streams = is_stream(kinds_[i].pages);
    if (walkers == Walkers::streams && !streams) {
      continue;
    }
    Population units;
    if (streams) {
      const double first = std::min(1.0, entry_bytes_ / unit_bytes);
      const double pages = misses(kinds_[i].pages, 0);
      const double since = std::max(2.0, std::round(kinds_[i].pages.reuses[0].arrivals * pages));
      units = {{{1, pages}}, {{first, since}, {1 - first, 1}}};
      thin(units, walked_[i]);
    } else if (touched_[i].scattered) {
      units = scattered_walks(i, unit_bytes);
    } else {
      units = touched_[i].units(unit_bytes);
      thin_to_walks(units, i, unit_bytes);
    }
    thin(units, part);
    all.push_back(std::move(units));
  }
  return all;
}

Setting::Walks Setting::walks_for_data(size_t first_place) const {
  return {first_place, 1, [this](double unit_bytes, double part, Walkers walkers) {
            return walked_units(unit_bytes, part, walkers);
          }};
}

// Walks of the host's tables for addresses of the guest's tables: in a guest walk that reads more
// than one table, from `leaf` up, the address of each table but the first is translated.
Setting::Walks Setting::walks_for_tables(Frames frames, int leaf) const {
  struct Level {
    int level;
    double probability;
  };
  std::vector<Level> levels;  // table levels that a page walk reads, except the first one
  double all = 0;
  for (const Table& table : tables_) {
    const int level = static_cast<int>(table.place - kGuestTables) - 1;
    if (level >= leaf) {
      levels.push_back({level, table.probability});
      all += table.probability;
    }
  }
  const auto units = [this, frames, levels, all](double unit_bytes, double part, Walkers walkers) {
    // Unless page frames are contiguous, page tables are scattered in memory: two lie in one unit only if all
    // units have some.
    const double tables =
        frames == Frames::contiguous ? std::max(1.0, unit_bytes / kTableBytes) : 1;
    std::vector<Population> result;
    for (const Level& each : levels) {
      const double bytes = tables * covered_bytes(each.level + 1);
      for (Population& of_level : walked_units(bytes, part * each.probability / all, walkers)) {
        crowd(of_level, kGuestMemory / unit_bytes);
        result.push_back(std::move(of_level));
      }
    }
    return result;
  };
  return {kHostTablesOfTables, all, units};
}

// Reduces page walks to those that miss the page-walk cache of `level` and so read the table entry
// of that level too.
void Setting::pass_walk_cache(const PageWalk& walk, int level, std::vector<Walks>& walks) const {
  const uint64_t entries[] = {walk.pde_entries, walk.pdpte_entries, walk.pml4e_entries};
  const uint64_t room = level >= 2 && level <= 4 ? entries[level - 2] : 0;
  if (room == 0) {
    return;
  }
  std::vector<std::vector<Population>> units;
  std::vector<Population> all;
  for (const Walks& each : walks) {
    units.push_back(each.units(covered_bytes(level), each.probability, Walkers::all));
    all.insert(all.end(), units.back().begin(), units.back().end());
  }
  const CharacteristicTimes reach({{static_cast<double>(room), walk.cache_policy, false}}, all);
  for (size_t i = 0; i < walks.size(); ++i) {
    walks[i].probability *= 1 - found_within(reach, units[i], kNever, 0)[0];
  }
}

// Adds the reads that page walks make in the tables of one address space, the top level first.
void Setting::add_tables(const PageWalk& walk, int leaf, std::vector<Walks> walks) {
  constexpr double kRare = 1e-4;  // reads made by less than this share of the walks are left out
  const auto first = static_cast<std::ptrdiff_t>(tables_.size());
  for (int level = leaf; level <= sim::PageTable::kLevels; ++level) {
    std::erase_if(walks, [](const Walks& each) { return each.probability <= kRare; });
    const double line_bytes = kEntriesPerLine * covered_bytes(level);
    for (const Walks& each : walks) {
      tables_.insert(tables_.begin() + first,
                     {each.first_place + static_cast<size_t>(level), each.probability,
                      each.units(line_bytes, each.probability, Walkers::all),
                      each.units(line_bytes, each.probability, Walkers::streams)});
    }
    pass_walk_cache(walk, level + 1, walks);
  }
}

std::vector<Region> Setting::streams() const {
  std::vector<Region> regions;
  for (const Kind& kind : kinds_) {
    if (is_stream(kind.lines)) {
      regions.push_back(kind.region);
    }
  }
  return regions;
}

// Mean cycles of a read of a line of a page table.
double Setting::read_cycles(std::span<const Population> lines) const {
  const std::array<double, 4> within = found_within(line_reach_.front(), lines, kNever, 0);
  const size_t levels = std::min(kMaxLevels, line_reach_.front().levels());
  double cycles = 0;
  double nearer = 0;
  for (size_t i = 0; i < levels; ++i) {
    cycles += std::max(0.0, within[i] - nearer) * cycles_[i];
    nearer = std::max(nearer, within[i]);
  }
  return cycles + (1 - nearer) * cycles_.back();
}

Setting::Places Setting::at(double horizon, double met) const {
  Places places;
  const CharacteristicTimes& lines = line_reach_.front();
  for (const Kind& kind : kinds_) {
    const auto place = static_cast<size_t>(kind.region);
    places.streams[place] = is_stream(kind.lines);
    // Streams were last used before the span began: in an earlier phase, or in the run before
    const double known = places.streams[place] ? kNever : horizon;
    places.lines[place] = {found_within(lines, kind.lines, known, met), kind.written};
    if (!page_reach_.empty()) {
      const CharacteristicTimes& pages = page_reach_.front();
      places.pages[place] = {found_within(pages, kind.pages, horizon, met)};
      places.walks +=
          places.streams[place] ? 0 : pages.misses(pages.levels() - 1, kind.pages, horizon);
    }
  }
  for (const Table& table : tables_) {
    places.lines[table.place] = {found_within(lines, table.lines, horizon, 0), false};
    const double cycles = read_cycles(table.stream_lines);
    for (double reads = table.probability; reads > 0; --reads) {
      places.reads.push_back({std::min(1.0, reads), table.place, cycles});
    }
  }
  for (size_t i = 0; i < std::min(kMaxLevels, lines.levels()); ++i) {
    places.stays[i] = lines.window(i);
  }
  return places;
}

}  // namespace presort::predict
