// Judges whether times can be believed, by how busy the machine was. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "presort/core/text/names.h"
#include "presort/probe/load/machine_load.h"

namespace presort::inline v0::probe {

enum class Busyness {
  quiet,
  shared,   // machine shared with others: times are less certain
  tooBusy,  // machine too busy: times are not to be believed
};
inline constexpr Named<Busyness> kBusyness[] = {
    {"quiet", Busyness::quiet}, {"shared", Busyness::shared}, {"too_busy", Busyness::tooBusy}};

struct LoadJudgement {
  MachineLoad load;
  Busyness busyness = Busyness::quiet;
  // Reasons for the judgement in words, the gravest first: "other processes used 96 % of the 2
  // processors".
  std::vector<std::string> reasons;
};

// Judges a load; `threads` is how many were timed at once. Thresholds stand in the source.
LoadJudgement judge_load(const MachineLoad& load, int threads);

// A sentence on the load before anything was timed, if it was high: "threads waited for a processor
// 54 % of the last 10 s"; "" otherwise.
std::string busy_before(const LoadMoment& moment);

// Reasons of a judgement as one text: "other processes used 96 % of the 2 processors; the timing
// …"; "" when quiet.
std::string reasons_text(const LoadJudgement& judgement);

}  // namespace presort::probe
