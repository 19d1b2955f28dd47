// The points of a campaign as a list that is never stored: point i is computed from i.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/io/campaign/campaign_file.h"

namespace presort::inline v0::app::campaign {

// A list of values that is combined with all others: "machine", a key of `set`, "op", "types",
// "dist", "seed", "n", "m", or "plan".
struct Axis {
  std::string name;
  std::vector<std::string> values;  // the values as text, in the order of the file
  bool is_number = false;           // true: all values are whole numbers
};

class Points {
 public:
  explicit Points(io::Campaign campaign);

  const io::Campaign& campaign() const { return campaign_; }
  uint64_t size() const { return size_; }  // number of points

  // All axes. The last one changes fastest from point to point. Axis 0 is "machine", the axes of
  // `set` follow; "plan" is there if the campaign has plans.
  const std::vector<Axis>& axes() const { return axes_; }

  // The index of a point's value in each axis. Requires: point < size()
  std::vector<size_t> indices(uint64_t point) const;

  // The point with these indices: the reverse of indices(). Requires: one index for each axis
  uint64_t number(const std::vector<size_t>& indices) const;

  // The number of a point's variant: of its machine with its values of `set`. Points of one variant
  // are consecutive.
  uint64_t variant(uint64_t point) const { return point / points_of_variant_; }

  // The problem of a point. It is not checked (check_problem).
  Problem problem(const std::vector<size_t>& indices) const;

  // The plan of a point; null in a campaign without plans
  const CpuPlan* plan(const std::vector<size_t>& indices) const;

 private:
  io::Campaign campaign_;
  std::vector<Axis> axes_;
  uint64_t size_ = 1;
  uint64_t points_of_variant_ = 1;
};

// Index of the axis of a name.
// Errors: InputError "KEY: found NAME, accepted: …" with the nearest spelling
size_t axis_of(const Points& points, const std::string& key, const std::string& name);

}  // namespace presort::app::campaign
