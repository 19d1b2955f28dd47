#include "presort/app/page/payoff.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "presort/core/text/units.h"

namespace presort::inline v0::app::page {

namespace {

// Least gain that is called one: the tie of the tuner and of crossovers
constexpr double kLeastNamedGain = 1.05;

// Fewest numbers of buckets of a group for which a crossover is named, and which has pictures
constexpr size_t kFewestRows = 3;

std::string m_text(const std::optional<uint64_t>& m) {
  return m ? format_count(*m) : "never";
}

bool decidable(const Row& row) {
  return row.best_direct_ns > 0 && row.best_presorted_ns > 0;
}

bool pays(const Row& row) {
  return decidable(row) && row.tuned->presorted && row.gain() > kLeastNamedGain;
}

// Largest gain of a problem that pays; 0: none does.
double gain_of(const std::vector<Group>& groups) {
  double most = 0;
  for (const Group& group : groups) {
    for (const Row& row : group.rows) {
      most = pays(row) ? std::max(most, row.gain()) : most;
    }
  }
  return most;
}

// The kinds of problem: groups that tell a crossover, of which plans of both kinds were timed.
std::vector<const Group*> kinds_of(const std::vector<Group>& groups) {
  std::vector<const Group*> kinds;
  for (const Group& group : groups) {
    if (tells_crossover(group) && std::any_of(group.rows.begin(), group.rows.end(), decidable)) {
      kinds.push_back(&group);
    }
  }
  return kinds;
}

// Crossovers of the kinds for which a pre-sort pays with the most buckets that were measured, rising.
std::vector<uint64_t> crossovers_of(const std::vector<const Group*>& kinds) {
  std::vector<uint64_t> found;
  for (const Group* kind : kinds) {
    if (kind->crossover.measured) {
      found.push_back(*kind->crossover.measured);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// "2^18 to 2^24", or "2^18" where all are equal. Requires: rising, not empty
std::string range_text(const std::vector<uint64_t>& rising) {
  return rising.front() == rising.back()
             ? format_count(rising.front())
             : format_count(rising.front()) + " to " + format_count(rising.back());
}

std::string predicted_text(const Group& shown) {
  return !shown.predicted            ? ""
         : shown.crossover.predicted ? "; predicted: " + format_count(*shown.crossover.predicted)
                                     : "; predicted: nowhere";
}

std::string where_series_begin(const Group& shown, const std::vector<const Group*>& kinds) {
  const std::string predicted = predicted_text(shown);
  const std::vector<uint64_t> all = crossovers_of(kinds);
  if (!shown.crossover.measured) {
    const std::string nowhere =
        fmt::format("Nowhere in this range for {}, as measured{}.", shown.title, predicted);
    return all.empty() ? nowhere
                       : fmt::format("From m = {} buckets on for {} of {} kinds of problem. {}",
                                     range_text(all), all.size(), kinds.size(), nowhere);
  }
  const std::string text =
      fmt::format("From m = {} buckets on, as measured{}. That is for {}.",
                  format_count(*shown.crossover.measured), predicted, shown.title);
  return all.size() > 1 ? text + fmt::format(" All {} kinds for which it pays: from {}.",
                                             all.size(), range_text(all))
                        : text;
}

// Problems that were drawn have no crossover. The buckets of those that gain say where to look, and the
// share of all problems with so many says how sure a gain is there.
std::string where_drawn_gain(const std::vector<Group>& groups) {
  std::vector<uint64_t> gaining;
  for (const Group& group : groups) {
    for (const Row& row : group.rows) {
      if (pays(row)) {
        gaining.push_back(row.m);
      }
    }
  }
  if (gaining.empty()) {
    return "Nowhere among these problems.";
  }
  std::sort(gaining.begin(), gaining.end());
  if (gaining.size() == 1) {
    return fmt::format("The one problem that gains has {} buckets.", format_count(gaining.front()));
  }
  const uint64_t least = std::bit_floor(gaining[gaining.size() / 2]);
  size_t gain = 0;
  size_t of = 0;
  for (const Group& group : groups) {
    for (const Row& row : group.rows) {
      if (row.m >= least && decidable(row)) {
        ++of;
        gain += pays(row) ? 1 : 0;
      }
    }
  }
  return fmt::format(
      "Problems that gain have between {} and {} buckets. Of all problems with {} or more, {} of "
      "{} gain.",
      format_count(std::bit_floor(gaining.front())), format_count(std::bit_ceil(gaining.back())),
      format_count(least), gain, of);
}

}  // namespace

bool tells_crossover(const Group& group) {
  return group.rows.size() >= kFewestRows;
}

bool are_series(const std::vector<Group>& groups) {
  size_t in_series = 0;
  size_t all = 0;
  for (const Group& group : groups) {
    all += group.rows.size();
    in_series += tells_crossover(group) ? group.rows.size() : 0;
  }
  return 2 * in_series >= all;
}

Paying paying_problems(const std::vector<Group>& groups) {
  Paying paying;
  for (const Group& group : groups) {
    for (const Row& row : group.rows) {
      paying.of += decidable(row) ? 1 : 0;
      paying.problems += pays(row) ? 1 : 0;
    }
  }
  return paying;
}

std::string paying_kinds(const std::vector<Group>& groups) {
  const std::vector<const Group*> kinds = kinds_of(groups);
  if (kinds.size() < 2 || !are_series(groups)) {
    return "";
  }
  const size_t paying = crossovers_of(kinds).size();
  const std::string which = paying == 0              ? "none of the"
                            : paying == kinds.size() ? "all"
                                                     : fmt::format("{} of the", paying);
  return fmt::format("With many buckets it pays for {} {} kinds of problem that were measured",
                     which, kinds.size());
}

std::string payoff_clause(const std::vector<Group>& groups) {
  const auto [paying, all] = paying_problems(groups);
  if (all == 0) {
    return "plans of one kind alone were timed, so nothing is said on pre-sorting";
  }
  const std::string up_to = fmt::format(", up to {:.1f} times as fast", gain_of(groups));
  std::string text =
      paying == 0 ? "pre-sorting does not pay"
                  : fmt::format("pre-sorting pays for {} of {} problems", paying, all) + up_to;
  if (!are_series(groups)) {
    return text;
  }
  const Group& shown = groups[main_group(groups)];
  if (shown.crossover.measured) {
    text = fmt::format("pre-sorting pays from m = {} on", m_text(shown.crossover.measured)) +
           (paying > 0 ? up_to : "");
  }
  text += shown.predicted ? "; predicted: " + m_text(shown.crossover.predicted) : "";
  return kinds_of(groups).size() > 1 ? text + fmt::format(" (for {})", shown.title) : text;
}

std::string does_it_pay(const std::vector<Group>& groups) {
  const auto [paying, all] = paying_problems(groups);
  if (all == 0) {
    return "Not known: plans of one kind alone were timed.";
  }
  if (paying == 0) {
    return all == 1 ? "No." : fmt::format("No, for none of {} problems.", all);
  }
  const std::string up_to = fmt::format("up to {:.1f} times as fast", gain_of(groups));
  const std::string counted = fmt::format("for {} of {} problems, {}", paying, all, up_to);
  if (!are_series(groups)) {
    return (2 * paying >= all ? "Yes, " : "Sometimes: ") + counted + ".";
  }
  const std::string kinds = paying_kinds(groups);
  const std::string begin =
      crossovers_of(kinds_of(groups)).empty() ? "Hardly: " + counted : "Yes, " + up_to;
  return kinds.empty() ? begin + "." : begin + ". " + kinds + ".";
}

std::string where_it_begins(const std::vector<Group>& groups) {
  if (paying_problems(groups).of == 0) {
    return "Not known.";
  }
  return are_series(groups) ? where_series_begin(groups[main_group(groups)], kinds_of(groups))
                            : where_drawn_gain(groups);
}

}  // namespace presort::app::page
