// The twin that feeds the simulator touches what the kernel touches: each phase runs bare under
// valgrind and traced here, and the bytes loaded from and stored to each line are compared.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "presort/predict/trace/tracing_memory.h"
#include "presort/sim/trace/trace_formats.h"
#include "tests/predict/valgrind/phase_cases.h"

namespace presort::inline v0::predict::valgrind_test {
namespace {

using namespace test;
using namespace test::cases;
using sim::Access;
using sim::AccessKind;

// Numbers of bytes touched, by line of CaseArrays and by kind of access (true: stored). A vector
// load of four elements counts as much as their four loads.
using Footprint = std::map<std::pair<uint64_t, bool>, uint64_t>;

constexpr uint64_t kLineBytes = 64;

void touch(Footprint& touched, const Access& access, uint64_t base) {
  const bool store = access.kind != AccessKind::load;
  for (uint64_t at = access.address - base; at < access.address - base + access.size; ++at) {
    ++touched[{at / kLineBytes, store}];
  }
}

// Records that valgrind can show too: no prefetches, and not the load of an address that only a
// prefetch uses, which valgrind's translation drops as dead code. Prefetches of inputs depend on
// nothing.
std::vector<Access> visible(const std::vector<Access>& records) {
  std::vector<Access> result;
  for (const Access& record : records) {
    if (record.kind == AccessKind::prefetch) {
      CHECK(record.depends_on <= 1);
      if (record.depends_on == 1) {
        result.pop_back();
      }
    } else if (record.kind != AccessKind::branch) {
      result.push_back(record);
    }
  }
  return result;
}

Footprint traced(Case which) {
  const auto contents = std::make_unique<CaseArrays>();
  prepare(*contents, which);
  constexpr uint64_t kBase = 1 << 20;
  TracingMemory memory;
  const auto array = [&](auto member) {
    auto& elements = (*contents).*member;
    using Element = std::remove_reference_t<decltype(elements[0])>;
    const auto offset = static_cast<uint64_t>(reinterpret_cast<const char*>(&elements[0]) -
                                              reinterpret_cast<const char*>(contents.get()));
    return TracedArray<Element>{kBase + offset, &elements[0], 0, std::size(elements)};
  };
  run_case(which, memory, array);
  Footprint touched;
  for (const Access& access : visible(memory.records())) {
    touch(touched, access, kBase);
  }
  return touched;
}

struct RawRun {
  uint64_t base = 0;
  std::string trace;  // file of valgrind's trace
};

RawRun run_raw(const std::string& folder) {
  RawRun run;
  run.trace = folder + "/raw_phases.lackey";
  const std::string command =
      "valgrind -q --tool=lackey --trace-mem=yes --basic-counts=no --log-file='" + run.trace +
      "' '" PRESORT_TEST_RAW_PHASES "'";
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  void* base = nullptr;
  CHECK(std::fscanf(pipe, "%p", &base) == 1);
  CHECK(pclose(pipe) == 0);
  run.base = reinterpret_cast<uint64_t>(base);
  return run;
}

// The bytes of CaseArrays that the bare phases touched, between the marks of each case.
std::vector<Footprint> raw(const RawRun& run) {
  std::vector<Footprint> cases(static_cast<size_t>(Case::count));
  const sim::OpenedTrace trace = sim::open_trace(run.trace, "lackey", {});
  size_t mark = 0;  // number of stores to the marks so far: odd within a case
  for (auto records = trace.reader->next(); !records.empty(); records = trace.reader->next()) {
    for (const Access& access : records) {
      if (access.address - run.base >= sizeof(CaseArrays)) {
        continue;
      }
      if (access.kind == AccessKind::store && access.address == run.base + 4 * mark) {
        ++mark;
      } else if (mark % 2 == 1 && mark < 2 * cases.size()) {
        touch(cases[mark / 2], access, run.base);
      }
    }
  }
  CHECK(mark == 2 * cases.size());
  return cases;
}

TEST_CASE("the traced twins touch the lines that the kernels touch, as often") {
  if (std::system("valgrind --version >/dev/null 2>&1") != 0) {
    MESSAGE("valgrind is missing: not compared");
    return;
  }
  const std::string folder =
      std::filesystem::temp_directory_path() / ("presort-valgrind-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const std::vector<Footprint> found = raw(run_raw(folder));
  std::filesystem::remove_all(folder);
  for (size_t which = 0; which < found.size(); ++which) {
    const std::string name = kCaseNames[which];
    CAPTURE(name);
    const Footprint expected = traced(static_cast<Case>(which));
    CHECK(!expected.empty());
    for (const auto& [place, bytes] : expected) {
      CAPTURE(place.first);
      CAPTURE(place.second);
      const auto there = found[which].find(place);
      const uint64_t raw_bytes = there == found[which].end() ? 0 : there->second;
      CHECK(raw_bytes == bytes);
    }
    CHECK(found[which].size() == expected.size());
  }
}

}  // namespace
}  // namespace presort::predict::valgrind_test
