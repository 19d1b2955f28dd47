// A validation as text for a person.
#pragma once

#include <string>

#include "app/validate/summary.h"
#include "core/machine.h"

namespace presort::app {

// About ten lines.
std::string summary_text(const Summary& summary, const Machine& machine, bool complete);

// Regret of the tuner and of fixed choices. Like the tables below: empty when there is nothing.
std::string baselines_text(const Summary& summary);

// Where a pre-sort begins to pay, predicted and measured, for each group and page size.
std::string crossovers_text(const Summary& summary);

// A table over m for each group.
std::string rows_text(const Summary& summary);

// Errors by regime; groupings with a single class are left out.
std::string regimes_text(const Summary& summary);

// The worst points, with what most of their prediction is.
std::string worst_text(const Summary& summary);

// "none" for a pre-sort that never begins to pay.
std::string crossover_m(std::optional<uint64_t> crossover);
// "4 x" apart; "agree" when neither exists, "differ" when only one does.
std::string factor_text(const PageCrossover& crossover);

}  // namespace presort::app
