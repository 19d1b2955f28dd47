#include "presort/app/validate/score/grouping.h"

#include <algorithm>

#include "presort/core/measurement.h"

namespace presort::inline v0::app {

namespace {

// The errors of one class of points while they are collected.
struct Collected {
  size_t rank;
  std::string name;
  std::vector<double> errors;
  std::vector<double> spreads;
  double inside = 0;    // number of points whose measured time is in the prediction's interval
  bool judged = false;  // true: the predictions of these points have intervals
};

}  // namespace

Grouping group_points(const std::string& name, const std::string& key,
                      const std::vector<ClassedPoint>& points) {
  std::vector<Collected> classes;
  for (const ClassedPoint& point : points) {
    auto same = std::find_if(classes.begin(), classes.end(),
                             [&](const Collected& other) { return other.name == point.name; });
    if (same == classes.end()) {
      same = classes.insert(classes.end(),
                            {.rank = point.rank, .name = point.name, .errors = {}, .spreads = {}});
    }
    same->errors.push_back(point.error);
    same->spreads.push_back(point.spread);
    same->judged = same->judged || point.inside.has_value();
    same->inside += point.inside.value_or(false) ? 1 : 0;
  }
  std::stable_sort(classes.begin(), classes.end(),
                   [](const Collected& a, const Collected& b) { return a.rank < b.rank; });
  Grouping grouping = {name, key, {}};
  for (const Collected& entry : classes) {
    grouping.regimes.push_back({entry.name,
                                entry.errors,
                                summarise_errors(entry.errors),
                                median(entry.errors),
                                median(entry.spreads),
                                {}});
    if (entry.judged) {
      grouping.regimes.back().inside = entry.inside / static_cast<double>(entry.errors.size());
    }
  }
  return grouping;
}

}  // namespace presort::app
