#include "presort/app/page/headline.h"

#include <fmt/format.h>

#include <algorithm>

#include "presort/app/explain/wait_text.h"
#include "presort/app/page/payoff.h"
#include "presort/app/page/time_words.h"
#include "presort/app/printing/text.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app::page {

namespace {

// Least share of a plan's time for which a term of its time stack is mentioned
constexpr double kWorthNaming = 0.10;

// Least time of a phase that is mentioned, ns an input: less is rounded to 0
constexpr double kLeastNamedNs = 0.005;

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

std::string headline(const Subject& subject, const std::vector<Group>& groups) {
  std::string text = fmt::format("On {} {}", subject.name, payoff_clause(groups));
  const Accuracy accuracy = accuracy_of(subject);
  text += fmt::format("; {} point{}", accuracy.results, accuracy.results == 1 ? "" : "s");
  text += accuracy.errors.points > 0
              ? fmt::format(", median error {}", format_percent(accuracy.errors.median_abs))
              : ", without predictions";
  const std::string quiet = quiet_words(subject, accuracy);
  text += (quiet.empty() ? "" : "; " + quiet) + (subject.complete ? "." : "; interrupted.");
  const std::string kinds = paying_kinds(groups);
  return kinds.empty() ? text : text + " " + kinds + ".";
}

std::vector<Answer> answers(const Subject& subject, const std::vector<Group>& groups) {
  return {{"Does pre-sorting pay here?", does_it_pay(groups)},
          {"From where on?", where_it_begins(groups)},
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
