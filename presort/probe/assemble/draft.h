// The machine while assemble() puts it together, and what the parts of assemble() share. Internal.
#pragma once

#include <optional>
#include <string>

#include "presort/probe/analysis/quality.h"
#include "presort/probe/assemble/assemble.h"

namespace presort::inline v0::probe {

// The arguments of assemble(), for the functions that do its parts.
struct Known {
  const Findings& findings;
  const Estimates& estimates;
  const Topology& topology;
  const CpuIdentity& cpu;
  const CoreDefaults& core;
  const Surroundings& surroundings;
};

// Rounds to three significant digits: no value of a probe is known better, and files stay readable.
double rounded(double value);

// A bandwidth in GB/s as bytes a second, rounded as rounded() does and to whole bytes: 33.2 times
// 1e9 is not a whole number, and would be written with all its digits.
double bytes_per_second(double gbs);

// Relative half-width of the rounding error of rounded().
double rounding_uncertainty(double value);

class Draft {
 public:
  explicit Draft(double cycle_ns) : cycle_ns_(cycle_ns) {}

  Machine& machine() { return result_.machine; }
  const Machine& machine() const { return result_.machine; }
  ProbeResult result() && { return std::move(result_); }
  double cycles(double ns) const { return rounded(ns / cycle_ns_); }

  void warn(const std::string& text) { result_.warnings.push_back(text); }

  // Notes a measured value of the machine file, rounded as it stands there.
  void file_value(const std::string& key, double value, const std::string& unit,
                  double uncertainty);

  // Notes a value of the machine file that was not measured: it comes from the core's row
  // (core_table.cpp), or is a guess.
  void known_value(const std::string& key, double value, const std::string& unit, Quality quality);

  // Notes a measured value that no key of the machine file takes: for the reader only.
  void report_value(const std::string& key, double value, const std::string& unit,
                    double uncertainty);
  void report_value(const std::string& key, const std::optional<Found>& found,
                    const std::string& unit);

 private:
  double cycle_ns_;
  ProbeResult result_;
};

// Quality of the values of the core's row (core_table.cpp): a guess where the core is not known.
Quality quality_of_row(const CoreDefaults& core);

// Functions that each set a part of the machine, in source files of their own.
void set_caches(Draft& draft, const Known& known);
void set_translation(Draft& draft, const Known& known);
// Sets the costs of a team of threads, where they were measured
void set_team(Draft& draft, const Known& known);
// Sets how long a line takes from the core that has written it, where that was measured
void set_line_transfer(Draft& draft, const Known& known);
// Finds how fast the cores of the first memory node together read its own memory, GB/s; no value
// with one node
std::optional<Found> read_of_node_gbs(const Known& known);
// Sets the memory nodes, where there are several and all pairs of them were measured
void set_nodes(Draft& draft, const Known& known);
// Warns if measured ways differ from announced ones
void check_ways(Draft& draft, const Known& known);
// Reports what dirty evictions and mixed streams cost
void report_traffic(Draft& draft, const Known& known);
// Reports measured values that machine files have no key for
void report_rest(Draft& draft, const Known& known);

}  // namespace presort::probe
