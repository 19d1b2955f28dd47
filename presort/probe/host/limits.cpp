#include "presort/probe/host/limits.h"

#include <sched.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "presort/probe/analysis/percent.h"

namespace presort::inline v0::probe {
namespace {

// True if the thread may be pinned: asks to pin it to the CPUs that it has anyway.
bool may_set_affinity() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 && sched_setaffinity(0, sizeof set, &set) == 0;
}

}  // namespace

double parse_cpu_max(const std::string& text) {
  std::istringstream stream(text);
  double quota_us = 0;
  double period_us = 0;
  return stream >> quota_us >> period_us && period_us > 0 ? quota_us / period_us : 0;
}

Limits these_limits() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return {.cpu_quota = parse_cpu_max(text), .may_pin = may_set_affinity()};
}

std::vector<std::string> warnings_of(const Limits& limits) {
  std::vector<std::string> warnings;
  if (limits.cpu_quota > 0 && limits.cpu_quota < 1) {
    warnings.push_back("the control group gets " + percent(limits.cpu_quota) +
                       " of a CPU (cpu.max): slices will be preempted, and values less certain");
  } else if (limits.cpu_quota > 0 && limits.cpu_quota < limits.cores) {
    warnings.push_back("the control group gets less time (cpu.max) than its " +
                       std::to_string(limits.cores) +
                       " cores have: memory.bandwidth of all cores may be too low");
  }
  if (limits.cores == 1) {
    warnings.emplace_back("one core only: memory.bandwidth is what one core reaches");
  }
  if (!limits.may_pin && limits.cores > 1) {
    warnings.emplace_back(
        "threads cannot be pinned to cores: memory.bandwidth of all cores may be too low");
  }
  if (limits.is_unknown) {
    warnings.emplace_back(
        "this core is not in the core table: width, window, TLBs and walkers are guesses");
  }
  return warnings;
}

}  // namespace presort::probe
