#include "presort/app/validate/report/summary_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "presort/app/machines/load_report.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/text.h"
#include "presort/core/text/units.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::app {

namespace {

// A line of text on points that ran beside busy siblings; "" when all cores were quiet.
std::string siblings_line(const Summary& summary) {
  if (summary.beside_siblings == 0) {
    return "";
  }
  return fmt::format(
      "             {} beside a busy sibling, predicted with a part of the core; with whole cores: "
      "{}, {}, {}\n",
      summary.beside_siblings, format_percent(summary.quiet_core_errors.median_abs),
      format_percent(summary.quiet_core_errors.p90_abs),
      format_percent(summary.quiet_core_errors.max_abs));
}

std::string prediction_lines(const Summary& summary) {
  return fmt::format(
      "prediction   median error {}, 90 % of points below {}, worst {}\n"
      "{}"
      "             of the tuner's plans and their direct rivals: median error {}\n"
      "             run-to-run spread: median {}, 90 % of points below {}\n"
      "             {} of {} points inside their 80 % interval\n",
      format_percent(summary.errors.median_abs), format_percent(summary.errors.p90_abs),
      format_percent(summary.errors.max_abs), siblings_line(summary),
      format_percent(summary.chosen_errors.median_abs), format_percent(summary.median_spread),
      format_percent(summary.p90_spread), summary.inside_interval, summary.errors.points);
}

// A line of text on --draw: which problems were taken or replaced, and how long they may take.
std::string draw_line(const DrawRecord& draw) {
  return fmt::format(
      "draw         seed {}: {} problems for {} points, {} runs of each plan\n"
      "             replaced: {} too large to predict, {} beyond {:.1f} GiB of memory, {} beyond "
      "their time ({:.0f} s for "
      "all; "
      "taken: about {:.0f} s)\n",
      draw.seed, draw.problems, draw.wanted, draw.reps, draw.beyond_prediction, draw.beyond_memory,
      static_cast<double>(draw.memory_bytes) * 0x1p-30, draw.beyond_time, draw.limit_s,
      draw.estimated_s);
}

std::string regret_lines(const Summary& summary) {
  std::string text = fmt::format(
      "regret       mean {} (95 %: {} to {}), 95 % of problems below {}, worst {}\n"
      "decisions    {} of {} problems right (pre-sort or not), {} within 5 % of the best plan\n",
      format_percent(summary.mean_regret), format_percent(summary.mean_regret_interval.low),
      format_percent(summary.mean_regret_interval.high), format_percent(summary.p95_regret),
      format_percent(summary.max_regret), format_percent(summary.right_decision),
      summary.regret_points, format_percent(summary.within_5_percent));
  if (summary.right_decision_of_clear) {
    text += fmt::format(
        "             {} of the {} clear ones right (the two differ by over {:.0f} %)\n",
        format_percent(*summary.right_decision_of_clear), summary.clear_problems, kClearGap * 100);
  }
  return text;
}

// Groups in which some m has plans with and without a pre-sort: only these can have a crossover.
std::vector<const GroupSummary*> groups_with_both(const Summary& summary) {
  std::vector<const GroupSummary*> groups;
  for (const GroupSummary& group : summary.groups) {
    const bool both = std::any_of(group.rows.begin(), group.rows.end(), [](const ProblemRow& row) {
      return row.best_direct_ns > 0 && row.best_presorted_ns > 0;
    });
    if (both) {
      groups.push_back(&group);
    }
  }
  return groups;
}

// The larger of predicted and measured crossover over the smaller; 1 when neither exists, infinite
// when only one does.
double crossover_error(const Crossover& crossover) {
  constexpr double kDiffer = std::numeric_limits<double>::infinity();
  return crossover.factor().value_or(crossover.agrees() ? 1 : kDiffer);
}

// Lines of text on the crossovers over plans of all page sizes: of the only group; or, of several
// groups, how many were predicted right and the one that is furthest off.
std::string overall_crossover_lines(const Summary& summary) {
  const std::vector<const GroupSummary*> groups = groups_with_both(summary);
  if (groups.empty()) {
    return "";
  }
  const GroupSummary& worst = **std::max_element(
      groups.begin(), groups.end(), [](const GroupSummary* a, const GroupSummary* b) {
        return crossover_error(a->crossover) < crossover_error(b->crossover);
      });
  if (groups.size() == 1) {
    return fmt::format("crossover    {}\n", to_text(worst.crossover));
  }
  const auto agree = std::count_if(groups.begin(), groups.end(), [](const GroupSummary* group) {
    return group->crossover.agrees();
  });
  return fmt::format(
      "crossover    predicted within a factor of two: {} of {}; furthest off is that of\n"
      "             {}: {}\n",
      agree, groups.size(), worst.title, to_text(worst.crossover));
}

// A line of text that says for each page size in how many groups the crossover was predicted right.
std::string page_crossover_line(const Summary& summary) {
  std::vector<std::string> parts;
  for (const Named<PageSize>& pages : kPageSizes) {
    size_t all = 0;
    size_t agree = 0;
    for (const GroupSummary& group : summary.groups) {
      for (const PageCrossover& crossover : group.page_crossovers) {
        const bool counts = crossover.pages == pages.value;
        all += counts ? 1 : 0;
        agree += counts && crossover.agrees() ? 1 : 0;
      }
    }
    if (all > 0) {
      parts.push_back(fmt::format("{} of {} with {} pages", agree, all, pages.name));
    }
  }
  return parts.empty() ? ""
                       : fmt::format("             by page size, within a factor of two: {}\n",
                                     fmt::join(parts, ", "));
}

// A line of text on the problem where the tuner's plan gains most over its direct plan, as
// measured.
std::string best_plan_line(const Summary& summary) {
  const ProblemRow* best = nullptr;
  double largest = 1 + kTie;
  for (const GroupSummary& group : summary.groups) {
    for (const ProblemRow& row : group.rows) {
      const std::vector<Point>& points = row.item->points;
      const double gain = points[row.item->direct].measured() / points[row.item->tuned].measured();
      if (gain > largest) {
        largest = gain;
        best = &row;
      }
    }
  }
  if (best == nullptr) {
    return "";
  }
  const ProblemPoints& item = *best->item;
  return fmt::format(
      "best plan    of the tuner's, {}: {} instead of {} ns per input\n"
      "             {}\n",
      displayable_line(to_string(item.problem)), format_ns(item.points[item.tuned].measured()),
      format_ns(item.points[item.direct].measured()), short_plan(item.points[item.tuned].plan));
}

std::string skipped_lines(const Summary& summary) {
  std::string text = "skipped      GPU plans: predictions are of CPU plans alone\n";
  for (const std::string& skipped : summary.skipped) {
    text += "             " + displayable_line(skipped) + "\n";
  }
  return text;
}

}  // namespace

std::string headline_text(const Summary& summary) {
  return summary.too_few_quiet()
             ? fmt::format(
                   "this machine was too busy to judge predictions by: {} of {} runs were quiet. "
                   "Stop "
                   "other programs, or let it wait for quiet: --wait-quiet 600s",
                   summary.quiet_runs, summary.kept_runs)
             : "";
}

std::string summary_text(const Summary& summary, const Machine& machine, bool complete) {
  const std::string headline = headline_text(summary);
  std::string text = headline.empty() ? "" : fmt::format("TOO BUSY     {}\n", headline);
  text += summary.load ? load_line(*summary.load) : "";
  text += fmt::format("presort {} on {}{}\n", io::current_provenance().tool_version,
                      displayable_line(machine.name), partial_mark(complete));
  text += fmt::format(
      "points       {} measured, {} run again, {} kept though noisy, {} dropped; {} of {} "
      "runs were quiet\n",
      summary.points, summary.rerun, summary.noisy, summary.dropped.size(), summary.quiet_runs,
      summary.kept_runs);
  text += summary.waited_s > 0
              ? fmt::format("             waited {:.0f} s for quiet{}\n", summary.waited_s,
                            summary.waited_in_vain ? ", in vain at the end" : "")
              : "";
  text += summary.draw ? draw_line(*summary.draw) : "";
  if (summary.errors.points > 0) {
    text += prediction_lines(summary);
  }
  if (summary.regret_points > 0) {
    text += regret_lines(summary);
  }
  return text + overall_crossover_lines(summary) + page_crossover_line(summary) +
         best_plan_line(summary) + skipped_lines(summary) +
         probe_warning_lines(summary.probe_warnings);
}

std::string rows_text(const Summary& summary) {
  std::string text;
  for (const GroupSummary& group : summary.groups) {
    TextTable table({"m", "direct pred.", "meas.", "tuned pred.", "meas.", "error", "regret",
                     "right", "tuned plan"});
    for (const ProblemRow& row : group.rows) {
      const Point& direct = row.item->points[row.item->direct];
      const Point& tuned = row.item->points[row.item->tuned];
      table.add({format_count(row.item->problem.m), format_ns(direct.judged().ns_per_input),
                 format_ns(direct.measured()), format_ns(tuned.judged().ns_per_input),
                 format_ns(tuned.measured()),
                 signed_percent(relative_error(tuned.judged().ns_per_input, tuned.measured())),
                 row.usable ? signed_percent(row.regret) : "dropped",
                 row.usable ? (row.right_decision ? "yes" : "no") : "-", short_plan(tuned.plan)});
    }
    text += displayable_line(group.title) + ", ns per input\n" + table.text() + "\n";
  }
  return text;
}

std::string table_text(const TableData& table) {
  if (table.rows.empty()) {
    return "";
  }
  // TextTable left-aligns its last column as free text; with an empty column added, the last
  // numbers stay right-aligned.
  const auto cells = [&](std::vector<std::string> row) {
    if (table.last_column == LastColumn::numbers) {
      row.emplace_back();
    }
    return row;
  };
  TextTable text(cells(table.header));
  for (const std::vector<std::string>& row : table.rows) {
    text.add(cells(row));
  }
  return text.text();
}

}  // namespace presort::app
