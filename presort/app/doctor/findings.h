// What a look at a machine means for predictions and times, and what a user can do. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "presort/app/doctor/host_state.h"
#include "presort/core/text/names.h"

namespace presort::inline v0::app {

enum class Verdict {
  good,     // nothing to do
  limited,  // something works, but figures are less certain or an ability is smaller
  wrong,    // figures that are taken now mean nothing
  missing,  // an ability is not there
};
inline constexpr Named<Verdict> kVerdicts[] = {{"good", Verdict::good},
                                               {"limited", Verdict::limited},
                                               {"wrong", Verdict::wrong},
                                               {"missing", Verdict::missing}};

struct Finding {
  std::string subject;  // one word or two: "huge pages"
  Verdict verdict = Verdict::good;
  std::string found = {};   // what was found
  std::string effect = {};  // what follows from it; "" when the verdict is good
  std::string remedy = {};  // what to do about it; "" when nothing can or need be done
};

// One finding a subject, always in one order: processor, cores, memory, huge pages, counters,
// load, GPU, data, plots, build, and the machine file where one was given.
std::vector<Finding> findings_of(const HostState& host);

// The findings as text: a line each, what follows and what to do indented below it, and a last line
// that sums up.
std::string findings_text(const std::vector<Finding>& findings);

}  // namespace presort::app
