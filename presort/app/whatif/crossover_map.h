// The gain by pre-sorting for each number of buckets and each compared machine, plan or value: a
// table and a picture. Pure functions, except that the picture runs gnuplot.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace presort::inline v0::app {

struct CrossoverColumn {
  std::string label;
  // For each m: time of the best direct plan / time of the best pre-sorted plan; 0: not predicted,
  // as when the number of threads leaves no such plan.
  std::vector<double> ratios;
  std::optional<uint64_t> crossover;
};

struct CrossoverMap {
  std::string title;  // problem and machine: "multireduce n=2^24 uniform u32+u32 on a-machine"
  std::string swept;  // key whose values the columns have: "cpu.caches.L2.size"
  std::vector<uint64_t> buckets;  // numbers of buckets (the map's axis), rising
  std::vector<CrossoverColumn> columns;
};

// A table with a row for each column of the map: its label, its crossover, and its ratios.
std::string crossover_table(const CrossoverMap& map);

// The map as a picture (SVG): a tile for each label and m, coloured by the ratio, which is written
// in the tile; a line where pre-sorting begins to pay for all larger m.
// Errors: EnvironmentError when gnuplot fails
std::string draw_crossover_map(const CrossoverMap& map);

}  // namespace presort::app
