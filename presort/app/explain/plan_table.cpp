#include "presort/app/explain/plan_table.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "presort/app/measure/tuning.h"
#include "presort/app/printing/text.h"

namespace presort::inline v0::app {

namespace {

// Timed runs of a plan as text: "5.81 5.77"; "-" for a plan that was not timed.
std::string timed_text(const tuner::Choice& choice, size_t plan) {
  std::string text;
  for (const tuner::MeasuredRun& run : choice.runs) {
    if (run.plan == plan) {
      text += (text.empty() ? "" : " ") + format_ns(run.ns_per_input);
    }
  }
  return text.empty() ? "-" : text;
}

std::vector<size_t> fastest_first(const tuner::Choice& choice) {
  std::vector<size_t> order(choice.predictions.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return known_ns(choice, a) < known_ns(choice, b); });
  return order;
}

}  // namespace

std::string plan_table(const tuner::Choice& choice) {
  const bool timed = !choice.runs.empty();
  const std::vector<size_t> order = fastest_first(choice);
  const auto taken = [&](size_t i) { return choice.predictions[i].plan == choice.entry.plan; };
  TextTable table(timed ? std::vector<std::string>{"expected", "predicted", "by", "timed", "plan"}
                        : std::vector<std::string>{"ns per input", "by", "plan"});
  for (const size_t i : order) {
    std::vector<std::string> row = {format_ns(known_ns(choice, i)),
                                    to_name(kOrigins, choice.origins[i]),
                                    short_plan(choice.predictions[i].plan)};
    if (timed) {
      row.insert(row.begin() + 1, format_ns(choice.predictions[i].ns_per_input));
      row.insert(row.begin() + 3, timed_text(choice, i));
    }
    row.back() += taken(i) ? "  <- taken" : "";
    table.add(row);
  }
  const bool first = order.empty() || taken(order.front());
  return table.text() +
         (first ? ""
                : "The plan taken has the least expected time: a prediction that is less sure, or "
                  "that\nsimulations of plans like it contradict, counts for less.\n");
}

}  // namespace presort::app
