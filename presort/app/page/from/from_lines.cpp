#include "presort/app/page/from/from_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "presort/app/page/facts.h"
#include "presort/app/page/from/gpu_forecast.h"
#include "presort/app/printing/text.h"
#include "presort/core/error.h"
#include "presort/core/least_bytes.h"
#include "presort/core/problem.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app::page {

namespace {

Result result_of(const io::ReportLine& line) {
  const io::RecordedPoint& point = line.point;
  Result result = {.operation = to_name(kOperations, point.problem.operation),
                   .labels = to_string(point.problem.distribution),
                   .types = to_string(point.problem.types),
                   .n = point.problem.n,
                   .m = point.problem.m,
                   .plan = to_string(point.plan),
                   .plan_words = short_plan(point.plan),
                   .presorted = point.plan.presort.has_value(),
                   .in_grid = point.in_grid,
                   .dropped = point.dropped,
                   .tuned = line.tuned,
                   .direct = line.direct,
                   .samples = point.ns,
                   .quiet = point.quiet,
                   .forecast = {},
                   .least_bytes = static_cast<double>(least_bytes(point.problem)) /
                                  static_cast<double>(point.problem.n),
                   .ceiling = memory_ceiling(line.machine, point.plan.resources.threads)};
  if (line.forecast) {
    result.forecast = Forecast{.ns = line.forecast->ns,
                               .low = line.forecast->low,
                               .high = line.forecast->high,
                               .stack = line.forecast->stack,
                               .phases = line.forecast->phases,
                               .memory_bytes = line.forecast->memory_bytes};
  }
  return result;
}

// The forecast of a plan of a line: the recorded time, with the terms of today's closed form where
// that comes to the same time. Without a recorded time, the closed form's; without a GPU, the recorded
// time alone.
std::optional<Forecast> forecast_of(const io::GpuReportLine& line,
                                    const io::GpuReportLine::Timed& timed, const Gpu* gpu) {
  constexpr double kSameTime = 0.05;  // relative difference of times that count as the same
  std::optional<Forecast> today;
  if (gpu != nullptr) {
    today = gpu_forecast(*gpu, line, timed.plan);
  }
  if (!timed.predicted || (today && std::abs(today->ns / *timed.predicted - 1) <= kSameTime)) {
    return today;
  }
  return Forecast{.ns = *timed.predicted, .stack = {}, .phases = {}, .memory_bytes = {}};
}

// A subject and what tells its machine from others of the same name: presort probe calls every machine
// "this-machine".
struct Found {
  Subject subject;
  std::string hardware;  // cores and caches; "" for a GPU
  std::string host;      // where its runs were timed; "" where no line says it
};

std::string hardware_of(const io::ReportLine& line) {
  return fmt::format("{} {} {}", line.machine.cores, fmt::join(line.machine.caches, ", "),
                     line.provenance.host);
}

// The subject of a name and of hardware; added if there is none yet.
Subject& subject_named(std::vector<Found>& all, const std::string& name, Device device,
                       const std::string& hardware, const std::string& host) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Found& one) {
    return one.subject.name == name && one.subject.device == device && one.hardware == hardware;
  });
  if (found != all.end()) {
    return found->subject;
  }
  Subject subject;
  subject.name = name;
  subject.device = device;
  return all.emplace_back(Found{std::move(subject), hardware, host}).subject;
}

// Gives machines of one name names of their own: with their host, or with a number where hosts do not
// tell them apart.
void part_names(std::vector<Found>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const Found& one : all) {
    names.push_back(one.subject.name);
  }
  for (size_t i = 0; i < all.size(); ++i) {
    size_t before = 0;
    size_t same = 0;
    bool hosts_differ = !all[i].host.empty();
    for (size_t j = 0; j < all.size(); ++j) {
      if (j != i && names[j] == names[i]) {
        ++same;
        before += j < i ? 1 : 0;
        hosts_differ = hosts_differ && all[j].host != all[i].host;
      }
    }
    if (same > 0) {
      all[i].subject.name +=
          hosts_differ ? fmt::format(" ({})", all[i].host) : fmt::format(" ({})", before + 1);
    }
  }
}

// A word of a shell's command line: quoted where it has other than ordinary characters.
std::string shell_word(const std::string& text) {
  constexpr const char* kOrdinary =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/+-=:,@";
  if (!text.empty() && text.find_first_not_of(kOrdinary) == std::string::npos) {
    return text;
  }
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

void add_command(Subject& subject, const std::string& command) {
  if (std::find(subject.commands.begin(), subject.commands.end(), command) ==
      subject.commands.end()) {
    subject.commands.push_back(command);
  }
}

// The name of a subject whose lines name no machine.
std::string file_name(const LineFile& file) {
  return std::filesystem::path(file.path).filename().string();
}

void add_results(const LineFile& file, std::vector<Found>& subjects) {
  for (const io::ReportLine& line : file.lines.results) {
    const std::string name = line.machine.name.empty() ? file_name(file) : line.machine.name;
    Subject& subject =
        subject_named(subjects, name, Device::cpu, hardware_of(line), line.provenance.host);
    if (subject.results.empty()) {
      subject.facts = facts_of(line.machine, line.provenance);
    }
    subject.complete = subject.complete && line.complete;
    subject.results.push_back(result_of(line));
    add_command(subject,
                "presort validate -m MACHINE.yaml --replay " + shell_word(file.path) + " -o again");
  }
}

// Bytes per input that any plan must move; 0 where the line's words name no problem of presort.
double least_bytes_of(const io::GpuReportLine& line) {
  try {
    const Problem problem = {.operation = from_name(kOperations, "op", line.operation),
                             .n = line.n,
                             .m = line.m,
                             .distribution = {},
                             .types = parse_types("types", line.types)};
    check_problem(problem);
    return static_cast<double>(least_bytes(problem)) / static_cast<double>(problem.n);
  } catch (const InputError&) {
    return 0;
  }
}

void add_gpu(const LineFile& file, const std::optional<Machine>& machine,
             std::vector<Found>& subjects) {
  const bool known = machine && machine->gpu;
  for (const io::GpuReportLine& line : file.lines.gpu) {
    const std::string name = known                  ? machine->gpu->name
                             : line.machine.empty() ? file_name(file)
                                                    : line.machine;
    Subject& subject = subject_named(subjects, name, Device::gpu, "", "");
    if (known && subject.results.empty()) {
      subject.facts = {{"GPU", machine->gpu->name},
                       {"memory bandwidth, copy", format_bandwidth(machine->gpu->copy_bandwidth)}};
    }
    for (const io::GpuReportLine::Timed& timed : line.plans) {
      Result result = {.operation = line.operation,
                       .labels = line.labels,
                       .types = line.types,
                       .n = line.n,
                       .m = line.m,
                       .plan = to_string(timed.plan),
                       .plan_words = short_plan(timed.plan),
                       .presorted = timed.plan.presort.has_value(),
                       .tuned = timed.chosen,
                       .samples = {timed.ns},
                       .quiet = 0,
                       .forecast = forecast_of(line, timed, known ? &*machine->gpu : nullptr),
                       .least_bytes = least_bytes_of(line),
                       .ceiling = known ? machine->gpu->copy_bandwidth : 0};
      subject.results.push_back(std::move(result));
    }
    if (!line.machine.empty()) {
      add_command(subject, "presort validate --device gpu -m " + shell_word(line.machine) +
                               " --replay " + shell_word(file.path) + " -o again");
    }
  }
}

}  // namespace

std::vector<Subject> subjects_of(const std::vector<LineFile>& files,
                                 const std::optional<Machine>& gpu) {
  std::vector<Found> found;
  for (const LineFile& file : files) {
    add_results(file, found);
    add_gpu(file, gpu, found);
  }
  part_names(found);
  std::vector<Subject> subjects;
  subjects.reserve(found.size());
  for (Found& one : found) {
    subjects.push_back(std::move(one.subject));
  }
  return subjects;
}

}  // namespace presort::app::page
