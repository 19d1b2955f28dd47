// Reads the system's files that say how busy it is. Pure functions of the files' text. Each returns
// nothing for a text of another form: a container may hide a file, or fill it with zeros.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace presort::inline v0::probe {

// Time of a set of processors since the system started, s: the sum over the processors.
struct ProcessorTimes {
  int processors = 0;
  double busy_s = 0;    // processor time, s, spent on processes and interrupts
  double stolen_s = 0;  // processor time, s, taken by the hypervisor
  double total_s = 0;   // processor time, s: busy, stolen and idle
};

// Processor times from /proc/stat, for the processors in `cpus` only.
// Requires: ticks_per_second > 0
std::optional<ProcessorTimes> parse_processor_times(const std::string& text,
                                                    std::span<const int> cpus,
                                                    double ticks_per_second);

// Number of processors that /proc/stat lists: those of the whole system.
int count_processors(const std::string& text);

// Pressure stall information (/proc/pressure/cpu, or cpu.pressure of a control group): time in
// which at least one thread was ready to run and had no processor.
struct Pressure {
  double recent_part = 0;  // waiting time in the last 10 s, as a share of that time
  double total_s = 0;      // waiting time since the system started, s
};
std::optional<Pressure> parse_pressure(const std::string& text);

// Reads /proc/loadavg: the number of threads of the whole system that run or are ready to.
std::optional<int> parse_runnable(const std::string& text);

// Reads /proc/PID/schedstat of a thread: time in which it was ready to run and had no processor, s.
std::optional<double> parse_waited_s(const std::string& text);

// Reads /proc/PID/cgroup: the path of the control group of version 2, "/" for the root.
std::optional<std::string> parse_group(const std::string& text);

}  // namespace presort::probe
