#include "presort/app/validate/draw/resumed_draw.h"

#include "presort/app/printing/displayable.h"
#include "presort/app/printing/notes.h"

namespace presort::inline v0::app {

void say_what_was_found(const DrawJournal& journal) {
  if (journal.tuner_plans_found() + journal.predictions_found() + journal.runs_found() > 0) {
    note(
        "{} has {} choices, {} predictions and the runs of {} points of an interrupted command: "
        "taken",
        displayable_line(journal.path()), journal.tuner_plans_found(), journal.predictions_found(),
        journal.runs_found());
  }
}

void take_runs(std::vector<ProblemPoints>& all, const DrawJournal& journal) {
  for (ProblemPoints& item : all) {
    journal.take_runs(item);
  }
  forget_unpredicted(all);
}

void close_journal(DrawJournal& journal, const std::vector<ProblemPoints>& all, bool complete) {
  if (complete) {
    journal.remove();
    return;
  }
  for (const ProblemPoints& item : all) {
    if (item.measured) {
      journal.add_runs(item);
    }
  }
  note("what was predicted and measured is kept in {}; the same command goes on from there",
       displayable_line(journal.path()));
}

}  // namespace presort::app
