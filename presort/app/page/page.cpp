#include "presort/app/page/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "presort/app/page/assets.h"
#include "presort/app/page/groups.h"
#include "presort/app/page/headline.h"
#include "presort/app/page/page_script.h"
#include "presort/app/page/payoff.h"
#include "presort/app/page/pictures.h"
#include "presort/app/page/points_table.h"
#include "presort/app/printing/text.h"
#include "presort/app/validate/report/html.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app::page {

namespace {

// Everything that the page needs of a subject, computed once. Pointers go into the subject.
struct View {
  const Subject* subject = nullptr;
  std::vector<Group> groups;
  Accuracy accuracy;
};

std::vector<View> views_of(const std::vector<Subject>& subjects) {
  std::vector<View> views;
  views.reserve(subjects.size());
  for (const Subject& subject : subjects) {
    views.push_back({&subject, groups_of(subject), accuracy_of(subject)});
  }
  return views;
}

std::string title_of(const std::vector<Subject>& subjects) {
  return subjects.size() == 1 ? "presort on " + subjects.front().name
                              : fmt::format("presort on {} machines", subjects.size());
}

std::string head(const std::string& title) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
      "<title>{}</title>\n<style>\n{}\n{}</style></head><body>\n"
      "<a class=\"skip\" href=\"#main\">To the results</a>\n",
      escape_html(title), kUplotCss, kPageCss);
}

std::string figure(const char* style, const std::string& picture, const std::string& caption) {
  return picture.empty() ? ""
                         : fmt::format(
                               "<figure class=\"{}\"><div class=\"plot\"></div>"
                               "<div class=\"static scroll\">{}</div>"
                               "<figcaption>{}</figcaption></figure>\n",
                               style, picture, caption);
}

std::string times_figure(const std::string& id, const Group& group) {
  return fmt::format(
      "<figure class=\"times\"><div class=\"plot\"></div><p class=\"readout\"></p>"
      "<div class=\"static scroll\">{}</div><figcaption>Measured (points; direct orange, tuned "
      "blue) "
      "and predicted (lines; direct dashed{}). {}</figcaption></figure>\n",
      times_picture(id, group), group.predicted ? "; bands: 80 % interval" : "",
      group.crossover.measured || group.crossover.predicted
          ? "Upright lines: where a pre-sort begins to pay, measured (whole) and predicted "
            "(dashed)."
          : "A pre-sort does not begin to pay in this range.");
}

std::string paragraphs(const std::vector<std::string>& sentences) {
  std::string html;
  for (const std::string& sentence : sentences) {
    html += "<p>" + escape_html(sentence) + "</p>\n";
  }
  return html;
}

// The row that the sentences are on: that with the largest gain, else the one with most buckets.
const Row& telling_row(const Group& group) {
  const Row* const most = group.most_gain();
  return most != nullptr ? *most : group.rows.back();
}

std::string why_html(const std::string& id, const Group& group) {
  const Row& row = telling_row(group);
  const std::vector<std::string> sentences = why_sentences(row);
  const std::string picture = stacks_picture(id, group);
  if (sentences.empty() && picture.empty()) {
    return "<h3>Why</h3>\n<p>These results do not say what their time was spent on.</p>\n";
  }
  return fmt::format("<h3>Why</h3>\n<p>At m = {}:</p>\n", format_count(row.m)) +
         paragraphs(sentences) +
         figure("stacks", picture,
                "What is predicted to be waited for; left bar: direct, right bar: tuned.");
}

std::string ceilings_html(const std::string& id, const Group& group) {
  const std::vector<std::string> sentences = ceiling_sentences(telling_row(group));
  if (sentences.empty()) {
    return "<h3>How near to the ceilings</h3>\n<p>The memory bandwidth of this device is not "
           "known here.</p>\n";
  }
  return "<h3>How near to the ceilings</h3>\n" +
         fmt::format("<p>At m = {}:</p>\n", format_count(telling_row(group).m)) +
         paragraphs(sentences) +
         figure("roofline", roofline_picture(id, group),
                "Time over bytes an input, both logarithmic. On the line, memory's bandwidth is "
                "what limits; below it, the caches served a part.");
}

// `heading`: title of the group, with the machine's name where the page has several.
std::string group_section(const Pictured& pictured, const std::string& heading) {
  const Group& group = *pictured.group;
  return fmt::format(
             "<section class=\"group\" data-group=\"{0}\" aria-labelledby=\"{0}-h\">"
             "<h3 id=\"{0}-h\">{1}</h3>\n",
             pictured.id, escape_html(heading)) +
         times_figure(pictured.id + "-times", group) + why_html(pictured.id + "-why", group) +
         ceilings_html(pictured.id + "-roof", group) + "</section>\n";
}

// Groups that have pictures: those with three numbers of buckets at least, the main one first.
std::vector<const Group*> pictured_groups(const View& view) {
  std::vector<const Group*> groups;
  if (view.groups.empty()) {
    return groups;
  }
  const Group* const first = &view.groups[main_group(view.groups)];
  for (const Group& group : view.groups) {
    if (&group != first && group.rows.size() >= 3 && groups.size() + 1 < kMostPictured) {
      groups.push_back(&group);
    }
  }
  if (first->rows.size() >= 3) {
    groups.insert(groups.begin(), first);
  }
  return groups;
}

std::string sure_html(const std::string& id, const View& view) {
  const Accuracy& accuracy = view.accuracy;
  std::string text = fmt::format("{} points; {} dropped, as their runs spread too far.",
                                 accuracy.results, accuracy.dropped);
  if (view.subject->device == Device::cpu) {
    text += fmt::format(" Median run-to-run spread {}; {} of {} runs had the core to themselves.",
                        format_percent(accuracy.median_spread), accuracy.quiet, accuracy.samples);
  } else {
    text += " Each time is one figure, without its spread.";
  }
  if (accuracy.errors.points > 0) {
    text += fmt::format(" Predictions: median error {}, 90 % of points below {}, worst {}",
                        format_percent(accuracy.errors.median_abs),
                        format_percent(accuracy.errors.p90_abs),
                        format_percent(accuracy.errors.max_abs));
    text += accuracy.with_interval > 0
                ? fmt::format("; {} of {} points within their 80 % interval.", accuracy.inside,
                              accuracy.with_interval)
                : ".";
  }
  return "<h3>How sure</h3>\n<p>" + escape_html(text) + "</p>\n" +
         figure("accuracy", accuracy_picture(id, *view.subject),
                "Every point, predicted over measured, ns an input.") +
         view.subject->tables_html;
}

std::string gains_html(const std::string& id, const std::vector<const View*>& views) {
  std::vector<Gains> gains;
  for (const View* view : views) {
    Gains of = {.name = view->subject->name, .groups = {}};
    for (const Group& group : view->groups) {
      of.groups.push_back(&group);
    }
    gains.push_back(std::move(of));
  }
  return figure("gains", gains_picture(id, gains),
                "How many times as fast the tuner's plan is as the direct one, measured.");
}

// One row for each machine, and a picture of all gains.
std::string comparison(const std::vector<View>& views) {
  std::string html =
      "<section aria-labelledby=\"compared\"><h2 id=\"compared\">Side by side</h2>\n"
      "<div class=\"scroll\"><table><caption>The crossover is that of the group with most points; "
      "drawn problems, which differ in more than the number of buckets, have none. The largest "
      "gain is "
      "that of all.</caption><thead><tr><th scope=\"col\" "
      "class=\"text\">machine</th><th scope=\"col\">points"
      "</th><th scope=\"col\">pays for</th><th scope=\"col\">pays from m, measured</th><th "
      "scope=\"col\">predicted</th>"
      "<th scope=\"col\">up to</th><th scope=\"col\">median error</th></tr></thead><tbody>\n";
  std::vector<const View*> all;
  for (const View& view : views) {
    if (view.groups.empty()) {
      continue;
    }
    all.push_back(&view);
    const Group& group = view.groups[main_group(view.groups)];
    const double gain = largest_gain(view.groups);
    const bool series = are_series(view.groups);
    const Paying paying = paying_problems(view.groups);
    const auto m = [series](const std::optional<uint64_t>& found) {
      return !series ? std::string("drawn") : found ? format_count(*found) : std::string("never");
    };
    html += fmt::format(
        "<tr><th scope=\"row\" class=\"text\">{}</th><td>{}</td><td>{} of {}</td><td>{}</td>"
        "<td>{}</td><td>{}</td><td>{}</td></tr>\n",
        escape_html(view.subject->name), view.accuracy.results, paying.problems, paying.of,
        m(group.crossover.measured), group.predicted ? m(group.crossover.predicted) : "",
        gain > 1.05 ? fmt::format("{:.1f} ×", gain) : "",
        view.accuracy.errors.points > 0 ? format_percent(view.accuracy.errors.median_abs) : "");
  }
  return html + "</tbody></table></div>\n" + gains_html("gains", all) + "</section>\n";
}

// HTML of a subject's summary: three questions with answers, under the machine's name where the page
// has several.
std::string lede(const View& view, bool alone) {
  std::string html =
      alone ? "" : "<h2 class=\"machine\">" + escape_html(view.subject->name) + "</h2>\n";
  if (!view.subject->warning.empty()) {
    std::string warning = view.subject->warning;
    warning.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(warning.front())));
    html += "<p class=\"warning\">" + escape_html(warning) + "</p>\n";
  }
  if (view.groups.empty()) {
    return html + "<p class=\"lede\">" +
           escape_html("No results of " + view.subject->name + " that count.") + "</p>\n";
  }
  html += "<dl class=\"lede\">\n";
  for (const auto& [question, answer] : answers(*view.subject, view.groups)) {
    html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", question, escape_html(answer));
  }
  return html + "</dl>\n";
}

std::string machines_html(const std::vector<View>& views) {
  std::string html =
      "<section id=\"machines\" aria-labelledby=\"machines-h\">"
      "<h2 id=\"machines-h\">Machines and commands</h2>\n";
  for (const View& view : views) {
    const Subject& subject = *view.subject;
    html += "<h3>" + escape_html(subject.name) + "</h3>\n<dl>";
    for (const auto& [name, value] : subject.facts) {
      html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_html(name), escape_html(value));
    }
    html += "</dl>\n";
    if (!subject.drawing.empty()) {
      html += "<details><summary>The memory hierarchy</summary><pre>" +
              escape_html(subject.drawing) + "</pre></details>\n";
    }
    std::string commands;
    for (const std::string& command : subject.commands) {
      commands += escape_html(command) + "\n";
    }
    html += commands.empty() ? "" : "<pre>" + commands + "</pre>\n";
  }
  return html + "</section>\n";
}

// The pictures of all subjects' groups, and which groups they are.
std::string pictures_html(const std::vector<View>& views, std::vector<Pictured>& all) {
  std::string first;
  std::string more;
  for (size_t v = 0; v < views.size(); ++v) {
    for (const Group* group : pictured_groups(views[v])) {
      all.push_back({fmt::format("g{}-{}", v, all.size()), views[v].subject->name, group});
      std::string& where = first.empty() ? first : more;
      where += group_section(all.back(),
                             (views.size() > 1 ? all.back().machine + ": " : "") + group->title);
    }
  }
  if (first.empty()) {
    return "";
  }
  return "<div id=\"pictures\">\n" + first + "</div>\n" +
         (more.empty() ? ""
                       : fmt::format("<details class=\"more-groups\"><summary>{} more kinds of "
                                     "problem</summary>\n{}</details>\n",
                                     all.size() - 1, more));
}

}  // namespace

std::string page_html(const std::vector<Subject>& subjects) {
  const std::vector<View> views = views_of(subjects);
  const std::string title = title_of(subjects);
  std::string html = head(title) + "<header><h1>" + escape_html(title) + "</h1>\n";
  for (const View& view : views) {
    html += lede(view, views.size() == 1);
  }
  html +=
      "<nav aria-label=\"Parts of this page\"><ul><li><a href=\"#results\">Results</a></li>"
      "<li><a href=\"#sure\">How sure</a></li><li><a href=\"#points\">All points</a></li>"
      "<li><a href=\"#machines\">Machines and commands</a></li></ul></nav></header>\n"
      "<main id=\"main\">\n";
  html += views.size() > 1 ? comparison(views) : "";
  std::vector<Pictured> pictured;
  html += "<section id=\"results\" aria-label=\"Results\">\n" + pictures_html(views, pictured);
  if (pictured.empty() && views.size() == 1) {
    html += gains_html("gains", {&views.front()});
  }
  html += "</section>\n<section id=\"sure\" aria-label=\"How sure\">\n";
  for (size_t v = 0; v < views.size(); ++v) {
    html += views.size() > 1 ? "<h2>" + escape_html(views[v].subject->name) + "</h2>\n" : "";
    html += sure_html(fmt::format("sure-{}", v), views[v]);
  }
  html +=
      "</section>\n<section id=\"points\" aria-labelledby=\"points-h\">"
      "<h2 id=\"points-h\">All points</h2>\n" +
      points_table(subjects) + "</section>\n" + machines_html(views);
  html +=
      "</main>\n<footer><p class=\"soft\">Written by presort. Charts: uPlot 1.6.32, "
      "MIT licence.</p></footer>\n";
  html += "<script type=\"application/json\" id=\"presort-data\">" + script_data(pictured) +
          "</script>\n<!--\nuPlot 1.6.32\n" + std::string(kUplotLicence) + "\n-->\n<script>\n" +
          std::string(kUplotJs) + "\n</script>\n<script>\n" + std::string(kPageJs) +
          "\n</script>\n";
  return html + "</body></html>\n";
}

}  // namespace presort::app::page
