#include "supervisor.h"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

namespace presort::inline v0::attack::supervisor_test {
namespace {

Limits short_limits() {
  Limits limits;
  limits.case_seconds = 0.5;
  limits.resident_bytes = uint64_t{256} << 20;
  return limits;
}

bool found(const Findings& findings, const std::string& verdict, uint64_t first) {
  for (const auto& [cause, known] : findings.causes) {
    if (cause.starts_with(verdict) && known.first == first) {
      return true;
    }
  }
  return false;
}

TEST_CASE("cases behind a crash, a hang and a lie are run, and each is a finding") {
  const Findings findings =
      run_cases(0, 100, 60, short_limits(), [](uint64_t number) -> std::string {
        if (number == 7) {
          std::signal(SIGABRT,
                      SIG_DFL);  // removes doctest's signal handler, so that a crash ends the child
          std::abort();
        }
        if (number == 20) {
          for (;;) {
            std::this_thread::sleep_for(std::chrono::seconds(1));
          }
        }
        if (number == 30) {
          std::exit(99);
        }
        return number % 10 == 9 ? "nonsense: 1 and 2" : "refused";
      });
  CHECK(findings.cases == 100);
  CHECK(findings.refused == 87);
  CHECK(found(findings, "signal", 7));
  CHECK(found(findings, "hang", 20));
  CHECK(found(findings, "sanitizer", 30));
  CHECK(found(findings, "nonsense", 9));
  CHECK(findings.causes.size() == 4);
  CHECK(findings.causes.at("nonsense: # and #").count == 10);
}

TEST_CASE("a case that takes too much memory is a finding, and the next child is small again") {
  Limits limits = short_limits();
  limits.case_seconds = 20;  // the first touch of so much memory may take a guest seconds
  const Findings findings = run_cases(0, 10, 60, limits, [](uint64_t number) -> std::string {
    if (number == 3) {
      const std::string block(size_t{300} << 20, 'x');
      return block[number] == 'x' ? "" : "nonsense: memory";
    }
    return "";
  });
  CHECK(findings.cases == 10);
  CHECK(found(findings, "memory", 3));
  CHECK(findings.causes.size() == 1);
}

TEST_CASE("no more time is spent than there is") {
  const Findings findings = run_cases(5, 1000000, 0.3, short_limits(), [](uint64_t) -> std::string {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return "";
  });
  CHECK(findings.cases > 0);
  CHECK(findings.cases < 100);
}

}  // namespace
}  // namespace presort::attack::supervisor_test
