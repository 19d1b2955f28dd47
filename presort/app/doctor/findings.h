// Findings about a machine: what its state means for predictions and times, and what a user can do.
// Pure functions.
#pragma once

#include <string>
#include <vector>

#include "presort/app/doctor/host_state.h"
#include "presort/app/printing/style.h"
#include "presort/core/text/names.h"

namespace presort::inline v0::app {

enum class Verdict {
  good,     // verdict: the user need do nothing
  limited,  // verdict: it works, but figures are less certain or an ability is smaller
  wrong,    // verdict: times taken now mean nothing
  missing,  // verdict: the ability is not there
};
inline constexpr Named<Verdict> kVerdicts[] = {{"good", Verdict::good},
                                               {"limited", Verdict::limited},
                                               {"wrong", Verdict::wrong},
                                               {"missing", Verdict::missing}};

struct Finding {
  std::string subject;  // subject of the finding, one word or two: "huge pages"
  Verdict verdict = Verdict::good;
  std::string found = {};   // what was found on the machine
  std::string effect = {};  // consequence for predictions and times; "" when the verdict is good
  // Advice to the user; "" when nothing can or need be done
  std::string remedy = {};
};

// One finding for each subject, always in the same order: processor, cores, memory, huge pages,
// counters, load, GPU, data, plots, build, and the machine file where one was given.
std::vector<Finding> findings_of(const HostState& host);

// The findings as lines of text: one for each, with its verdict in a colour, its effect and remedy
// indented below it, and a last line that sums up.
std::vector<StyledLine> findings_lines(const std::vector<Finding>& findings);
// The text of findings_lines(), without styles.
std::string findings_text(const std::vector<Finding>& findings);

}  // namespace presort::app
