// Tests of report pages: what they say, that texts of files cannot add markup, and that a page made
// from a validation's points is the one made from its result lines.
#include "presort/app/page/page.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>

#include "presort/app/page/chart.h"
#include "presort/app/page/from/from_lines.h"
#include "presort/app/page/from/from_points.h"
#include "presort/app/page/groups.h"
#include "presort/app/page/headline.h"
#include "presort/app/page/page_script.h"
#include "presort/app/page/pictures.h"
#include "presort/app/page/time_words.h"
#include "presort/app/validate/report/result_files.h"
#include "presort/core/error.h"
#include "presort/gpu/plan/bundled_gpus.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/io/json/json_object.h"
#include "tests/app/page/subjects.h"
#include "tests/app/validate/validation_fixture.h"

namespace page_test {

namespace {

Machine a_machine() {
  Machine machine;
  machine.name = "a-machine";
  machine.clock_hz = 3e9;
  machine.memory.bandwidth = 2e10;
  machine.memory.per_core_bandwidth = 1e10;
  return machine;
}

}  // namespace

TEST_CASE("the plans that a file marks are taken, whatever is predicted") {
  Subject subject = a_subject();
  subject.results[0].direct = true;
  subject.results[1].tuned = true;
  const std::vector<Group> groups = groups_of(subject);
  CHECK(groups[0].rows[0].tuned->presorted);
}

TEST_CASE("without predictions the fastest plans are taken, as measured") {
  Subject subject = a_subject();
  for (Result& result : subject.results) {
    result.forecast.reset();
  }
  const std::vector<Group> groups = groups_of(subject);
  CHECK_FALSE(groups[0].predicted);
  CHECK(groups[0].rows[2].tuned->presorted);
  CHECK(groups[0].crossover.measured == 1 << 22);
  CHECK(contains(headline(subject, groups), "without predictions"));
  CHECK(contains(page_html({subject}), "do not say what their time was spent on"));
}

TEST_CASE("the page goes from headline over picture, why, ceilings and errors to all points") {
  const std::string html = page_html({a_subject()});
  size_t last = 0;
  for (const char* part :
       {"<header>", "class=\"lede\"", "<main", "figure class=\"times\"", "<h3>Why</h3>",
        "How near to the ceilings</h3>", "How sure</h3>", "All points</h2>",
        "Machines and commands</h2>", "<footer>", "id=\"presort-data\""}) {
    const size_t at = html.find(part, last);
    CHECK_MESSAGE(at != std::string::npos, part);
    last = at == std::string::npos ? last : at;
  }
  CHECK(count(html, "<tr>") == 7);  // a head and six points
  CHECK(contains(html, "75.0 % waits for memory"));
  Subject phased = a_subject();
  for (Result& result : phased.results) {
    result.forecast->phases = {{"partition 1", 1}, {"drain 1", 0.0049}, {"reduce", 3}};
  }
  CHECK(contains(page_html({phased}),
                 "Its phases take, ns an input: 1.00 partition 1, 3.00 reduce."));
  CHECK(contains(html, "moves 40.0 bytes an input between the caches and memory"));
}

TEST_CASE("the page fetches nothing") {
  const std::string html = page_html({a_subject()});
  for (const char* part : {" src=", "<link", "@import", "url(", "<iframe", "<img", "fetch(",
                           "XMLHttpRequest", "import("}) {
    CHECK_MESSAGE(!contains(html, part), part);
  }
  CHECK(contains(html, "default-src 'none'"));
}

TEST_CASE("parts of the page can be found without eyes: landmarks, headers, names of pictures") {
  const std::string html = page_html({a_subject()});
  for (const char* part : {"<html lang=\"en\">", "<main id=\"main\">",
                           "<nav aria-label=", "<caption>", "class=\"skip\""}) {
    CHECK_MESSAGE(contains(html, part), part);
  }
  CHECK(count(html, "<svg") == count(html, "role=\"img\" aria-labelledby="));
  CHECK(count(html, "<th ") == count(html, "<th scope="));
  // No id twice
  std::set<std::string> ids;
  for (size_t at = html.find(" id=\""); at != std::string::npos; at = html.find(" id=\"", at + 1)) {
    const size_t end = html.find('"', at + 5);
    CHECK_MESSAGE(ids.insert(html.substr(at + 5, end - at - 5)).second, html.substr(at, end - at));
  }
}

TEST_CASE("hostile texts stay texts, in the page as in the script's data") {
  const std::string hostile =
      "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&amp;\x01\x1b[31m"
      "\xe2\x80\xae"
      "evil\xff-->";
  Subject subject = a_subject();
  const std::string clean = page_html({subject});
  subject.name = hostile;
  subject.facts = {{hostile, hostile}};
  subject.commands = {hostile};
  subject.warning = hostile;
  subject.drawing = hostile;
  for (Result& result : subject.results) {
    result.labels = hostile;
    result.types = hostile;
    result.operation = hostile;
    result.plan = hostile;
    result.plan_words = hostile;
    result.forecast->stack.emplace_back(hostile, 1.0);
    result.forecast->phases.emplace_back(hostile, 1.0);
  }
  for (const std::string& html : {page_html({subject}), page_html({subject, a_subject()})}) {
    CHECK(count(html, "<script") == count(clean, "<script"));
    CHECK(count(html, "</script") == count(clean, "</script"));
    CHECK(count(html, "<!--") == count(clean, "<!--"));
    CHECK(count(html, "<img") == 0);
    CHECK_FALSE(contains(html, "\xe2\x80\xae"));
    CHECK_FALSE(contains(html, "\x1b"));
    CHECK_FALSE(contains(html, "\xff"));
    CHECK_FALSE(contains(html, "\x01"));
  }
  const std::vector<Group> groups = groups_of(subject);
  const std::string data = script_data({{"g0-0", hostile, &groups[0]}});
  for (const char c : {'<', '>', '&'}) {
    CHECK(data.find(c) == std::string::npos);
  }
  CHECK(std::all_of(data.begin(), data.end(),
                    [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
  const io::Json json = io::Json::parse(data);
  CHECK(json["groups"][0]["rows"].size() == 3);
  CHECK(contains(json["groups"][0]["machine"].get<std::string>(), "</script>"));
}

TEST_CASE("a page of nothing, of one point, and of points with one m") {
  Subject nothing;
  nothing.name = "empty";
  CHECK(contains(page_html({nothing}), "No results of empty that count."));
  CHECK(contains(page_html({}), "<main"));
  Subject one = a_subject();
  one.results.resize(1);
  CHECK(contains(page_html({one}), "1 measured point;"));
  Subject dropped = a_subject();
  for (Result& result : dropped.results) {
    result.dropped = true;
  }
  CHECK(contains(page_html({dropped}), "No results of a-machine that count."));
}

TEST_CASE("several machines stand side by side, then each for itself") {
  Subject other = a_subject();
  other.name = "b-machine";
  const std::string html = page_html({a_subject(), other});
  CHECK(contains(html, "presort on 2 machines"));
  CHECK(contains(html, "Side by side"));
  CHECK(contains(html, "scope=\"row\" class=\"text\">b-machine"));
  CHECK(count(html, "<dl class=\"lede\">") == 2);
  CHECK(count(html, "<h2 class=\"machine\">") == 2);
  CHECK(count(html, "<dt>From where on?</dt>") == 2);
  CHECK(contains(html, "b-machine: multireduce"));
}

TEST_CASE("coordinates of charts are finite and inside the picture, for random results") {
  std::mt19937 random(std::random_device{}());
  std::uniform_real_distribution<double> exponent(-4, 5);
  for (int round = 0; round < 50; ++round) {
    Subject subject;
    subject.name = "random";
    const int rows = 1 + static_cast<int>(random() % 6);
    for (int i = 0; i < rows; ++i) {
      const uint64_t m = 1 + random() % (uint64_t{1} << (1 + random() % 40));
      subject.results.push_back(a_result(m, random() % 2 == 0, std::pow(10, exponent(random)),
                                         std::pow(10, exponent(random))));
    }
    const std::vector<Group> groups = groups_of(subject);
    for (const std::string& picture :
         {times_picture("t", groups[0]), stacks_picture("s", groups[0]),
          roofline_picture("r", groups[0]), accuracy_picture("a", subject)}) {
      CHECK_FALSE(contains(picture, "nan"));
      CHECK_FALSE(contains(picture, "inf\""));
      for (const char* key : {" cx=\"", " cy=\""}) {
        for (size_t at = picture.find(key); at != std::string::npos;
             at = picture.find(key, at + 1)) {
          const double place = std::stod(picture.substr(at + 5, 12));
          CHECK(place >= 0);
          CHECK(place <= 900);
        }
      }
    }
  }
}

TEST_CASE("a logarithmic axis has ticks at 1, 2 and 5, or at the ends of what it holds") {
  const auto labels = [](const std::vector<double>& values) {
    std::vector<std::string> all;
    for (const Tick& tick : log_axis("ns", values).ticks) {
      all.push_back(tick.label);
    }
    return all;
  };
  CHECK(labels({1, 10}) == std::vector<std::string>{"1", "2", "5", "10"});
  CHECK(labels({3, 4}) == std::vector<std::string>{"3", "4"});
  CHECK(labels({3}) == std::vector<std::string>{"3"});
  CHECK(labels({1e-5, 1e5}).size() == 11);
}

TEST_CASE("points of a validation and its result lines make the same results") {
  std::vector<ProblemPoints> all;
  for (const int bits : {10, 16, 22}) {
    ProblemPoints item =
        make_problem(uint64_t{1} << bits,
                     {make_point("sortBits=0", bits, bits + 1), make_point("sortBits=8", 5, 4)});
    item.tuned = bits == 22 ? 1 : 0;
    for (Point& point : item.points) {
      point.prediction.phases = {{"reduce", 1.5, {}, PhaseKind::update}};
      point.prediction.levels = {{.name = "L1d"}, {.name = "L2", .bytes_in = 640, .bytes_out = 64}};
      point.prediction.simulated_inputs = 16;
    }
    all.push_back(item);
  }
  all[1].points[1].dropped = true;
  const Subject direct = subject_of(all, a_machine());
  const std::string lines = result_lines(all, a_machine(), true);
  const std::vector<Subject> read =
      subjects_of({{"result.jsonl", io::parse_report_lines(lines, "result.jsonl")}}, {});
  REQUIRE(read.size() == 1);
  CHECK(read[0].name == direct.name);
  REQUIRE(read[0].results.size() == direct.results.size());
  for (size_t i = 0; i < direct.results.size(); ++i) {
    const Result& a = direct.results[i];
    const Result& b = read[0].results[i];
    CHECK(a.operation == b.operation);
    CHECK(a.labels == b.labels);
    CHECK(a.plan == b.plan);
    CHECK(a.m == b.m);
    CHECK(a.tuned == b.tuned);
    CHECK(a.direct == b.direct);
    CHECK(a.dropped == b.dropped);
    CHECK(a.samples == b.samples);
    CHECK(a.ceiling == b.ceiling);
    CHECK(a.least_bytes == b.least_bytes);
    REQUIRE(b.forecast.has_value());
    CHECK(a.forecast->ns == b.forecast->ns);
    CHECK(a.forecast->low == b.forecast->low);
    CHECK(a.forecast->high == b.forecast->high);
    CHECK(a.forecast->stack == b.forecast->stack);
    CHECK(a.forecast->phases == b.forecast->phases);
    CHECK(a.forecast->memory_bytes == b.forecast->memory_bytes);
    CHECK(b.forecast->memory_bytes == doctest::Approx(44));  // (640 + 64) / 16
  }
  CHECK(direct.results[0].ceiling == 1e10);
}

TEST_CASE("two machines of one name, which presort probe gives to all, stay two") {
  const std::vector<ProblemPoints> all = {
      make_problem(1 << 16, {make_point("sortBits=0", 4, 5), make_point("sortBits=8", 5, 4)})};
  Machine laptop = a_machine();
  Machine server = a_machine();
  server.cores = laptop.cores + 30;
  const auto file = [&](const Machine& machine, const char* path) {
    return LineFile{path, io::parse_report_lines(result_lines(all, machine, true), path)};
  };
  const std::vector<Subject> read = subjects_of(
      {file(laptop, "laptop.jsonl"), file(server, "server.jsonl"), file(laptop, "again.jsonl")},
      {});
  REQUIRE(read.size() == 2);
  CHECK(read[0].name == laptop.name + " (1)");
  CHECK(read[1].name == laptop.name + " (2)");
  CHECK(read[0].results.size() == 2 * read[1].results.size());
  const std::string html = page_html(read);
  CHECK(contains(html, ">" + laptop.name + " (2)</h2>"));
}

TEST_CASE("lines of GPU plans become results of a GPU") {
  const std::string line =
      R"({"n": 4096, "m": 16, "labels": "uniform", "type": "u64", "chosen": "sortBits=0,strategy=globalSets,rangePasses=1,nSets=1", )"
      R"("plans": {"sortBits=0,strategy=globalSets,rangePasses=1,nSets=1": 2.5, "sortBits=4,passes=1,strategy=sharedSets,rangePasses=1,nSets=1": 0.01}, )"
      R"("predicted": {"sortBits=0,strategy=globalSets,rangePasses=1,nSets=1": 2}})";
  Machine machine = a_machine();
  machine.gpu.emplace();
  machine.gpu->name = "a GPU";
  machine.gpu->copy_bandwidth = 3e12;
  const std::vector<Subject> found =
      subjects_of({{"gpu.jsonl", io::parse_report_lines(line + "\n", "gpu.jsonl")}}, machine);
  REQUIRE(found.size() == 1);
  CHECK(found[0].device == Device::gpu);
  CHECK(found[0].name == "a GPU");
  REQUIRE(found[0].results.size() == 2);
  CHECK(found[0].results[0].tuned);
  CHECK(found[0].results[0].forecast->ns == 2);
  CHECK(found[0].results[1].presorted);
  CHECK_FALSE(found[0].results[1].forecast.has_value());
  CHECK(found[0].results[1].measured() == 0.01);
  CHECK(found[0].results[0].ceiling == 3e12);
  CHECK(found[0].results[0].least_bytes == 12.0625);  // 4 + 8 + 2 · 16 buckets · 8 / 4096
  const auto named = [&](const std::string& text) {
    return subjects_of({{"gpu.jsonl", io::parse_report_lines(text + "\n", "gpu.jsonl")}}, {});
  };
  CHECK(named(line).at(0).name == "gpu.jsonl");
  CHECK(named(line).at(0).commands.empty());
  const Subject said = named(R"({"machine": "h200", )" + line.substr(1)).at(0);
  CHECK(said.name == "h200");
  CHECK(said.commands == std::vector<std::string>{
                             "presort validate --device gpu -m h200 --replay gpu.jsonl -o again"});
}

TEST_CASE("GPU lines of a known GPU say what their time is spent on, by the closed form") {
  Machine machine = a_machine();
  machine.gpu = gpu::bundled_gpus().front();
  const auto results_of = [&](const std::string& predicted, const char* operation = "multireduce",
                              const std::string& labels = "uniform") {
    const std::string line =
        R"({"op": ")" + std::string(operation) +
        R"(", "types": "u32+u32", "n": 16777216, "m": 4194304, "labels": ")" + labels +
        R"(", "plans": {"sortBits=0,strategy=globalSets,rangePasses=1,nSets=1": 0.02, "sortBits=8,passes=1,strategy=sharedSets,rangePasses=1,nSets=1": 0.01})" +
        predicted + "}";
    return subjects_of({{"gpu.jsonl", io::parse_report_lines(line + "\n", "gpu.jsonl")}}, machine)
        .at(0)
        .results;
  };
  const std::vector<Result> unsaid = results_of("");
  REQUIRE(unsaid.size() == 2);
  const Problem problem = {.operation = Operation::multireduce,
                           .n = 1 << 24,
                           .m = 1 << 22,
                           .distribution = {},
                           .types = {}};
  for (const Result& result : unsaid) {
    CAPTURE(result.plan);
    REQUIRE(result.forecast.has_value());
    const gpu::PlanTime time = gpu::plan_time(*machine.gpu, problem, parse_gpu_plan(result.plan));
    CHECK(result.forecast->ns == time.ns_per_input);
    // Oracle: each resource has the time of the phases that it bounds
    double sum = 0;
    for (const auto& [term, ns] : result.forecast->stack) {
      double of_phases = 0;
      for (const gpu::GpuPhase& phase : time.phases) {
        of_phases += phase.bound == term ? phase.ns_per_input : 0;
      }
      CHECK(ns == doctest::Approx(of_phases));
      sum += ns;
    }
    CHECK(sum == doctest::Approx(result.forecast->ns));
    CHECK(result.forecast->phases.size() == time.phases.size());
  }
  CHECK(unsaid[1].forecast->phases.size() > 1);
  const std::string page = page_html(subjects_of(
      {{"gpu.jsonl",
        io::parse_report_lines(
            R"({"op": "multireduce", "types": "u32+u32", "n": 16777216, "m": 256, "plans": {"sortBits=0,strategy=sharedSets,rangePasses=1,nSets=1": 0.002}})"
            "\n",
            "gpu.jsonl")}},
      machine));
  CHECK(contains(page, "<td data-v=\"0.002\">0.002</td>"));
  CHECK(ns_words(0.00174) == "0.00174");
  CHECK(ns_words(0.1) == "0.10");
  CHECK(ns_words(0) == "0.00");

  // A recorded prediction stays; it has the terms only if the closed form still comes to it
  const auto predicted = [&](double factor) {
    return fmt::format(R"(, "predicted": {{"{}": {:.9g}}})", unsaid[0].plan,
                       factor * unsaid[0].forecast->ns);
  };
  const std::vector<Result> near = results_of(predicted(1.04));
  CHECK(near[0].forecast->stack == unsaid[0].forecast->stack);
  const std::vector<Result> far = results_of(predicted(1.2));
  CHECK(far[0].forecast->ns == doctest::Approx(1.2 * unsaid[0].forecast->ns));
  CHECK(far[0].forecast->stack.empty());
  // Words that name no problem of a GPU: nothing is said
  CHECK_FALSE(results_of("", "no operation")[0].forecast.has_value());
  CHECK_FALSE(results_of("", "partialSort")[0].forecast.has_value());
  // A draw's name of labels without its parameters: as uniform ones
  CHECK(results_of("", "multireduce", "cells")[0].forecast->ns == unsaid[0].forecast->ns);
}

}  // namespace page_test
