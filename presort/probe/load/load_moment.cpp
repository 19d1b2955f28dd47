#include "presort/probe/load/load_moment.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

namespace presort::inline v0::probe {
namespace {

// Text of a file; empty when there is no such file.
std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::string schedstat_of_this_thread() {
  const std::string text = text_of("/proc/thread-self/schedstat");
  return text.empty() ? text_of("/proc/self/schedstat") : text;
}

// Pressure of this process' control group; nothing for the root, which is the whole system. Version
// 2 may be mounted beside version 1.
std::optional<Pressure> pressure_of_group() {
  const std::optional<std::string> group = parse_group(text_of("/proc/self/cgroup"));
  if (!group || *group == "/") {
    return std::nullopt;
  }
  for (const char* root : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
    if (const auto pressure = parse_pressure(text_of(root + *group + "/cpu.pressure"))) {
      return pressure;
    }
  }
  return std::nullopt;
}

std::optional<double> contenders_of(const std::string& stat) {
  constexpr int kThisThread = 1;
  const int processors = count_processors(stat);
  const std::optional<int> runnable = parse_runnable(text_of("/proc/loadavg"));
  if (!runnable || processors == 0) {
    return std::nullopt;
  }
  return std::max(0, *runnable - kThisThread) / static_cast<double>(processors);
}

}  // namespace

std::vector<int> allowed_cpus() {
  std::vector<int> cpus;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(static_cast<size_t>(cpu), &set)) {
        cpus.push_back(cpu);
      }
    }
  }
  return cpus;
}

LoadMoment load_now(std::span<const int> cpus) {
  const std::string stat = text_of("/proc/stat");
  return {
      .wall_s = seconds_of(CLOCK_MONOTONIC),
      .own_s = seconds_of(CLOCK_PROCESS_CPUTIME_ID),
      .processors = parse_processor_times(stat, cpus, static_cast<double>(sysconf(_SC_CLK_TCK))),
      .waited_s = parse_waited_s(schedstat_of_this_thread()),
      .pressure = parse_pressure(text_of("/proc/pressure/cpu")),
      .group_pressure = pressure_of_group(),
      .contenders = contenders_of(stat)};
}

}  // namespace presort::probe
