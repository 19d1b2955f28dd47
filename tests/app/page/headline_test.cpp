// The headline of report pages, and the answers at their top.
#include "presort/app/page/headline.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "presort/app/page/groups.h"
#include "presort/app/page/page.h"
#include "tests/app/page/subjects.h"

namespace page_test {

namespace {

// The subject's problems a second time, as scatters, of which a pre-sort takes `presorted` ns.
void add_scatters(Subject& subject, double presorted) {
  const std::vector<Result> before = subject.results;
  for (Result result : before) {
    result.operation = "scatter";
    if (result.presorted) {
      result.samples.assign(4, presorted);
    }
    subject.results.push_back(result);
  }
}

// Words of HTML up to a position: without elements, scripts and styles.
size_t words_before(const std::string& html, size_t end) {
  size_t words = 0;
  bool in_word = false;
  for (size_t at = html.find("<body"); at < end; ++at) {
    if (html[at] == '<') {
      const bool is_hidden =
          html.compare(at, 7, "<script") == 0 || html.compare(at, 6, "<style") == 0;
      at = html.find('>', is_hidden ? html.find("</s", at) : at);
      in_word = false;
      continue;
    }
    const bool is_letter = std::isspace(static_cast<unsigned char>(html[at])) == 0;
    words += is_letter && !in_word ? 1 : 0;
    in_word = is_letter;
  }
  return words;
}

}  // namespace

TEST_CASE("with several kinds of problem the answer says how many it pays for") {
  for (const auto& [presorted, words] :
       {std::pair{4.0, "all 2 kinds"}, {40.0, "1 of the 2 kinds"}}) {
    Subject subject = a_subject();
    add_scatters(subject, presorted);
    const std::vector<Group> groups = groups_of(subject);
    const std::string sentence =
        fmt::format("With many buckets it pays for {} of problem that were measured.", words);
    CHECK(answers(subject, groups).front().answer == "Yes, up to 4.0 times as fast. " + sentence);
    const std::string text = headline(subject, groups);
    CHECK(contains(text, " (for multireduce n=2^20 uniform u32+u32); 12 points, "));
    CHECK(text.ends_with(sentence));
  }
}

TEST_CASE("a few disturbed runs among many are said in words") {
  Subject subject = a_subject();
  for (Result& result : subject.results) {
    result.samples.assign(200, result.samples.front());
    result.quiet = 200;
  }
  const auto words = [&] { return quiet_words(subject, accuracy_of(subject)); };
  CHECK(words() == "quiet");
  subject.results.front().quiet = 199;
  CHECK(words() == "nearly all runs quiet");
  subject.results.front().quiet = 100;
  CHECK(words() == "91.7 % of the runs quiet");
}

TEST_CASE("the three answers stand within the first 100 words of a page") {
  Subject subject = a_subject();
  add_scatters(subject, 40);
  const std::string html = page_html({subject});
  const size_t end = html.find("within their 80 % interval; all runs quiet.");
  REQUIRE(end != std::string::npos);
  const size_t words = words_before(html, end);
  CHECK(words > 40);
  CHECK(words <= 100);
  CHECK(end < html.find("<main"));
}

TEST_CASE("the headline says from where on a pre-sort pays, and by how much") {
  const Subject subject = a_subject();
  const std::string text = headline(subject, groups_of(subject));
  CHECK(text ==
        "On a-machine pre-sorting pays from m = 2^22 on, up to 4.0 times as fast; predicted: 2^16; "
        "6 points, median error 5.0 %; quiet.");
}

TEST_CASE(
    "a headline of drawn problems, no two of which differ in m alone, counts those that gain") {
  Subject subject = a_subject();
  for (Result& result : subject.results) {
    result.n = result.m;
  }
  const std::string text = headline(subject, groups_of(subject));
  CHECK(text ==
        "On a-machine pre-sorting pays for 1 of 3 problems, up to 4.0 times as fast; 6 points, "
        "median error 5.0 %; quiet.");
}

TEST_CASE("a headline of one kind of plans says nothing on pre-sorting") {
  Subject subject = a_subject();
  std::erase_if(subject.results, [](const Result& result) { return result.presorted; });
  CHECK(contains(headline(subject, groups_of(subject)), "nothing is said on pre-sorting"));
}

TEST_CASE("a page of one machine answers whether, from where on, and how sure") {
  Subject subject = a_subject();
  const auto texts = [&] {
    std::vector<std::string> all;
    for (const Answer& answer : answers(subject, groups_of(subject))) {
      all.push_back(answer.answer);
    }
    return all;
  };
  CHECK(texts() == std::vector<std::string>{
                       "Yes, up to 4.0 times as fast.",
                       "From m = 2^22 buckets on, as measured; predicted: 2^16. That is for "
                       "multireduce n=2^20 uniform u32+u32.",
                       "6 measured points; half of the predictions are less than 5.0 % off, 6 of 6 "
                       "within their 80 % interval; all runs quiet."});
  const std::string html = page_html({subject});
  CHECK(count(html, "<dl class=\"lede\">") == 1);
  CHECK(contains(html, "<dt>How sure is that?</dt><dd>6 measured points"));
  for (Result& result : subject.results) {
    result.forecast.reset();
    result.n = result.m;
  }
  subject.complete = false;
  CHECK(texts()[0] == "Sometimes: for 1 of 3 problems, up to 4.0 times as fast.");
  CHECK(texts()[1] == "The one problem that gains has 2^22 buckets.");
  CHECK(texts()[2].ends_with("without predictions; all runs quiet; interrupted."));
  for (Result& result : subject.results) {
    result.presorted = false;
  }
  CHECK(texts()[0].starts_with("Not known"));
  CHECK(texts()[1].starts_with("Not known"));
}

TEST_CASE("a gain with middling numbers of buckets alone is no yes, and no crossover is named") {
  Subject subject = a_subject();
  for (Result& result : subject.results) {
    const double direct = result.m == 1 << 16 ? 4.8 : 2;
    result.samples.assign(4, result.presorted ? 4 : direct);
    result.tuned = result.m == 1 << 16 ? result.presorted : !result.presorted;
  }
  std::vector<Group> groups = groups_of(subject);
  CHECK(answers(subject, groups)[0].answer ==
        "Hardly: for 1 of 3 problems, up to 1.2 times as fast.");
  CHECK(answers(subject, groups)[1].answer.starts_with("Nowhere in this range for multireduce"));
  CHECK(contains(headline(subject, groups), "pays for 1 of 3 problems, up to 1.2 times"));
  const std::vector<Result> before = subject.results;
  for (Result result : before) {
    result.operation = "scatter";
    subject.results.push_back(result);
  }
  groups = groups_of(subject);
  CHECK(
      answers(subject, groups)[0].answer ==
      "Hardly: for 2 of 6 problems, up to 1.2 times as fast. With many buckets it pays for none of "
      "the 2 kinds of problem that were measured.");
}

TEST_CASE("a kind that does not pay, shown first, does not hide where others begin to") {
  Subject subject = a_subject();
  add_scatters(subject, 4);
  for (Result& result : subject.results) {
    if (result.operation == "multireduce" && result.presorted) {
      result.samples.assign(4, 40);
    }
  }
  const std::vector<Group> groups = groups_of(subject);
  CHECK(answers(subject, groups)[0].answer.starts_with("Yes, up to 4.0 times as fast. "));
  CHECK(
      answers(subject, groups)[1].answer ==
      "From m = 2^22 buckets on for 1 of 2 kinds of problem. Nowhere in this range for multireduce "
      "n=2^20 uniform u32+u32, as measured; predicted: 2^16.");
}

TEST_CASE("of drawn problems the answer names the buckets of those that gain") {
  Subject subject;
  subject.name = "a-machine";
  const auto draw = [&subject](uint64_t n, int bits, double direct) {
    for (const bool presorted : {false, true}) {
      Result result =
          a_result(uint64_t{1} << bits, presorted, presorted ? 4 : direct, presorted ? 4 : direct);
      result.n = n;
      subject.results.push_back(result);
    }
  };
  draw(1001, 4, 1);
  draw(1002, 10, 5);
  draw(1003, 20, 8);
  draw(1004, 21, 2);
  draw(1005, 22, 6);
  const auto answer = [&](size_t which) {
    return answers(subject, groups_of(subject))[which].answer;
  };
  CHECK(answer(0) == "Yes, for 3 of 5 problems, up to 2.0 times as fast.");
  CHECK(answer(1) ==
        "Problems that gain have between 2^10 and 2^22 buckets. Of all problems with 2^20 or more, "
        "2 of 3 "
        "gain.");
  for (Result& result : subject.results) {
    result.samples.assign(4, result.presorted ? 40 : 1);
    result.forecast.reset();
  }
  CHECK(answer(0) == "No, for none of 5 problems.");
  CHECK(answer(1) == "Nowhere among these problems.");
}

TEST_CASE(
    "groups: one for each operation, n, labels and types; rows by m; dropped points left out") {
  Subject subject = a_subject();
  subject.results.push_back(a_result(64, false, 1, 1));
  subject.results.back().labels = "zipf:1";
  subject.results.push_back(a_result(1 << 23, false, 1, 1));
  subject.results.back().dropped = true;
  const std::vector<Group> groups = groups_of(subject);
  REQUIRE(groups.size() == 2);
  REQUIRE(groups[0].rows.size() == 3);
  CHECK(groups[0].rows[0].m == 1 << 10);
  CHECK_FALSE(groups[0].rows[0].tuned->presorted);
  CHECK(groups[0].rows[2].tuned->presorted);
  CHECK(groups[0].rows[2].gain() == doctest::Approx(4));
  CHECK(groups[0].most_gain()->m == 1 << 22);
  CHECK(main_group(groups) == 0);
  const Accuracy accuracy = accuracy_of(subject);
  CHECK(accuracy.results == 7);
  CHECK(accuracy.dropped == 1);
  CHECK(accuracy.inside == 7);
}

}  // namespace page_test
