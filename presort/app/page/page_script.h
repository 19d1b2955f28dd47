// The data that the page's script reads: groups with the times of their direct and tuned plans.
#pragma once

#include <string>
#include <vector>

#include "presort/app/page/groups.h"

namespace presort::inline v0::app::page {

// A group with pictures, by the id of its section.
struct Pictured {
  std::string id;
  std::string machine;  // name of the subject
  const Group* group = nullptr;
};

// JSON that may stand in a script element: ASCII without <, > and &, whatever the texts are.
std::string script_data(const std::vector<Pictured>& all);

}  // namespace presort::app::page
