// Groups of results that differ only in the number of buckets and the plan, and what they come to.
// Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "presort/app/page/page_data.h"
#include "presort/app/validate/score/crossovers.h"
#include "presort/app/validate/score/statistics.h"

namespace presort::inline v0::app::page {

// The results for one number of buckets. Pointers go into the Subject.
struct Row {
  uint64_t m = 0;
  // The plan that the tuner chose; without predictions the plan with the least measured time
  const Result* tuned = nullptr;
  // The tuner's plan without a pre-sort; without predictions the fastest. nullptr: there is none
  const Result* direct = nullptr;
  // Time of the fastest plan without (with) a pre-sort, ns per input: chosen on one half of the
  // runs, timed on the other, where there are two runs. 0: there is none
  double best_direct_ns = 0;
  double best_presorted_ns = 0;
  // Measured time without a pre-sort over that of the tuner's plan; 0: no such plan
  double gain() const;
};

struct Group {
  std::string title;  // "multireduce n=2^24 uniform u32+u32"
  std::string operation;
  std::string labels;
  std::string types;
  uint64_t n = 0;
  std::vector<const Result*> results;
  std::vector<Row> rows;  // by rising m
  // Buckets from which on a pre-sort pays, predicted and measured (score/crossovers.h)
  Crossover crossover;
  bool predicted = false;  // true: every row has plans with predictions

  const Row* most_gain() const;  // the row with the largest gain; nullptr: none is above 1.05
};

// All groups of a subject, in the order of their first results. Dropped results count for no row.
std::vector<Group> groups_of(const Subject& subject);

// Index of the group that a page shows first: the most rows; of equal ones a multireduce, then the
// first.
// Requires: not empty
size_t main_group(const std::vector<Group>& groups);

// The largest gain by a plan with a pre-sort over all groups; 0: there is no such plan.
double largest_gain(const std::vector<Group>& groups);

// Errors and spread over all results of a subject that were not dropped.
struct Accuracy {
  ErrorSummary errors;       // of the predictions; 0 points: there are none
  size_t with_interval = 0;  // results whose prediction has an interval
  size_t inside = 0;         // of them, measured within it
  double median_spread = 0;  // median run-to-run spread (score/statistics.h)
  size_t results = 0;
  size_t dropped = 0;
  size_t samples = 0;
  size_t quiet = 0;  // samples that had the core to themselves
};
Accuracy accuracy_of(const Subject& subject);

}  // namespace presort::app::page
