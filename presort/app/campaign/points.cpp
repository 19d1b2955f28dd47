#include "presort/app/campaign/points.h"

#include <utility>

#include "presort/core/text/names.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app::campaign {
namespace {

template <class T, class Text>
Axis axis(std::string name, const std::vector<T>& values, Text text, bool is_number = false) {
  Axis made = {std::move(name), {}, is_number};
  for (const T& value : values) {
    made.values.push_back(text(value));
  }
  return made;
}

std::string decimal(uint64_t number) {
  return std::to_string(number);
}

}  // namespace

Points::Points(io::Campaign campaign) : campaign_(std::move(campaign)) {
  const auto same = [](const std::string& text) { return text; };
  axes_.push_back(axis("machine", campaign_.machines, same));
  for (const io::SetAxis& one : campaign_.set) {
    axes_.push_back(axis(one.key, one.values, same));
  }
  const size_t of_machine = axes_.size();
  axes_.push_back(axis("op", campaign_.operations,
                       [](Operation operation) { return to_name(kOperations, operation); }));
  axes_.push_back(
      axis("types", campaign_.types, [](const Types& types) { return to_string(types); }));
  axes_.push_back(axis("dist", campaign_.distributions,
                       [](const Distribution& distribution) { return to_string(distribution); }));
  axes_.push_back(axis("seed", campaign_.seeds, decimal, true));
  axes_.push_back(axis("n", campaign_.n, decimal, true));
  axes_.push_back(axis("m", campaign_.m, decimal, true));
  if (!campaign_.plans.empty()) {
    axes_.push_back(
        axis("plan", campaign_.plans, [](const CpuPlan& plan) { return to_string(plan); }));
  }
  for (size_t i = 0; i < axes_.size(); ++i) {
    size_ *= axes_[i].values.size();
    points_of_variant_ *= i < of_machine ? 1 : axes_[i].values.size();
  }
}

std::vector<size_t> Points::indices(uint64_t point) const {
  std::vector<size_t> indices(axes_.size());
  for (size_t i = axes_.size(); i-- > 0;) {
    indices[i] = point % axes_[i].values.size();
    point /= axes_[i].values.size();
  }
  return indices;
}

uint64_t Points::number(const std::vector<size_t>& indices) const {
  uint64_t point = 0;
  for (size_t i = 0; i < axes_.size(); ++i) {
    point = point * axes_[i].values.size() + indices[i];
  }
  return point;
}

Problem Points::problem(const std::vector<size_t>& indices) const {
  const size_t* const at = indices.data() + 1 + campaign_.set.size();
  Problem problem;
  problem.operation = campaign_.operations[at[0]];
  problem.types = campaign_.types[at[1]];
  problem.distribution = campaign_.distributions[at[2]];
  problem.seed = campaign_.seeds[at[3]];
  problem.n = campaign_.n[at[4]];
  problem.m = campaign_.m[at[5]];
  return problem;
}

const CpuPlan* Points::plan(const std::vector<size_t>& indices) const {
  return campaign_.plans.empty() ? nullptr : &campaign_.plans[indices.back()];
}

size_t axis_of(const Points& points, const std::string& key, const std::string& name) {
  std::vector<std::string> names;
  for (const Axis& axis : points.axes()) {
    if (axis.name == name) {
      return names.size();
    }
    names.push_back(axis.name);
  }
  throw InputError(unknown_name_message(key, name, names));
}

}  // namespace presort::app::campaign
