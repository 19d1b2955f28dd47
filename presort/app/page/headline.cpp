#include "presort/app/page/headline.h"

#include <fmt/format.h>

#include <algorithm>

#include "presort/app/explain/wait_text.h"
#include "presort/app/page/time_words.h"
#include "presort/app/printing/text.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app::page {

namespace {

// Least share of a plan's time for which a term of its time stack is mentioned
constexpr double kWorthNaming = 0.10;

// Least gain that is called one: the tie of the tuner and of crossovers
constexpr double kLeastNamedGain = 1.05;

// Least time of a phase that is mentioned, ns an input: less is rounded to 0
constexpr double kLeastNamedNs = 0.005;

// Fewest numbers of buckets of a group for which a crossover is named, and which has pictures
constexpr size_t kFewestRows = 3;

std::string m_text(const std::optional<uint64_t>& m) {
  return m ? format_count(*m) : "never";
}

// Groups in which both kinds of plans were measured for some m.
size_t decidable(const std::vector<Group>& groups) {
  return static_cast<size_t>(std::count_if(groups.begin(), groups.end(), [](const Group& group) {
    return std::any_of(group.rows.begin(), group.rows.end(), [](const Row& row) {
      return row.best_direct_ns > 0 && row.best_presorted_ns > 0;
    });
  }));
}

size_t all_rows(const std::vector<Group>& groups) {
  size_t rows = 0;
  for (const Group& group : groups) {
    rows += group.rows.size();
  }
  return rows;
}

// Number of problems for which the tuner's plan pre-sorts and is faster than the direct one.
size_t paying_rows(const std::vector<Group>& groups) {
  size_t paying = 0;
  for (const Group& group : groups) {
    paying +=
        static_cast<size_t>(std::count_if(group.rows.begin(), group.rows.end(), [](const Row& row) {
          return row.tuned->presorted && row.gain() > kLeastNamedGain;
        }));
  }
  return paying;
}

// The named terms of a time stack, largest first: "41 % waits for memory, 30 % page walks".
std::string stack_words(const Forecast& forecast) {
  TimeStack terms = forecast.stack;
  std::stable_sort(terms.begin(), terms.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> words;
  for (const auto& [term, ns] : terms) {
    if (ns >= kWorthNaming * forecast.ns) {
      words.push_back(
          fmt::format("{} {}", format_percent(ns / forecast.ns), plain_term_text(term)));
    }
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

// Number of groups in which a pre-sort pays for the most buckets that were measured.
size_t paying_groups(const std::vector<Group>& groups) {
  return static_cast<size_t>(std::count_if(groups.begin(), groups.end(), [](const Group& group) {
    return group.crossover.measured.has_value();
  }));
}

// "With many buckets it pays for 2 of the 3 kinds of problem that were measured". A kind is a
// group: its problems differ in the number of buckets alone.
std::string paying_kinds(const std::vector<Group>& groups) {
  const size_t paying = paying_groups(groups);
  const size_t all = decidable(groups);
  const std::string which = paying == 0     ? "none of the"
                            : paying == all ? "all"
                                            : fmt::format("{} of the", paying);
  return fmt::format("With many buckets it pays for {} {} kinds of problem that were measured",
                     which, all);
}

std::string does_it_pay(const std::vector<Group>& groups) {
  const double gain = largest_gain(groups);
  if (decidable(groups) == 0) {
    return "Not known: plans of one kind alone were timed.";
  }
  if (gain <= kLeastNamedGain) {
    return "No.";
  }
  const std::string text = fmt::format("Yes, up to {:.1f} times as fast", gain);
  if (!tells_crossover(groups[main_group(groups)])) {
    return text + fmt::format(", for {} of {} problems.", paying_rows(groups), all_rows(groups));
  }
  return decidable(groups) > 1 ? text + ". " + paying_kinds(groups) + "." : text + ".";
}

std::string where_it_begins(const Group& shown) {
  if (!tells_crossover(shown)) {
    return "Not known: hardly two problems differ in the number of buckets alone.";
  }
  const Crossover& crossover = shown.crossover;
  const std::string measured =
      crossover.measured
          ? "From m = " + format_count(*crossover.measured) + " buckets on, as measured"
          : "Nowhere in this range, as measured";
  const std::string predicted = !shown.predicted ? ""
                                : crossover.predicted
                                    ? "; predicted: " + format_count(*crossover.predicted)
                                    : "; predicted: nowhere";
  return fmt::format("{}{}. That is for {}.", measured, predicted, shown.title);
}

std::string how_sure(const Subject& subject, const Accuracy& accuracy) {
  std::string text =
      fmt::format("{} measured point{}", accuracy.results, accuracy.results == 1 ? "" : "s");
  if (accuracy.errors.points > 0) {
    text += fmt::format("; half of the predictions are less than {} off",
                        format_percent(accuracy.errors.median_abs));
    text += accuracy.with_interval > 0 ? fmt::format(", {} of {} within their 80 % interval",
                                                     accuracy.inside, accuracy.with_interval)
                                       : "";
  } else {
    text += ", without predictions";
  }
  const std::string quiet = quiet_words(subject, accuracy);
  text += quiet == "quiet" ? "; all runs quiet" : quiet.empty() ? "" : "; " + quiet;
  return text + (subject.complete ? "." : "; interrupted.");
}

std::string why_sentence(const char* which, const Result& result) {
  const Forecast& forecast = *result.forecast;
  std::string text = fmt::format("{} ({}) is predicted to take {} ns an input: {}.", which,
                                 result.plan_words, ns_words(forecast.ns), stack_words(forecast));
  if (forecast.phases.size() > 1) {
    std::vector<std::string> phases;
    for (const auto& [name, ns] : forecast.phases) {
      if (ns >= kLeastNamedNs) {
        phases.push_back(fmt::format("{:.2f} {}", ns, name));
      }
    }
    text += fmt::format(" Its phases take, ns an input: {}.", fmt::join(phases, ", "));
  }
  return text;
}

std::string ceiling_sentence(const char* which, const Result& result) {
  const bool counted = result.forecast && result.forecast->memory_bytes;
  const double bytes = counted ? *result.forecast->memory_bytes : result.least_bytes;
  if (result.ceiling <= 0 || bytes <= 0) {
    return "";
  }
  const double floor_ns = 1e9 * bytes / result.ceiling;
  return fmt::format(
      "{} {} {:.1f} bytes an input{}; at {} that takes {} ns, {} of the {} ns measured.", which,
      counted ? "moves" : "must move at least", bytes,
      counted ? " between the caches and memory, as simulated" : "",
      format_bandwidth(result.ceiling), ns_words(floor_ns),
      format_percent(floor_ns / result.measured()), ns_words(result.measured()));
}

// Sentences on the direct and on the tuned plan of a row; empty ones are left out.
template <class Sentence>
std::vector<std::string> sentences(const Row& row, const Sentence& sentence) {
  std::vector<std::string> all;
  const bool same = row.direct == row.tuned;
  if (row.direct != nullptr) {
    all.push_back(sentence(same ? "The direct plan, which is also the tuner's," : "The direct plan",
                           *row.direct));
  }
  if (!same) {
    all.push_back(sentence("The tuner's plan", *row.tuned));
  }
  std::erase(all, "");
  return all;
}

}  // namespace

std::string quiet_words(const Subject& subject, const Accuracy& accuracy) {
  if (subject.device == Device::gpu || accuracy.samples == 0) {
    return "";
  }
  const double share = static_cast<double>(accuracy.quiet) / static_cast<double>(accuracy.samples);
  constexpr double kNearlyAll = 0.995;
  return accuracy.quiet == accuracy.samples ? "quiet"
         : share >= kNearlyAll              ? "nearly all runs quiet"
                                            : format_percent(share) + " of the runs quiet";
}

bool tells_crossover(const Group& group) {
  return group.rows.size() >= kFewestRows;
}

std::string headline(const Subject& subject, const std::vector<Group>& groups) {
  const Group& shown = groups[main_group(groups)];
  const double gain = largest_gain(groups);
  const size_t several = decidable(groups);
  std::string text = fmt::format("On {} ", subject.name);
  if (several == 0) {
    text += "plans of one kind alone were timed, so nothing is said on pre-sorting";
  } else if (!tells_crossover(shown)) {  // drawn problems hardly differ in m alone
    text += gain > kLeastNamedGain
                ? fmt::format("pre-sorting pays for {} of {} problems, up to {:.1f} times as fast",
                              paying_rows(groups), all_rows(groups), gain)
                : std::string("pre-sorting does not pay");
  } else {
    text += shown.crossover.measured
                ? fmt::format("pre-sorting pays from m = {} on", m_text(shown.crossover.measured))
                : std::string(gain > kLeastNamedGain ? "pre-sorting pays for some problems"
                                                     : "pre-sorting does not pay");
    text += gain > kLeastNamedGain ? fmt::format(", up to {:.1f} times as fast", gain) : "";
    text +=
        shown.predicted ? fmt::format("; predicted: {}", m_text(shown.crossover.predicted)) : "";
  }
  if (several > 1 && tells_crossover(shown)) {
    text += fmt::format(" (for {})", shown.title);
  }
  const Accuracy accuracy = accuracy_of(subject);
  text += fmt::format("; {} point{}", accuracy.results, accuracy.results == 1 ? "" : "s");
  text += accuracy.errors.points > 0
              ? fmt::format(", median error {}", format_percent(accuracy.errors.median_abs))
              : ", without predictions";
  const std::string quiet = quiet_words(subject, accuracy);
  text += (quiet.empty() ? "" : "; " + quiet) + (subject.complete ? "." : "; interrupted.");
  return several > 1 && tells_crossover(shown) ? text + " " + paying_kinds(groups) + "." : text;
}

std::vector<Answer> answers(const Subject& subject, const std::vector<Group>& groups) {
  return {{"Does pre-sorting pay here?", does_it_pay(groups)},
          {"From where on?", where_it_begins(groups[main_group(groups)])},
          {"How sure is that?", how_sure(subject, accuracy_of(subject))}};
}

std::vector<std::string> why_sentences(const Row& row) {
  return sentences(row, [](const char* which, const Result& result) {
    return result.forecast && !result.forecast->stack.empty() ? why_sentence(which, result) : "";
  });
}

std::vector<std::string> ceiling_sentences(const Row& row) {
  return sentences(row, ceiling_sentence);
}

}  // namespace presort::app::page
