#include "presort/app/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "presort/app/explain/bucket_place.h"
#include "presort/app/explain/wait_text.h"
#include "presort/app/measure/tuning.h"
#include "presort/app/printing/text.h"

namespace presort::inline v0::app {

namespace {

constexpr size_t kColumns = 100;
// Least share of a plan's time for which a term of its time stack is mentioned
constexpr double kWorthALine = 0.08;
// Relative difference below which two times are called the same: three digits do not show it
constexpr double kSameTime = 0.005;

// Breaks words into lines of kColumns; all but the first begin with `indent` spaces.
std::string explained(const std::string& text, size_t indent) {
  std::string result;
  size_t column = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at + 1), text.size());
    std::string word = text.substr(at, end - at);
    if (column + word.size() > kColumns && column > indent) {
      result.append(1, '\n').append(indent, ' ');
      column = indent;
      word.erase(0, 1);  // drops the space before the word
    }
    result.append(word);
    column += word.size();
    at = end;
  }
  return result.append(1, '\n');
}

// A text line for a term of a time stack: "   5.13  55 %  page walks: …"
std::string amount_line(double ns, double of_ns, const std::string& text) {
  return explained(fmt::format("{:>7}  {:>2.0f} %  {}", format_ns(ns), 100 * ns / of_ns, text), 15);
}

double term_ns(const TimeStack& stack, const std::string& term) {
  for (const auto& [name, ns] : stack) {
    if (name == term) {
      return ns;
    }
  }
  return 0;
}

// Makes the scene of a plan's explanation: the machine, the plan, and the cache level (or memory)
// in which the buckets of one of `parts` equal parts of the inputs lie.
Scene scene_of(const Prediction& prediction, const Machine& machine, double parts) {
  return {&machine, &prediction.plan,
          bucket_place(machine, prediction.problem, prediction.plan.resources.page_size, parts)};
}

std::string direct_lines(const Prediction& direct, const Machine& machine) {
  const Scene scene = scene_of(direct, machine, 1);
  TimeStack terms = direct.stack_ns;
  std::stable_sort(terms.begin(), terms.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  double rest = direct.ns_per_input;
  for (const auto& [term, ns] : terms) {
    if (ns < kWorthALine * direct.ns_per_input) {
      break;
    }
    text += amount_line(ns, direct.ns_per_input, term_text(scene, term) + reason_text(scene, term));
    rest -= ns;
  }
  return rest > kSameTime * direct.ns_per_input
             ? text + amount_line(rest, direct.ns_per_input, "the rest")
             : text;
}

// The time of a pre-sorted plan, ns per input, split by what its phases do.
struct Costs {
  double sorting = 0;
  // Time of permuting results back to the order of the inputs, ns per input
  double taking_back = 0;
  double updating = 0;
  std::vector<std::string> sorting_phases;  // phases of the pre-sort as text: "histogram: 0.73"
};

// Name of a pre-sort's phase, without the pass number where there is only one pass.
std::string phase_name(const std::string& name, const CpuPlan& plan) {
  return plan.presort->passes == 1 ? name.substr(0, name.find(" 1")) : name;
}

Costs costs_of(const Prediction& presorted) {
  Costs costs;
  for (const PhasePrediction& phase : presorted.phases) {
    if (phase.kind == PhaseKind::takeBack) {
      costs.taking_back += phase.ns_per_input;
    } else if (phase.kind == PhaseKind::count || phase.kind == PhaseKind::move) {
      costs.sorting += phase.ns_per_input;
      if (phase.ns_per_input > kSameTime * presorted.ns_per_input) {
        costs.sorting_phases.push_back(fmt::format("{}: {}", phase_name(phase.name, presorted.plan),
                                                   format_ns(phase.ns_per_input)));
      }
    } else {
      costs.updating += phase.ns_per_input;
    }
  }
  return costs;
}

const char* work_of(Operation operation) {
  return operation == Operation::gather ? "reading the buckets" : "updating the buckets";
}

std::string presorted_lines(const Prediction& presorted, const Prediction& direct,
                            const Costs& costs, const Machine& machine) {
  const double parts = std::exp2(presorted.plan.presort->sort_bits);
  const BucketPlace place = scene_of(presorted, machine, parts).place;
  const double all = presorted.ns_per_input;
  std::string text =
      amount_line(costs.sorting, all,
                  fmt::format("sorting by the top {} bits ({})", presorted.plan.presort->sort_bits,
                              fmt::join(costs.sorting_phases, ", ")));
  text +=
      presorted.problem.operation == Operation::partialSort
          ? amount_line(costs.updating, all, "putting the parts to their places")
          : amount_line(
                costs.updating, all,
                fmt::format("{}, which took {}: each of the {:.0f} parts has {} of them, which {}",
                            work_of(presorted.problem.operation), format_ns(direct.ns_per_input),
                            parts, about_bytes(place.bytes), fit_text(machine, place)));
  return costs.taking_back > 0
             ? text + amount_line(costs.taking_back, all,
                                  "taking the results back to the order of the inputs")
             : text;
}

// Words on the terms of a time stack that fall with a pre-sort: "waits for memory fall from 3.96 to
// 1.18 ns, page walks from 5.13 to 0.14", or "".
std::string falls(const Prediction& direct, const Prediction& presorted, const Machine& machine) {
  const Scene scene = scene_of(direct, machine, 1);
  std::vector<std::pair<double, std::string>> saved;
  for (const auto& [term, ns] : direct.stack_ns) {
    const double less = ns - term_ns(presorted.stack_ns, term);
    if (less >= kWorthALine * direct.ns_per_input) {
      saved.emplace_back(less, term);
    }
  }
  std::sort(saved.rbegin(), saved.rend());
  saved.resize(std::min<size_t>(saved.size(), 2));
  std::vector<std::string> texts;
  for (const auto& [less, term] : saved) {
    texts.push_back(fmt::format(
        "{} {}from {} to {}", term_text(scene, term), texts.empty() ? "fall " : "",
        format_ns(term_ns(direct.stack_ns, term)), format_ns(term_ns(presorted.stack_ns, term))));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string balance(const ExplainedChoice& choice, const Costs& costs, const Machine& machine) {
  const double cost = costs.sorting + costs.taking_back;
  const double saved = choice.direct->ns_per_input - costs.updating;
  const bool sorts = choice.entry->plan.presort.has_value();
  const std::string price =
      fmt::format("So {}it {} {} ns and {} ", choice.runs > 0 ? "by prediction " : "",
                  sorts ? "costs" : "would cost", format_ns(cost), sorts ? "saves" : "save");
  if (saved <= kSameTime * choice.direct->ns_per_input) {
    return price + "nothing.";
  }
  const std::string why = falls(*choice.direct, *choice.presorted, machine);
  return price + format_ns(saved) + (why.empty() ? "." : ": " + why + ".");
}

const char* why_no_presort(Operation operation) {
  return is_segmented(operation) ? "No pre-sort, as segments are in order"
                                 : "No pre-sort was tried";
}

// Words on how a plan's time is known: " by 5 timed runs"; "" without timed runs.
std::string by_runs(const ExplainedChoice& choice) {
  return choice.runs == 0
             ? ""
             : fmt::format(" by {} timed run{}", choice.runs, choice.runs == 1 ? "" : "s");
}

std::string answer(const ExplainedChoice& choice) {
  const double direct = choice.direct_ns;
  if (choice.presorted == nullptr) {
    return fmt::format("{}: {} ns an input{}.", why_no_presort(choice.direct->problem.operation),
                       format_ns(direct), by_runs(choice));
  }
  const double sorted = choice.presorted_ns;
  const auto [fast, slow] = std::minmax(direct, sorted);
  if (!choice.entry->matters) {
    return fmt::format(
        "It does not matter: {} ns an input with the best pre-sort, {} without{}; the difference, "
        "{}, is less than {}. Taken: {}.",
        format_ns(sorted), format_ns(direct), by_runs(choice), format_percent(slow / fast - 1),
        choice.runs > 0
            ? fmt::format("the {} that count", format_percent(choice.model_error))
            : fmt::format("predictions are off by ({})", format_percent(choice.model_error)),
        short_plan(choice.entry->plan));
  }
  const std::string times = fmt::format("{:.{}f} times as", slow / fast, slow / fast < 10 ? 1 : 0);
  return choice.entry->plan.presort
             ? fmt::format("Pre-sort: {} ns an input instead of {}, {} fast{}.", format_ns(sorted),
                           format_ns(direct), times, by_runs(choice))
             : fmt::format("No pre-sort: {} ns an input; the best pre-sort takes {}, {} long{}.",
                           format_ns(direct), format_ns(sorted), times, by_runs(choice));
}

// The heading of a plan's time stack, which says that its terms are predicted.
std::string heading(const char* what, const Prediction& prediction, const ExplainedChoice& choice) {
  return explained(
      fmt::format("{} ({}), {} ns an input{}:", what, short_plan(prediction.plan),
                  format_ns(prediction.ns_per_input), choice.runs > 0 ? " as predicted" : ""),
      0);
}

// A sentence on the runner-up; "" if it is the best plan of the kind that was not chosen, which the
// explanation has already described.
std::string runner_up_text(const TunedEntry& entry) {
  if (entry.runner_up.presort.has_value() != entry.plan.presort.has_value() ||
      entry.runner_up == entry.plan || entry.runner_up_ns_per_input <= 0) {
    return "";
  }
  const double margin = entry.margin();
  const std::string how =
      std::abs(margin) < kSameTime
          ? "takes as long"
          : fmt::format("takes {} ns, {} {}", format_ns(entry.runner_up_ns_per_input),
                        format_percent(std::abs(margin)),
                        margin > 0 ? "more" : "less, but less surely");
  return explained(fmt::format("The runner-up ({}) {}.", short_plan(entry.runner_up), how), 0);
}

}  // namespace

ExplainedChoice explained(const tuner::Choice& choice) {
  ExplainedChoice two = {
      .entry = &choice.entry, .runs = choice.runs.size(), .model_error = tuner::kModelError};
  const auto of_kind = [&choice](PlanKind kind) {
    for (const CpuPlan* taken : {&choice.entry.plan, &choice.entry.direct_plan}) {
      for (size_t i = 0; i < choice.predictions.size(); ++i) {
        const CpuPlan& plan = choice.predictions[i].plan;
        if (plan == *taken && plan.presort.has_value() == (kind == PlanKind::presorted)) {
          return std::optional(i);
        }
      }
    }
    return best_of(choice, kind);
  };
  if (const auto direct = of_kind(PlanKind::direct)) {
    two.direct = &choice.predictions[*direct];
    two.direct_ns = known_ns(choice, *direct);
  }
  if (const auto presorted = of_kind(PlanKind::presorted)) {
    two.presorted = &choice.predictions[*presorted];
    two.presorted_ns = known_ns(choice, *presorted);
  }
  return two;
}

std::string explanation(const ExplainedChoice& choice, const Machine& machine) {
  const Prediction& direct = *choice.direct;
  std::string text = explained(answer(choice), 0) + "\n";
  text += heading("Without a pre-sort", direct, choice) + direct_lines(direct, machine);
  if (choice.presorted != nullptr) {
    const Prediction& presorted = *choice.presorted;
    const Costs costs = costs_of(presorted);
    text += heading("With one", presorted, choice) +
            presorted_lines(presorted, direct, costs, machine) +
            explained(balance(choice, costs, machine), 0);
  }
  return text + runner_up_text(*choice.entry);
}

std::string stacks_side_by_side(const ExplainedChoice& choice) {
  TextTable table({"ns an input", "direct", "pre-sorted", "difference", ""});
  const auto add = [&](const std::string& name, double direct, double presorted) {
    table.add({name, format_ns(direct), format_ns(presorted),
               fmt::format("{:+.2f}", presorted - direct), ""});
  };
  const Prediction& direct = *choice.direct;
  if (choice.presorted == nullptr) {
    return draw_stack(direct.stack_ns);
  }
  for (const auto& [term, ns] : direct.stack_ns) {
    const double other = term_ns(choice.presorted->stack_ns, term);
    if (std::max(ns, other) >= kSameTime) {
      add(term, ns, other);
    }
  }
  add("all", direct.ns_per_input, choice.presorted->ns_per_input);
  return table.text();
}

}  // namespace presort::app
