// The phases of scans and reductions in the order of the inputs: members of PlanTiming
// (plan_timing.h).
#include <algorithm>
#include <cmath>

#include "presort/gpu/plan/plan_check.h"
#include "presort/gpu/plan/times/plan_timing.h"

namespace presort::inline v0::gpu {

void PlanTiming::scan() {
  if (plan_.presort) {
    scan_sorted();
  } else if (sorts_tiles(plan_, problem_.m,
                         scan_table_bits(limits_of(gpu_), static_cast<size_t>(entry_)))) {
    scan_tiles();
  } else {
    scan_tables();
  }
}

void PlanTiming::scan_tables() {
  constexpr double kTile = 512 * 20;  // number of inputs of a tile
  constexpr double kBranches = 8;
  const double bytes = std::max(2 * entry_, 8.0);  // bytes of a look-back descriptor
  Bound bound{"memory", at_.copy(input_ + entry_)};
  bound.at_least("shared memory", at_.shared_atomic() + at_.shared_words(2 + 3 * entry_ / 4));
  const double tiles = std::ceil(static_cast<double>(problem_.n) / kTile);
  const double levels = std::ceil(std::log2(std::max(2.0, tiles)) / std::log2(kBranches));
  const double reads = levels * (kBranches - 1) / 2;
  bound.ns += at_.of_all(at_.l2(tiles * m() * bytes * (1 + reads)));
  add("scan", bound);
}

void PlanTiming::scan_tiles() {
  constexpr double kEntry = 2;  // bytes of the number of an input's label among those of its tile
  // A scan also leaves each input's result within its tile, and what stood before each value.
  sort_tiles(entry_ + kEntry);
  join_tiles(true);
  Bound spread{"L2", at_.l2(3 * entry_ + kEntry)};
  const auto inputs = static_cast<double>(problem_.n);
  add("spread tiles", spread.at_least("values at random", at_.l2_sector_reads(inputs)));
}

void PlanTiming::sort_tiles(double more) {
  constexpr double kBitsOfPass = 4;
  const double passes = std::ceil(label_bits(problem_.m) / kBitsOfPass);
  Bound sort{"memory", at_.copy(input_ + label_ + entry_ + more)};
  sort.at_least("shared memory", passes * at_.rank_and_sort(2, label_ + 2, 0));
  sort.ns += at_.l2_sector_stores(tile_waits().begins());
  add("sort tiles", sort);
}

void PlanTiming::join_tiles(bool leaves_values) {
  const TileWaits waits = tile_waits();
  Bound join{"L2", at_.l2_sector_reads(2 * waits.runs()) +
                       (leaves_values ? at_.l2_sector_stores(waits.runs()) : 0)};
  join.at_least("waits", at_.of_all(waits.chain_ns(gpu_)));
  join.ns += at_.of_all(at_.copy(2 * table_bytes()));
  add("join tiles", join);
}

TileWaits PlanTiming::tile_waits() const {
  return {problem_.n, problem_.m, label_bits(problem_.m), static_cast<uint64_t>(entry_)};
}

void PlanTiming::reduce_in_order() {
  const int table_bits = most_table_bits(static_cast<size_t>(entry_));
  const bool few = !plan_.presort && sorts_tiles_of_few(problem_.n, label_bits(problem_.m));
  if (few || sorts_tiles(plan_, problem_.m, table_bits)) {
    sort_tiles(0);
    join_tiles(false);
    return;
  }
  const double in = plan_.presort ? ordered_sort(0) : input_;
  const int bits_left = label_bits(problem_.m) - (plan_.presort ? plan_.presort->sort_bits : 0);
  if (bits_left > 0) {
    tables_in_order(in, bits_left);
  } else {
    runs_in_order(in);
  }
}

double PlanTiming::ordered_sort(double more) {
  const bool are_pairs = label_ == entry_;
  const double moved = label_ + entry_;
  double labels = label_;
  double in = input_;
  for (int pass = 0; pass < plan_.presort->passes; ++pass) {
    stable_pass(bits_of_pass(*plan_.presort, pass), labels, in + more, moved);
    labels = are_pairs ? moved : label_;
    in = moved;
  }
  return moved;
}

void PlanTiming::tables_in_order(double in, int bits) {
  constexpr double kWarps = 32;  // most warps of a multiprocessor that have a table
  const double table = std::exp2(bits) * entry_;
  const double fit = std::floor(static_cast<double>(gpu_.shared_bytes_of_multiprocessor) / table);
  const double warps = std::min(kWarps, std::max(fit, 1.0)) * gpu_.multiprocessors;
  // Fewest inputs of a warp: four for each bucket of its table
  const double most_warps = std::max(1.0, static_cast<double>(problem_.n) / (4 * std::exp2(bits)));
  Bound bound{"memory", at_.read(in)};
  bound.at_least("shared memory", at_.shared_atomic() + at_.shared_words(2 + 2 * entry_ / 4));
  if (plan_.presort) {
    bound.ns += at_.of_all(at_.copy(2 * table_bytes()));
  }
  bound.ns += at_.of_all(at_.copy(4 * std::min(warps, most_warps) * table));
  add("tables", bound, 2);
}

void PlanTiming::runs_in_order(double in) {
  const double in_sector = std::max(1.0, kSectorBytes / entry_);
  const double written = 1 - std::pow(1 - taken_buckets() / m(), in_sector);
  Bound bound{"memory", at_.read(in)};
  bound.ns += at_.of_all(at_.copy(2 * table_bytes() * written));
  add("runs", bound, 2);
}

void PlanTiming::scan_sorted() {
  constexpr double kPlace = 4;  // bytes of an input's noted place
  const double sorted = ordered_sort(kPlace);
  Bound runs{"memory", at_.copy(sorted + entry_)};
  runs.ns += at_.of_all(at_.copy(2 * table_bytes()));
  add("scan", runs);
  for (int pass = 0; pass < plan_.presort->passes; ++pass) {
    Bound back{"memory", at_.copy(kPlace + 2 * entry_)};
    add("take back", back.at_least("L2", at_.l2(kSectorBytes)));
  }
}

}  // namespace presort::gpu
