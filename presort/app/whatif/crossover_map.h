// What pre-sorting gains, over the number of buckets and over what is compared: a table and a
// picture. Pure functions, but that the picture runs gnuplot.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace presort::inline v0::app {

struct CrossoverColumn {
  std::string label;
  // direct / best pre-sorted of each m, in their order; 0: not predicted. Several threads, say,
  // may have other plans to choose from.
  std::vector<double> ratios;
  std::optional<uint64_t> crossover;
};

struct CrossoverMap {
  std::string title;  // problem and machine: "multireduce n=2^24 uniform u32+u32 on a-machine"
  std::string swept;  // what the columns differ in, "cpu.caches.L2.size"
  std::vector<uint64_t> buckets;  // m, rising
  std::vector<CrossoverColumn> columns;
};

// A row for each column of the map: its label, its crossover, and the ratios.
std::string crossover_table(const CrossoverMap& map);

// SVG: a tile for each label and m, coloured by the ratio, which stands in it; a line where
// pre-sorting begins to pay for all larger m.
// Errors: EnvironmentError when gnuplot fails
std::string draw_crossover_map(const CrossoverMap& map);

}  // namespace presort::app
