// The headline of a report page sums up the results of a machine in words. Pure functions; the text
// is plain, not HTML.
#pragma once

#include <string>
#include <vector>

#include "presort/app/page/groups.h"

namespace presort::inline v0::app::page {

// The headline of a machine's results: "On MACHINE pre-sorting pays from m = 2^22 on, up to 3.2
// times as fast; predicted: 2^22; 160 points, median error 11 %; quiet". The crossover is that of
// the group that is shown first; if there are several groups, a sentence follows on how many of
// them a pre-sort pays for. Of drawn problems, no two of which differ in m alone, it counts those
// that gain.
// Requires: groups of this subject, at least one
std::string headline(const Subject& subject, const std::vector<Group>& groups);

// A question of somebody new to presort, with the answer that the results of a machine give.
struct Answer {
  const char* question = nullptr;
  std::string answer;
};

// Does a pre-sort pay here, from where on, and how sure is that: the facts of headline(), to be
// read in a few seconds.
// Requires: groups of this subject, at least one
std::vector<Answer> answers(const Subject& subject, const std::vector<Group>& groups);

// Words on the runs: "quiet", "nearly all runs quiet", "61 % of the runs quiet", or "" where
// nothing is known.
std::string quiet_words(const Subject& subject, const Accuracy& accuracy);

// Why the tuner's plan for a row is as fast as it is: where the time of the direct plan goes, where
// that of the tuned plan goes. "" where no time stack is known.
std::vector<std::string> why_sentences(const Row& row);

// How near a row's two plans come to the memory bandwidth: "The direct plan moves 73.2 bytes an
// input …". "" where the bandwidth is not known.
std::vector<std::string> ceiling_sentences(const Row& row);

}  // namespace presort::app::page
