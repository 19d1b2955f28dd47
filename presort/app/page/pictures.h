// The pictures of a report page, each as one SVG element. Colours: direct orange, tuned blue.
#pragma once

#include <string>
#include <vector>

#include "presort/app/page/groups.h"

namespace presort::inline v0::app::page {

// Time over the number of buckets of the direct and of the tuned plan: predicted as lines with bands
// of their 80 % intervals, measured as points, crossovers as vertical lines.
// Requires: a group with rows
std::string times_picture(const std::string& id, const Group& group);

// Predicted time stacks over the number of buckets, the direct plan left and the tuned plan right.
// "" where no stack is known.
std::string stacks_picture(const std::string& id, const Group& group);

// Measured time over bytes an input of the direct and the tuned plans, below the memory bandwidth's
// line. Bytes are those that move to and from memory where predictions count them, else those that
// any plan must move. "" where no bandwidth is known.
std::string roofline_picture(const std::string& id, const Group& group);

// Predicted over measured time of all results that were not dropped. "" without predictions.
std::string accuracy_picture(const std::string& id, const Subject& subject);

// How many times as fast the tuner's plan is as the direct one, over the number of buckets, for
// every row of several machines' groups. "" where no row has a direct plan.
struct Gains {
  std::string name;  // name of the machine
  std::vector<const Group*> groups;
};
std::string gains_picture(const std::string& id, const std::vector<Gains>& machines);

}  // namespace presort::app::page
