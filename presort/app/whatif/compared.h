// The best plans of each problem on one machine of a comparison, as text and as JSON. Pure
// functions.
#pragma once

#include <string>
#include <vector>

#include "presort/app/measure/tuning.h"
#include "presort/app/printing/records.h"
#include "presort/app/whatif/crossover_map.h"
#include "presort/core/machine/machine.h"
#include "presort/core/problem.h"
#include "presort/io/json/result_json.h"

namespace presort::inline v0::app {

// The best plans of one problem, on a CPU or on a GPU.
struct ComparedPoint {
  ProblemTimes times;  // times of the best plan without a pre-sort, and with one
  std::string plan;    // the better plan in short
  io::Json plan_json;
};

struct Compared {
  std::string label;  // name of the variant (app/whatif/variants.h)
  Machine machine;
  std::vector<ComparedPoint> points;  // the problems that were finished, in their order
  bool complete = true;               // false: interrupted
};

// The choices of CPU plans as points.
std::vector<ComparedPoint> points_of(const std::vector<tuner::Choice>& choices);

// A table of the points and the line of their crossover.
std::string compared_text(const Compared& compared);

// A row for each problem on each machine: machine, m, direct_ns, presorted_ns, direct_over_presorted, plan.
Records compared_records(const std::vector<Compared>& all);

// {machine{}, points[], crossover_m, complete}
io::Json compared_json(const Compared& compared);

// The map of all machines: a column for each. `swept` is the key whose values are compared, "" for
// machines; `machine` is the machine of that key.
// Requires: problems differ in m alone; not empty
CrossoverMap map_of(const std::vector<Compared>& all, std::vector<Problem> problems,
                    const std::string& swept, const std::string& machine);

// {key, m[], values[{value, crossover_m, direct_over_presorted[]}]}
io::Json map_json(const CrossoverMap& map);

}  // namespace presort::app
