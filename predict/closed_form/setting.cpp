#include "predict/closed_form/setting.h"

#include <algorithm>
#include <cmath>

#include "sim/tlb/page_table.h"

namespace presort::predict {

namespace {

constexpr double kEntriesPerLine = 8;  // of a page table
constexpr size_t kMaxLevels = 4;       // that places distinguish

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

// The probabilities of finding, nearest first, what the excerpt has not met.
std::array<double, 4> found_within(const Reach& reach, std::span<const Population> populations,
                                   double horizon, double met) {
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

std::array<double, 4> found_within(const Reach& reach, const Population& population, double horizon,
                                   double met) {
  return found_within(reach, std::span(&population, 1), horizon, met);
}

bool is_stream(const Population& population) {
  return population.measured.empty() && population.groups.size() == 1 &&
         population.groups[0].rate == 1 && population.reuses.size() == 1 &&
         population.reuses[0].arrivals == kNever;
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

Setting::Setting(const Machine& machine, uint64_t page_bytes, std::vector<Touched> touched,
                 double inputs)
    : entry_bytes_(static_cast<double>(entry_bytes(machine, page_bytes))),
      touched_(std::move(touched)) {
  for (const CacheLevel& level : machine.caches) {
    cycles_.push_back(level.latency_cycles);
  }
  cycles_.push_back(machine.memory.latency_ns * 1e-9 * machine.clock_hz);
  const double line = static_cast<double>(unit_bytes(machine.caches.front()));
  const uint64_t entry = entry_bytes(machine, page_bytes);
  for (const Touched& each : touched_) {
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
    const Reach& reach = page_reach_.emplace_back(page_rooms_, all, inputs);
    for (const Kind& kind : kinds_) {
      const double walks = reach.misses(reach.levels() - 1, kind.pages, kNever);
      walked_.push_back(walks / std::max(1e-300, misses(kind.pages, 0)));
    }
    using sim::PageTable;
    add_tables(machine.walk, kGuestTables, PageTable::leaf_level(page_bytes));
    if (machine.walk.nested_host_page_bytes) {
      add_tables(machine.walk, kHostTables,
                 PageTable::leaf_level(*machine.walk.nested_host_page_bytes));
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

// Units that the walks arrive at, those of each kind, `part` of them. A page of a stream that comes
// into its unit is the first there once in as many as fit.
std::vector<Population> Setting::walked_units(double unit_bytes, double part,
                                              Walkers walkers) const {
  std::vector<Population> all;
  for (size_t i = 0; i < touched_.size(); ++i) {
    const double share = walked_[i] * part;
    if (share <= 0) {
      continue;
    }
    Population units = touched_[i].units(unit_bytes);
    if (walkers == Walkers::streams && !is_stream(units)) {
      continue;
    }
    if (is_stream(units)) {
      const double first = std::min(1.0, entry_bytes_ / unit_bytes);
      units = {{{1, misses(kinds_[i].pages, 0)}}, {{first, kNever}, {1 - first, 1}}};
    }
    thin(units, share);
    all.push_back(std::move(units));
  }
  return all;
}

// P(a walk lacks the entry of `level` in the walk cache for it)
double Setting::walk_cache_misses(const PageWalk& walk, int level, double part) const {
  const uint64_t entries[] = {walk.pde_entries, walk.pdpte_entries, walk.pml4e_entries};
  const uint64_t room = level >= 2 && level <= 4 ? entries[level - 2] : 0;
  if (room == 0) {
    return 1;
  }
  const std::vector<Population> units = walked_units(covered_bytes(level), part, Walkers::all);
  const Reach reach({{static_cast<double>(room), walk.cache_policy, false}}, units);
  return 1 - found_within(reach, units, kNever, 0)[0];
}

// The reads of a walk through one table, the uppermost first.
void Setting::add_tables(const PageWalk& walk, size_t first_place, int leaf) {
  constexpr double kRare = 1e-4;  // of walks: not read
  const auto first = static_cast<std::ptrdiff_t>(tables_.size());
  double probability = 1;
  for (int level = leaf; level <= sim::PageTable::kLevels && probability > kRare; ++level) {
    tables_.insert(
        tables_.begin() + first,
        {first_place + static_cast<size_t>(level), probability,
         walked_units(kEntriesPerLine * covered_bytes(level), probability, Walkers::all),
         walked_units(kEntriesPerLine * covered_bytes(level), probability, Walkers::streams)});
    probability *= walk_cache_misses(walk, level + 1, probability);
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

// Of a read of one of the lines, on average.
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
  const Reach& lines = line_reach_.front();
  for (const Kind& kind : kinds_) {
    const auto place = static_cast<size_t>(kind.region);
    places.lines[place] = {found_within(lines, kind.lines, horizon, met), kind.written};
    places.streams[place] = is_stream(kind.lines);
    if (!page_reach_.empty()) {
      const Reach& pages = page_reach_.front();
      places.pages[place] = {found_within(pages, kind.pages, horizon, met)};
      places.walks +=
          places.streams[place] ? 0 : pages.misses(pages.levels() - 1, kind.pages, horizon);
    }
  }
  for (const Table& table : tables_) {
    places.lines[table.place] = {found_within(lines, table.lines, horizon, 0), false};
    places.reads.push_back({table.probability, table.place, read_cycles(table.stream_lines)});
  }
  for (size_t i = 0; i < std::min(kMaxLevels, lines.levels()); ++i) {
    places.stays[i] = lines.window(i);
  }
  return places;
}

}  // namespace presort::predict
