// How a draw begins with what its journal holds, and how it leaves the journal.
#pragma once

#include <vector>

#include "presort/app/validate/draw/draw_journal.h"
#include "presort/app/validate/points.h"

namespace presort::inline v0::app {

// Says on standard error what an interrupted command has left in the journal, if anything.
void say_what_was_found(const DrawJournal& journal);

// Takes the runs of a draw that an interrupted command has timed, of problems that are predicted.
void take_runs(std::vector<ProblemPoints>& all, const DrawJournal& journal);

// Removes the journal of a complete draw. Otherwise adds the runs of measured problems to it, and says
// on standard error how to go on.
void close_journal(DrawJournal& journal, const std::vector<ProblemPoints>& all, bool complete);

}  // namespace presort::app
