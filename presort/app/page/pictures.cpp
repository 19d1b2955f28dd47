#include "presort/app/page/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "presort/app/explain/wait_text.h"
#include "presort/app/page/chart.h"
#include "presort/app/page/time_words.h"
#include "presort/app/printing/text.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app::page {

namespace {

using Kind = Series::Kind;

double log2_of(uint64_t m) {
  return std::log2(static_cast<double>(m));
}

std::vector<uint64_t> all_m(const Group& group) {
  std::vector<uint64_t> m;
  for (const Row& row : group.rows) {
    m.push_back(row.m);
  }
  return m;
}

// Text on one result for the pointer: "m = 2^22, direct: 5.1 ns measured, 4.9 predicted (4.1 to 5.9)".
std::string tip_of(const char* which, const Result& result) {
  std::string text = fmt::format("m = {}, {}: {} ns measured", format_count(result.m), which,
                                 ns_words(result.measured()));
  if (result.forecast) {
    text += fmt::format(", {} predicted", ns_words(result.forecast->ns));
    if (result.forecast->high > 0) {
      text += fmt::format(" ({} to {})", ns_words(result.forecast->low),
                          ns_words(result.forecast->high));
    }
  }
  return text + "; " + result.plan_words;
}

// The direct or the tuned plan of a row.
struct Chosen {
  const char* name;
  const char* style;
  Kind dots;
  const Result* Row::*result;
};
constexpr Chosen kChosen[] = {
    {"direct", "direct", Kind::dots, &Row::direct},
    {"tuned", "tuned", Kind::squares, &Row::tuned},
};

// Adds the series of one plan over m: band, predicted line, measured dots.
void add_times(const Group& group, const Chosen& chosen, Chart& chart, std::vector<double>& ns) {
  Series band = {.kind = Kind::band, .style = std::string(chosen.style) + " band"};
  Series line = {.kind = Kind::line,
                 .name = std::string(chosen.name) + " predicted",
                 .style = std::string(chosen.style) + " line"};
  Series dots = {.kind = chosen.dots,
                 .name = std::string(chosen.name) + " measured",
                 .style = std::string(chosen.style) + " dots"};
  for (const Row& row : group.rows) {
    const Result* const result = row.*chosen.result;
    if (result == nullptr) {
      continue;
    }
    const double x = log2_of(row.m);
    dots.marks.push_back({x, result->measured(), 0, tip_of(chosen.name, *result)});
    ns.push_back(result->measured());
    if (const auto& forecast = result->forecast) {
      line.marks.push_back({x, forecast->ns, 0, ""});
      ns.push_back(forecast->ns);
      if (forecast->high > 0) {
        band.marks.push_back({x, forecast->low, forecast->high, ""});
        ns.insert(ns.end(), {forecast->low, forecast->high});
      }
    }
  }
  if (!band.marks.empty()) {
    chart.series.push_back(band);
  }
  if (line.marks.empty()) {
    line.name = "";
  }
  chart.series.push_back(line);
  chart.series.push_back(dots);
}

void add_rule(const char* how, const char* style, const std::optional<uint64_t>& m, Chart& chart) {
  if (m) {
    chart.rules.push_back(
        {log2_of(*m), fmt::format("pays from m = {}, {}", format_count(*m), how), style});
  }
}

double term_ns(const Result& result, const std::string& term) {
  for (const auto& [name, ns] : result.forecast->stack) {
    if (name == term) {
      return ns;
    }
  }
  return 0;
}

bool has_stack(const Result* result) {
  return result != nullptr && result->forecast && !result->forecast->stack.empty();
}

// The results whose stacks are drawn, and the names of terms that take a hundredth of some result.
struct Stacks {
  std::vector<std::pair<double, const Result*>> bars;  // place on the axis of m, and result
  std::vector<std::string> terms;
};

// Width of a bar, in units of log2 m: two bars and a gap for each number of buckets.
double bar_width(const Group& group) {
  double nearest = 1;
  for (size_t i = 1; i < group.rows.size(); ++i) {
    const double distance = log2_of(group.rows[i].m) - log2_of(group.rows[i - 1].m);
    nearest = i == 1 ? distance : std::min(nearest, distance);
  }
  return 0.38 * nearest;
}

Stacks stacks_of(const Group& group) {
  Stacks stacks;
  const double width = bar_width(group);
  for (const Row& row : group.rows) {
    for (const Chosen& chosen : kChosen) {
      const Result* const result = row.*chosen.result;
      if (!has_stack(result)) {
        continue;
      }
      const double side = chosen.result == &Row::direct ? -0.55 : 0.55;
      stacks.bars.emplace_back(log2_of(row.m) + side * width, result);
    }
  }
  // Terms stand in the order of the time stacks, which is the same for all plans of a machine.
  std::vector<std::string> large;
  for (const auto& [x, result] : stacks.bars) {
    for (const auto& [term, ns] : result->forecast->stack) {
      if (std::find(stacks.terms.begin(), stacks.terms.end(), term) == stacks.terms.end()) {
        stacks.terms.push_back(term);
      }
      if (ns > 0.01 * result->forecast->ns) {
        large.push_back(term);
      }
    }
  }
  std::erase_if(stacks.terms, [&large](const std::string& term) {
    return std::find(large.begin(), large.end(), term) == large.end();
  });
  return stacks;
}

// The styles of time stacks' terms in the page's style sheet; others are "term-other".
std::string term_style(const std::string& term) {
  for (const char* known : {"core", "L1d", "L2", "L3", "memoryLatency", "memoryBandwidth", "TLB",
                            "branches", "stores", "dependence", "storage", "team"}) {
    if (term == known) {
      return std::string("term-") + known;
    }
  }
  // The limits of phases on a GPU, in the colours of the nearest terms of a core
  constexpr std::pair<const char*, const char*> kOfGpu[] = {
      {"memory", "memoryBandwidth"},
      {"L1", "L1d"},
      {"shared memory", "core"},
      {"atomics", "stores"},
      {"atomics at few lines", "branches"},
      {"atomics at one address", "dependence"}};
  for (const auto& [name, style] : kOfGpu) {
    if (term == name) {
      return std::string("term-") + style;
    }
  }
  return "term-other";
}

double bytes_of(const Result& result) {
  return result.forecast && result.forecast->memory_bytes ? *result.forecast->memory_bytes
                                                          : result.least_bytes;
}

}  // namespace

std::string times_picture(const std::string& id, const Group& group) {
  Chart chart = {.id = id,
                 .title = "Time over the number of buckets: " + group.title,
                 .description =
                     "Lines and bands: predicted, with the 80 % interval. Points: "
                     "measured. The table of all points has the numbers.",
                 .x = buckets_axis(all_m(group))};
  std::vector<double> ns;
  for (const Chosen& chosen : kChosen) {
    add_times(group, chosen, chart, ns);
  }
  chart.y = log_axis("ns an input", ns);
  add_rule("measured", "rule-measured", group.crossover.measured, chart);
  add_rule("predicted", "rule-predicted", group.crossover.predicted, chart);
  return svg(chart);
}

std::string stacks_picture(const std::string& id, const Group& group) {
  const Stacks stacks = stacks_of(group);
  if (stacks.bars.empty()) {
    return "";
  }
  Chart chart = {.id = id,
                 .title = "What the predicted time is spent on: " + group.title,
                 .description =
                     "For each number of buckets the direct plan (left) and the tuner's "
                     "plan (right), ns an input by what is waited for.",
                 .x = buckets_axis(all_m(group))};
  double highest = 0;
  const double width = bar_width(group);
  for (const std::string& term : stacks.terms) {
    Series series = {.kind = Kind::bars, .name = term, .style = term_style(term), .width = width};
    for (const auto& [x, result] : stacks.bars) {
      double below = 0;
      for (const std::string& lower : stacks.terms) {
        if (lower == term) {
          break;
        }
        below += term_ns(*result, lower);
      }
      const double ns = term_ns(*result, term);
      if (ns > 0) {
        series.marks.push_back(
            {x, below, below + ns,
             fmt::format("m = {}, {}: {} {} ns of {}", format_count(result->m), result->plan_words,
                         plain_term_text(term), ns_words(ns), ns_words(result->forecast->ns))});
      }
      highest = std::max(highest, below + ns);
    }
    chart.series.push_back(series);
  }
  chart.y = {.label = "predicted ns an input", .low = 0, .high = 1.05 * highest};
  const double step = std::pow(10, std::floor(std::log10(highest)));
  for (double at = 0; at <= chart.y.high; at += step) {
    chart.y.ticks.push_back({at, fmt::format("{:.3g}", at)});
  }
  return svg(chart);
}

std::string roofline_picture(const std::string& id, const Group& group) {
  Chart chart = {.id = id,
                 .title = "Time over bytes an input: " + group.title,
                 .description =
                     "The line is the time that memory's bandwidth needs; a point on it "
                     "is as fast as memory allows."};
  std::vector<double> bytes;
  std::vector<double> ns;
  double ceiling = 0;
  for (const Chosen& chosen : kChosen) {
    Series dots = {
        .kind = chosen.dots, .name = chosen.name, .style = std::string(chosen.style) + " dots"};
    for (const Row& row : group.rows) {
      const Result* const result = row.*chosen.result;
      if (result == nullptr || result->ceiling <= 0 || bytes_of(*result) <= 0) {
        continue;
      }
      ceiling = std::max(ceiling, result->ceiling);
      bytes.push_back(bytes_of(*result));
      ns.push_back(result->measured());
      dots.marks.push_back(
          {bytes.back(), ns.back(), 0,
           fmt::format("m = {}, {}: {:.1f} bytes and {} ns an input; {}", format_count(row.m),
                       chosen.name, bytes.back(), ns_words(ns.back()), result->plan_words)});
    }
    if (!dots.marks.empty()) {
      chart.series.push_back(dots);
    }
  }
  if (bytes.empty()) {
    return "";
  }
  chart.x = log_axis("bytes an input", bytes);
  for (const double end : {chart.x.low, chart.x.high}) {
    ns.push_back(1e9 * end / ceiling);
  }
  chart.y = log_axis("ns an input", ns);
  Series line = {.kind = Kind::line,
                 .name = "memory bandwidth, " + format_bandwidth(ceiling),
                 .style = "ceiling line"};
  for (const double end : {chart.x.low, chart.x.high}) {
    line.marks.push_back({end, 1e9 * end / ceiling, 0, ""});
  }
  chart.series.insert(chart.series.begin(), line);
  return svg(chart);
}

std::string accuracy_picture(const std::string& id, const Subject& subject) {
  Series direct = {.kind = Kind::dots, .name = "direct plans", .style = "direct dots"};
  Series sorted = {.kind = Kind::squares, .name = "pre-sorted plans", .style = "tuned dots"};
  std::vector<double> ns;
  for (const Result& result : subject.results) {
    if (result.dropped || !result.forecast) {
      continue;
    }
    const double measured = result.measured();
    ns.insert(ns.end(), {measured, result.forecast->ns});
    (result.presorted ? sorted : direct)
        .marks.push_back(
            {measured, result.forecast->ns, 0,
             fmt::format("{} m = {} {} {}: {} ns measured, {} predicted; {}", result.operation,
                         format_count(result.m), result.labels, result.types, ns_words(measured),
                         ns_words(result.forecast->ns), result.plan_words)});
  }
  if (ns.empty()) {
    return "";
  }
  Chart chart = {.id = id,
                 .title = "Predicted over measured time of all points",
                 .description =
                     "Points on the line were predicted exactly; the thin lines are "
                     "25 % above and below.",
                 .x = log_axis("measured ns an input", ns),
                 .y = log_axis("predicted ns an input", ns)};
  for (const double factor : {1.0, 1.25, 0.75}) {
    const double low = std::max(chart.x.low, chart.y.low / factor);
    const double high = std::min(chart.x.high, chart.y.high / factor);
    chart.series.push_back({.kind = Kind::line,
                            .name = factor == 1  ? "exact"
                                    : factor > 1 ? "25 % off"
                                                 : "",
                            .style = factor == 1 ? "ceiling line" : "thin line",
                            .marks = {{low, factor * low, 0, ""}, {high, factor * high, 0, ""}}});
  }
  for (Series* series : {&direct, &sorted}) {
    if (!series->marks.empty()) {
      chart.series.push_back(*series);
    }
  }
  return svg(chart);
}

std::string gains_picture(const std::string& id, const std::vector<Gains>& machines) {
  Chart chart = {.id = id,
                 .title = "Times as fast as the direct plan",
                 .description =
                     "The direct plan's measured time over that of the tuner's plan, "
                     "over the number of buckets."};
  std::vector<uint64_t> m;
  std::vector<double> gains = {1};
  for (size_t i = 0; i < machines.size(); ++i) {
    // The style sheet has eight styles of machines, which repeat.
    const std::string style = fmt::format("machine-{}", i % 8);
    Series dots = {.kind = Kind::dots, .name = machines[i].name, .style = style + " dots"};
    for (const Group* group : machines[i].groups) {
      Series line = {.kind = Kind::line, .style = style + " line"};
      for (const Row& row : group->rows) {
        if (row.direct == nullptr) {
          continue;
        }
        m.push_back(row.m);
        gains.push_back(row.gain());
        line.marks.push_back({log2_of(row.m), row.gain(), 0, ""});
        dots.marks.push_back(
            {log2_of(row.m), row.gain(), 0,
             fmt::format("{}, {}, m = {}: {:.2f} times as fast; {}", machines[i].name, group->title,
                         format_count(row.m), row.gain(), row.tuned->plan_words)});
      }
      chart.series.push_back(line);
    }
    if (!dots.marks.empty()) {
      chart.series.push_back(dots);
    }
  }
  if (m.empty()) {
    return "";
  }
  chart.x = buckets_axis(m);
  chart.y = log_axis("times as fast as the direct plan", gains);
  chart.series.push_back({.kind = Kind::line,
                          .style = "thin line",
                          .marks = {{chart.x.low, 1, 0, ""}, {chart.x.high, 1, 0, ""}}});
  return svg(chart);
}

}  // namespace presort::app::page
