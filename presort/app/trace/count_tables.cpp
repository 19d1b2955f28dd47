#include "presort/app/trace/count_tables.h"

#include <fmt/format.h>

#include "presort/app/printing/text.h"

namespace presort::inline v0::app {

namespace {

template <class Counts>
std::string miss_share(const Counts& counts) {
  return counts.accesses == 0 ? "-"
                              : format_percent(static_cast<double>(counts.misses) /
                                               static_cast<double>(counts.accesses));
}

// A table of the prefetches into each cache level, by whether they were used; "" if there are none.
std::string prefetch_table(const std::vector<LevelCounts>& levels) {
  TextTable table({"into", "prefetches", "useful", "of them late", "useless"});
  bool any = false;
  for (const LevelCounts& level : levels) {
    if (level.prefetches > 0) {
      any = true;
      table.add({level.name, std::to_string(level.prefetches),
                 std::to_string(level.useful_prefetches), std::to_string(level.late_prefetches),
                 std::to_string(level.useless_prefetches)});
    }
  }
  return any ? fmt::format("\n{}", table.text()) : "";
}

std::string mebibytes(uint64_t bytes) {
  return fmt::format("{:.1f}", static_cast<double>(bytes) / (1 << 20));
}

}  // namespace

std::string count_tables(const std::vector<LevelCounts>& levels, const std::vector<TlbCounts>& tlb,
                         uint64_t walks) {
  TextTable level_table(
      {"level", "accesses", "hits", "misses", "miss ratio", "write-backs", "MiB in", "MiB out"});
  for (const LevelCounts& level : levels) {
    level_table.add({level.name, std::to_string(level.accesses), std::to_string(level.hits),
                     std::to_string(level.misses), miss_share(level),
                     std::to_string(level.writebacks), mebibytes(level.bytes_in),
                     mebibytes(level.bytes_out)});
  }
  if (tlb.empty()) {
    return level_table.text() + prefetch_table(levels);
  }
  TextTable tlb_table({"TLB", "accesses", "hits", "misses", "miss ratio"});
  for (const TlbCounts& level : tlb) {
    tlb_table.add({level.name, std::to_string(level.accesses), std::to_string(level.hits),
                   std::to_string(level.misses), miss_share(level)});
  }
  return fmt::format("{}{}\n{}walks  {}\n", level_table.text(), prefetch_table(levels),
                     tlb_table.text(), walks);
}

std::string storage_line(const StorageCounts& counts) {
  const auto mib = [](double bytes) { return fmt::format("{:.1f} MiB", bytes / (1 << 20)); };
  std::string line =
      fmt::format("page faults {}   reads {} ({})   writes {} ({})", counts.page_faults,
                  counts.reads, mib(static_cast<double>(counts.read_bytes)), counts.writes,
                  mib(static_cast<double>(counts.written_bytes)));
  if (counts.seeks > 0) {
    line += fmt::format("   seeks {}", counts.seeks);
  }
  if (counts.flash_bytes > 0) {
    line += fmt::format("   write amplification {:.2f}",
                        counts.flash_bytes / static_cast<double>(counts.written_bytes));
  }
  return line + "\n";
}

}  // namespace presort::app
