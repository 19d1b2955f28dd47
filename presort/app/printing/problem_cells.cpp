#include "presort/app/printing/problem_cells.h"

#include "presort/core/text/names.h"

namespace presort::inline v0::app {

std::vector<std::string> after_problem(const std::vector<std::string>& more) {
  std::vector<std::string> names = {"op", "n", "m", "labels", "types"};
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

void begin_problem(Records& records, const Problem& problem) {
  records.begin();
  records.text(to_name(kOperations, problem.operation));
  records.count(problem.n);
  records.count(problem.m);
  records.text(to_string(problem.distribution));
  records.text(to_string(problem.types));
}

}  // namespace presort::app
