#include "presort/app/doctor/findings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "presort/app/doctor/host_state.h"

namespace presort::inline v0::doctor_test {
namespace {

using app::Finding;
using app::HostState;
using app::Verdict;

// A machine on which nothing limits anything.
HostState good_host() {
  HostState host;
  host.cpu.name = "Processor X";
  host.core = "zen4";
  host.topology.cores = 2;
  host.limits.cores = 2;
  host.free_memory_bytes = uint64_t{16} << 30;
  host.huge_pages = true;
  host.huge_page_setting = "madvise";
  host.counters = true;
  host.gpu = Gpu{.name = "GPU Y", .architecture = "sm_90"};
  host.gnuplot = "/usr/bin/gnuplot";
  host.data = "/usr/share/presort";
  host.file = app::FileState{.name = "machine.yaml"};
  return host;
}

Finding finding_of(const HostState& host, const std::string& subject) {
  for (const Finding& finding : app::findings_of(host)) {
    if (finding.subject == subject) {
      return finding;
    }
  }
  FAIL("no finding of " << subject);
  return {};
}

}  // namespace

TEST_CASE("doctor: nothing limits a machine that has all") {
  const std::vector<Finding> findings = app::findings_of(good_host());
  CHECK(findings.size() == 11);
  for (const Finding& finding : findings) {
    CHECK_MESSAGE(finding.verdict == Verdict::good, finding.subject);
    CHECK(finding.effect.empty());
    CHECK(finding.remedy.empty());
  }
  CHECK(app::findings_text(findings).find("\n11 good.\n") != std::string::npos);
}

TEST_CASE("doctor: each thing that is wrong is found, and no other") {
  struct Wrong {
    const char* subject;
    Verdict verdict;
    std::function<void(HostState&)> make;
    const char* found;  // a part of the finding's text
  };
  const Wrong cases[] = {
      {"processor", Verdict::limited, [](HostState& host) { host.is_core_known = false; }, "zen4"},
      {"cores", Verdict::limited, [](HostState& host) { host.limits.cpu_quota = 0.5; }, "0.5"},
      {"cores", Verdict::limited, [](HostState& host) { host.limits.may_pin = false; }, "pinned"},
      {"cores", Verdict::limited,
       [](HostState& host) { host.topology.warnings = {"L2 without a size"}; }, "2 cores"},
      {"memory", Verdict::limited, [](HostState& host) { host.free_memory_bytes = 1 << 30; },
       "1.0 GiB"},
      {"huge pages", Verdict::missing, [](HostState& host) { host.huge_pages = false; }, "4 KiB"},
      {"huge pages", Verdict::limited, [](HostState& host) { host.huge_pages.reset(); },
       "not tried"},
      {"counters", Verdict::limited, [](HostState& host) { host.counters = false; }, "no hardware"},
      {"load", Verdict::limited,
       [](HostState& host) {
         host.load = {.busyness = probe::Busyness::shared, .reasons = {"a neighbour"}};
       },
       "shared: a neighbour"},
      {"load", Verdict::wrong,
       [](HostState& host) {
         host.load = {.busyness = probe::Busyness::tooBusy, .reasons = {"two neighbours"}};
       },
       "too busy: two neighbours"},
      {"GPU", Verdict::missing,
       [](HostState& host) {
         host.gpu.reset();
         host.no_gpu = "no device";
       },
       "no device"},
      {"data", Verdict::missing, [](HostState& host) { host.data.reset(); }, "no folder"},
      {"plots", Verdict::missing, [](HostState& host) { host.gnuplot.reset(); }, "gnuplot"},
      {"build", Verdict::wrong, [](HostState& host) { host.is_optimised = false; }, "without"},
      {"machine file", Verdict::wrong,
       [](HostState& host) { host.file->difference.hard = {"L2.size: other"}; }, "L2.size"},
      {"machine file", Verdict::limited,
       [](HostState& host) { host.file->difference.soft = {"clock: other"}; }, "clock"},
      {"machine file", Verdict::limited,
       [](HostState& host) { host.file->disturbed_probe = "load: too_busy"; }, "too_busy"},
  };
  for (const Wrong& wrong : cases) {
    HostState host = good_host();
    wrong.make(host);
    const Finding finding = finding_of(host, wrong.subject);
    CHECK_MESSAGE(finding.verdict == wrong.verdict, wrong.subject << " " << wrong.found);
    CHECK_MESSAGE(finding.found.find(wrong.found) != std::string::npos, finding.found);
    CHECK_FALSE(finding.effect.empty());
    const std::vector<Finding> all = app::findings_of(host);
    CHECK(std::count_if(all.begin(), all.end(),
                        [](const Finding& other) { return other.verdict != Verdict::good; }) == 1);
  }
}

TEST_CASE("doctor: a quota of all cores' time limits nothing") {
  HostState host = good_host();
  host.limits.cpu_quota = 2;
  CHECK(finding_of(host, "cores").verdict == Verdict::good);
}

TEST_CASE("doctor: the setting never has a remedy of its own") {
  HostState host = good_host();
  host.huge_pages = false;
  host.huge_page_setting = "never";
  CHECK(finding_of(host, "huge pages").remedy.find("madvise") != std::string::npos);
}

TEST_CASE("doctor: names that users choose cannot move the cursor") {
  HostState host = good_host();
  host.file->name = "\x1b[2Jmachine\n.yaml";
  const std::string text = app::findings_text(app::findings_of(host));
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("machine\\n.yaml") != std::string::npos);
}

TEST_CASE("doctor: the machine that runs this is looked at") {
  const HostState host = app::look_at_host(std::nullopt);
  CHECK(host.limits.cores >= 1);
  CHECK(host.free_memory_bytes > 0);
  CHECK(host.load.load.seconds >= 0.4);
  CHECK((host.gpu.has_value() || !host.no_gpu.empty()));
  CHECK_FALSE(host.file);
}

}  // namespace presort::doctor_test
