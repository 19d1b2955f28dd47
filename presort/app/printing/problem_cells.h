// The cells of a problem in records: operation, n, m, labels, types. Pure.
#pragma once

#include <string>
#include <vector>

#include "presort/app/printing/records.h"
#include "presort/core/problem.h"

namespace presort::inline v0::app {

// Names of a problem's columns, followed by `more`: "op", "n", "m", "labels", "types", ...
std::vector<std::string> after_problem(const std::vector<std::string>& more);

// Begins a row with the cells of a problem.
void begin_problem(Records& records, const Problem& problem);

}  // namespace presort::app
