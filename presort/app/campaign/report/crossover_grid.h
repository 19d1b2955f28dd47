// Summaries of a campaign's rows: crossovers over two axes, best plans, and how much each value
// of the machine moves the crossover. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "presort/app/campaign/points.h"
#include "presort/core/plan/tuned.h"
#include "presort/io/campaign/campaign_row.h"

namespace presort::inline v0::app::campaign {

// The best of all plans at one place of a campaign: at one value of each axis but "plan".
struct Best {
  std::optional<double> direct_ns;     // best time without a pre-sort, ns per input
  std::optional<double> presorted_ns;  // best time with a pre-sort, ns per input
  std::string plan;                    // plan of the least time, as text; "" if there is none
};

// The rows of a campaign, found by the values of their points.
class Results {
 public:
  // rows: by rising point, each point once. points and rows outlive this object.
  Results(const Points& points, std::span<const io::CampaignRow> rows);

  const Points& points() const { return points_; }

  // The best plan at a place. indices: of each axis of points(); that of "plan" is not looked at.
  Best best(std::vector<size_t> indices) const;

  // The least m from which a pre-sort pays for all larger m (core/plan/tuned.h), at a place whose
  // index of "m" is not looked at.
  std::optional<uint64_t> crossover(std::vector<size_t> indices) const;

  // The crossover between two values of m, by a straight line through the logarithms of m and of the
  // gain; no value if all m or none pay.
  std::optional<double> smooth_crossover(std::vector<size_t> indices) const;

 private:
  const io::CampaignRow* find(const std::vector<size_t>& indices) const;
  std::vector<CrossoverPoint> gains(std::vector<size_t>& indices) const;

  const Points& points_;
  std::span<const io::CampaignRow> rows_;
  size_t m_axis_;
};

// How the crossover follows a value of the machine: slopes of log crossover over log value, one for
// each combination of the other axes' values. -1: twice the value, half the m.
struct Sensitivity {
  std::string key;
  size_t lines = 0;  // combinations with at least two crossovers
  double median = 0;
  double least = 0;
  double largest = 0;
};

// The sensitivity to each key of `set` whose values are numbers, in the order of the file; keys with
// less than two such values are left out.
std::vector<Sensitivity> sensitivities(const Results& results);

// The number that a value of a machine key stands for: "2MiB" -> 2097152, "80ns" -> 80, "30%" -> 0.3.
std::optional<double> number_of_value(const std::string& value);

}  // namespace presort::app::campaign
