// Says in words if a pre-sort pays on a machine, and from how many buckets on. Results are either
// series, whose problems differ in the number of buckets alone, or drawn problems, which differ in
// everything. Series have a crossover; of drawn problems those that gain are counted. Pure functions.
// Requires, of all: at least one group
#pragma once

#include <string>
#include <vector>

#include "presort/app/page/groups.h"

namespace presort::inline v0::app::page {

// True if enough problems of a group differ in the number of buckets alone, so that its crossover says
// something.
bool tells_crossover(const Group& group);

// True if at least half of the problems stand in groups that tell a crossover.
bool are_series(const std::vector<Group>& groups);

// Problems, a problem being one row, and those for which the tuner's plan pre-sorts and is faster than
// the direct one.
struct Paying {
  size_t problems = 0;
  size_t of = 0;  // problems of which plans with and without a pre-sort were timed
};
Paying paying_problems(const std::vector<Group>& groups);

// "pre-sorting pays from m = 2^22 on, up to 3.2 times as fast; predicted: 2^22"
std::string payoff_clause(const std::vector<Group>& groups);

// "With many buckets it pays for 2 of the 3 kinds of problem that were measured". A kind is a group that
// tells a crossover. "": there are no two of them.
std::string paying_kinds(const std::vector<Group>& groups);

// Answers to "Does pre-sorting pay here?" and "From where on?". They agree with each other: a page whose
// first answer is yes or sometimes names buckets in the second one.
std::string does_it_pay(const std::vector<Group>& groups);
std::string where_it_begins(const std::vector<Group>& groups);

}  // namespace presort::app::page
