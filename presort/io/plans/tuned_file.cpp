#include "presort/io/plans/tuned_file.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <type_traits>

#include "presort/core/text/units.h"
#include "presort/io/files/atomic_file.h"
#include "presort/io/plans/plan_yaml.h"
#include "presort/io/text_map.h"

namespace presort::inline v0::io {
namespace {

// A number as text with four digits after the point.
std::string rounded(double value) {
  constexpr double kHasNoFraction = 1e9;
  return exact_number(std::abs(value) < kHasNoFraction ? std::round(value * 1e4) / 1e4 : value);
}

// Accepted times of plans, ns per input; 0 stands for a time that no prediction or run gave.
constexpr Range kTime = {RangeUnit::nanoseconds, kTimeOfInput.lowest, kTimeOfInput.highest,
                         "not known"};

// Reads a decimal number without a unit; the key's name says the unit.
double read_ns_per_input(const ValueReader& value) {
  if (value.text().find_first_not_of("0123456789.") != std::string::npos) {
    value.fail("nanoseconds as a plain number such as 6.1");
  }
  return value.in_range(value.as(parse_ratio), kTime);
}

// Largest difference between a written margin, which has four digits, and the margin of the written
// times, relative to the larger of 1 and the margin.
constexpr double kMarginRounding = 0.005;

void check_margin(const ValueReader& value, double margin) {
  const std::string& text = value.text();
  char* end = nullptr;
  const double found = std::strtod(text.c_str(), &end);
  const bool number =
      !text.empty() && *end == 0 && text.find_first_not_of("-0123456789.") == std::string::npos;
  const double tolerance = kMarginRounding * std::max(1.0, std::abs(margin));
  if (!number || std::abs(found - margin) > tolerance) {
    value.fail(rounded(margin) + ", which is what the two times say");
  }
}

// Reads a plan for a CPU.
// Errors: InputError, also for a plan that does not fit the entry's problem
void read_plan_of(const ValueReader& value, const Problem& problem, CpuPlan& plan) {
  plan = read_plan(value);
  try {
    check_plan(plan, problem);
  } catch (const PlanError& error) {
    value.fail_with(value.path() + ": found a plan that does not fit " + to_string(problem) + ": " +
                    error.what());
  }
}

// Reads a plan for a GPU. It cannot be checked against the problem, as the GPU is not known here.
void read_plan_of(const ValueReader& value, const Problem& /*problem*/, GpuPlan& plan) {
  plan = read_gpu_plan(value);
}

// Reads the keys of an entry of several devices; none of them: one device.
// Errors: InputError, also for schemes without `devices`, which are keys that nothing knows then
SharedEntry read_shared(MapReader& map) {
  SharedEntry shared;
  if (const auto devices = map.optional("devices")) {
    const uint64_t count = devices->as(parse_count);
    if (count < 2 || count > kMostSharingDevices) {
      devices->fail("2 to " + std::to_string(kMostSharingDevices) +
                    "; an entry of one device has no such key");
    }
    shared.devices = static_cast<int>(count);
    shared.scheme = map.required("scheme").one_of(kDeviceSchemes);
    shared.direct_scheme = map.required("directScheme").one_of(kDeviceSchemes);
    shared.runner_up_scheme = map.required("runnerUpScheme").one_of(kDeviceSchemes);
  }
  return shared;
}

std::string shared_text(const SharedEntry& shared) {
  return shared.devices == 1
             ? ""
             : "    devices: " + std::to_string(shared.devices) +                            //
                   "\n    scheme: " + to_name(kDeviceSchemes, shared.scheme) +               //
                   "\n    directScheme: " + to_name(kDeviceSchemes, shared.direct_scheme) +  //
                   "\n    runnerUpScheme: " + to_name(kDeviceSchemes, shared.runner_up_scheme) +
                   "\n";
}

// Reads the rest of an entry of a tuned file, whose key `device` has been read.
template <class Entry>
Entry read_entry(MapReader& map) {
  Entry entry;
  if constexpr (std::is_same_v<Entry, GpuTunedEntry>) {
    entry.shared = read_shared(map);
  }
  MapReader problem = map.required("problem").map();
  entry.problem = read_problem_keys(problem, Buckets::one).front();
  problem.finish();
  read_plan_of(map.required("plan"), entry.problem, entry.plan);
  entry.predicted_ns_per_input = read_ns_per_input(map.required("predictedNsPerInput"));
  read_plan_of(map.required("directPlan"), entry.problem, entry.direct_plan);
  entry.direct_ns_per_input = read_ns_per_input(map.required("directNsPerInput"));
  read_plan_of(map.required("runnerUp"), entry.problem, entry.runner_up);
  entry.runner_up_ns_per_input = read_ns_per_input(map.required("runnerUpNsPerInput"));
  if (const auto margin = map.optional("margin")) {
    check_margin(*margin, entry.margin());
  }
  entry.matters = map.required("matters").boolean();
  entry.origin = map.required("origin").one_of(kOrigins);
  map.finish();
  return entry;
}

Fingerprint read_fingerprint(const ValueReader& value) {
  MapReader map = value.map();
  Fingerprint fingerprint;
  fingerprint.hard = read_text_pairs(map.required("hard"));
  fingerprint.soft = read_text_pairs(map.required("soft"));
  map.finish();
  return fingerprint;
}

// Reads the entries of a tuned file.
// Errors: InputError when there are not as many as `entryCount` says
void read_entries(MapReader& root, Tuned& tuned) {
  const auto count = root.optional("entryCount");
  const ValueReader list = root.required("entries");
  for (const ValueReader& item : list.list()) {
    MapReader map = item.map();
    if (map.required("device").one_of(kDevices) == Device::cpu) {
      tuned.entries.push_back(read_entry<TunedEntry>(map));
    } else {
      tuned.gpu_entries.push_back(read_entry<GpuTunedEntry>(map));
    }
  }
  const size_t found = tuned.entries.size() + tuned.gpu_entries.size();
  if (count && count->as(parse_count) != found) {
    list.fail_with("entries: found " + std::to_string(found) + ", accepted: " + count->text() +
                   ", as entryCount says: the file is not whole");
  }
}

Tuned bind_tuned(const YamlDocument& document) {
  MapReader root = open_document(document, "tuned/1");
  Tuned tuned;
  tuned.machine = root.required("machine").name();
  tuned.fingerprint = read_fingerprint(root.required("fingerprint"));
  if (const auto provenance = root.optional("provenance")) {
    tuned.provenance = read_text_pairs(*provenance);
  }
  if (const auto complete = root.optional("complete")) {
    tuned.complete = complete->boolean();
  }
  read_entries(root, tuned);
  root.finish();
  return tuned;
}

std::string pairs_text(std::string_view key, const TextPairs& pairs) {
  return pairs.empty() ? "  " + std::string(key) + ": {}\n" : text_map_block(key, "  ", pairs);
}

template <class Plan>
std::string entry_text(const TunedEntryOf<Plan>& entry) {
  FlowMap problem;
  add_problem_keys(problem, entry.problem);
  return "  - device: " + to_name(kDevices, Plan::kDevice) + "\n" +                   //
         shared_text(entry.shared) +                                                  //
         "    problem: " + problem.str() + "\n" +                                     //
         "    plan: " + plan_to_yaml(entry.plan) + "\n" +                             //
         "    predictedNsPerInput: " + exact_number(entry.predicted_ns_per_input) +   //
         "\n    directPlan: " + plan_to_yaml(entry.direct_plan) + "\n" +              //
         "    directNsPerInput: " + exact_number(entry.direct_ns_per_input) + "\n" +  //
         "    runnerUp: " + plan_to_yaml(entry.runner_up) + "\n" +                    //
         "    runnerUpNsPerInput: " + exact_number(entry.runner_up_ns_per_input) +    //
         "\n    margin: " + rounded(entry.margin()) +                                 //
         "\n    matters: " + (entry.matters ? "true" : "false") + "\n" +              //
         "    origin: " + to_name(kOrigins, entry.origin) + "\n";
}

}  // namespace

Tuned read_tuned(const std::string& path) {
  return bind_tuned(load_yaml(path));
}

Tuned parse_tuned(const std::string& text, const std::string& file) {
  return bind_tuned(parse_yaml(text, file));
}

std::string tuned_to_text(const Tuned& tuned) {
  const size_t entries = tuned.entries.size() + tuned.gpu_entries.size();
  std::string text = "presort: tuned/1\nmachine: " + yaml_scalar(tuned.machine) + "\n";
  text += "fingerprint:\n" + pairs_text("hard", tuned.fingerprint.hard) +
          pairs_text("soft", tuned.fingerprint.soft);
  text += text_map_block("provenance", "", tuned.provenance);
  text += std::string("complete: ") + (tuned.complete ? "true" : "false") +
          "\nentryCount: " + std::to_string(entries) + "\n";
  text += entries == 0 ? "entries: []\n" : "entries:\n";
  for (const TunedEntry& entry : tuned.entries) {
    text += entry_text(entry);
  }
  for (const GpuTunedEntry& entry : tuned.gpu_entries) {
    text += entry_text(entry);
  }
  return text;
}

void write_tuned(const std::string& path, const Tuned& tuned) {
  write_atomically(path, tuned_to_text(tuned));
}

}  // namespace presort::io
