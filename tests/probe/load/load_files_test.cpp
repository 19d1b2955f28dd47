#include "presort/probe/load/load_files.h"

#include <doctest/doctest.h>

#include <vector>

namespace load_files_test {

using namespace presort::probe;

namespace {

// Contents of /proc/stat on a two-core virtual machine with a third processor that the process may
// not use.
constexpr char kStat[] =
    "cpu  1700 40 600 7200 300 60 100 200 50 0\n"
    "cpu0 800 10 300 3600 100 30 60 100 20 0\n"
    "cpu1 900 30 300 3600 200 30 40 100 30 0\n"
    "cpu12 5 5 5 5 5 5 5 5 5 5\n"
    "intr 123 0 0\n"
    "ctxt 99\n";

}  // namespace

TEST_CASE("processors' times are those of the processors that are asked for") {
  const std::vector<int> both = {0, 1};
  const auto times = parse_processor_times(kStat, both, 100);
  REQUIRE(times.has_value());
  CHECK(times->processors == 2);
  CHECK(times->busy_s == doctest::Approx(12.0 + 13.0));
  CHECK(times->stolen_s == doctest::Approx(2));
  CHECK(times->total_s == doctest::Approx(50.0 + 52.0));
  const std::vector<int> second = {1};
  CHECK(parse_processor_times(kStat, second, 100)->processors == 1);
  CHECK(parse_processor_times(kStat, second, 50)->total_s == doctest::Approx(104));
}

TEST_CASE("times that a container hides are not known") {
  const std::vector<int> both = {0, 1};
  const std::vector<int> other = {7};
  CHECK_FALSE(parse_processor_times("", both, 100).has_value());
  CHECK_FALSE(parse_processor_times("cpu0 1 2 3\n", both, 100).has_value());
  CHECK_FALSE(parse_processor_times("cpu0 0 0 0 0 0 0 0 0\n", both, 100).has_value());
  CHECK_FALSE(parse_processor_times("cpu0 a b c d e f g h\n", both, 100).has_value());
  CHECK_FALSE(parse_processor_times(kStat, other, 100).has_value());
  CHECK_FALSE(parse_processor_times(kStat, {}, 100).has_value());
}

TEST_CASE("all processors of the system are counted, the line of their sum is none") {
  CHECK(count_processors(kStat) == 3);
  CHECK(count_processors("") == 0);
  CHECK(count_processors("cpu  1 2 3 4 5 6 7 8\ncpufreq 1 2 3 4 5 6 7 8\n") == 0);
}

TEST_CASE("pressure is that of some thread") {
  const auto pressure = parse_pressure(
      "some avg10=53.58 avg60=52.38 avg300=40.33 total=233436895\n"
      "full avg10=1.00 avg60=0.00 avg300=0.00 total=7\n");
  REQUIRE(pressure.has_value());
  CHECK(pressure->recent_part == doctest::Approx(0.5358));
  CHECK(pressure->total_s == doctest::Approx(233.436895));
}

TEST_CASE("what is no pressure is not known") {
  for (const char* text :
       {"", "full avg10=1.00 avg60=0.00 avg300=0.00 total=7\n",
        "some avg10=nan avg60=0 avg300=0 total=7\n", "some avg10=1.00 avg60=0 avg300=0\n",
        "some avg10= total=\n", "some avg10=-1 avg60=0 avg300=0 total=7\n"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_pressure(text).has_value());
  }
}

TEST_CASE("threads that run or are ready to") {
  CHECK(parse_runnable("3.04 2.39 1.20 5/109 12431\n") == 5);
  CHECK(parse_runnable("0.00 0.00 0.00 1/80 9\n") == 1);
  for (const char* text :
       {"", "3.04 2.39", "3.04 2.39 1.20 x/109 1", "1 1 1 5 109", "1 1 1 -5/9"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_runnable(text).has_value());
  }
}

TEST_CASE("time in which a thread waited for a processor") {
  CHECK(*parse_waited_s("1500000000 250000000 77\n") == doctest::Approx(0.25));
  CHECK(*parse_waited_s("0 2980776 1\n") == doctest::Approx(0.002980776));
  for (const char* text : {"", "0 0 0\n", "12 13", "a b c"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_waited_s(text).has_value());
  }
}

TEST_CASE("the control group of version 2") {
  CHECK(parse_group("4:memory:/one\n0::/two/three\n") == "/two/three");
  CHECK(parse_group("0::/\n") == "/");
  CHECK_FALSE(parse_group("4:memory:/one\n").has_value());
  CHECK_FALSE(parse_group("").has_value());
}

}  // namespace load_files_test
