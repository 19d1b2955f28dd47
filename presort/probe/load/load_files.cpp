#include "presort/probe/load/load_files.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <vector>

namespace presort::inline v0::probe {
namespace {

// Columns of a processor's line in /proc/stat, in clock ticks. What guests ran is a part of user
// and nice.
enum Column : size_t {
  kUser,
  kNice,
  kSystem,
  kIdle,
  kWaiting,
  kInterrupt,
  kSoftInterrupt,
  kStolen
};
constexpr size_t kColumns = kStolen + 1;

struct ProcessorLine {
  int cpu = -1;
  double ticks[kColumns] = {};
};

// Reads a processor's line of /proc/stat such as "cpu12 85094 0 7646 …"; nothing for other lines,
// among them the sum "cpu 85094 …".
std::optional<ProcessorLine> parse_processor(const std::string& line) {
  if (line.size() < 4 || !line.starts_with("cpu") ||
      std::isdigit(static_cast<unsigned char>(line[3])) == 0) {
    return std::nullopt;
  }
  std::istringstream stream(line.substr(3));
  ProcessorLine result;
  stream >> result.cpu;
  for (size_t column = 0; column < kColumns; ++column) {
    if (!(stream >> result.ticks[column])) {
      return std::nullopt;
    }
  }
  return result;
}

std::vector<ProcessorLine> parse_processors(const std::string& text) {
  std::vector<ProcessorLine> processors;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (const auto processor = parse_processor(line)) {
      processors.push_back(*processor);
    }
  }
  return processors;
}

// The number behind "name=" in a line of pressure stall information.
std::optional<double> field(const std::string& line, const std::string& name) {
  const size_t at = line.find(name + "=");
  if (at == std::string::npos) {
    return std::nullopt;
  }
  const char* const begin = line.c_str() + at + name.size() + 1;
  char* end = nullptr;
  const double value = std::strtod(begin, &end);
  return end != begin && std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<ProcessorTimes> parse_processor_times(const std::string& text,
                                                    std::span<const int> cpus,
                                                    double ticks_per_second) {
  ProcessorTimes times;
  for (const ProcessorLine& line : parse_processors(text)) {
    if (std::find(cpus.begin(), cpus.end(), line.cpu) == cpus.end()) {
      continue;
    }
    double total = 0;
    for (const double ticks : line.ticks) {
      total += ticks;
    }
    const double idle = line.ticks[kIdle] + line.ticks[kWaiting];
    const double stolen = line.ticks[kStolen];
    ++times.processors;
    times.busy_s += (total - idle - stolen) / ticks_per_second;
    times.stolen_s += stolen / ticks_per_second;
    times.total_s += total / ticks_per_second;
  }
  return times.total_s > 0 ? std::optional(times) : std::nullopt;
}

int count_processors(const std::string& text) {
  return static_cast<int>(parse_processors(text).size());
}

std::optional<Pressure> parse_pressure(const std::string& text) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const auto recent_percent = field(line, "avg10");
    const auto total_us = field(line, "total");
    if (line.starts_with("some ") && recent_percent && total_us) {
      return Pressure{.recent_part = *recent_percent / 100, .total_s = *total_us * 1e-6};
    }
  }
  return std::nullopt;
}

std::optional<int> parse_runnable(const std::string& text) {
  std::istringstream stream(text);
  double averages[3];
  int running = 0;
  char slash = 0;
  const bool read = stream >> averages[0] >> averages[1] >> averages[2] >> running >> slash &&
                    slash == '/' && running >= 0;
  return read ? std::optional(running) : std::nullopt;
}

std::optional<double> parse_waited_s(const std::string& text) {
  std::istringstream stream(text);
  double ran_ns = 0;
  double waited_ns = 0;
  double slices = 0;
  const bool counts = stream >> ran_ns >> waited_ns >> slices && ran_ns + slices > 0;
  return counts ? std::optional(waited_ns * 1e-9) : std::nullopt;
}

std::optional<std::string> parse_group(const std::string& text) {
  constexpr const char* kVersion2 = "0::";
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(kVersion2)) {
      return line.substr(3);
    }
  }
  return std::nullopt;
}

}  // namespace presort::probe
