#include "io/tuned_file.h"

#include "core/units.h"
#include "io/atomic_file.h"
#include "io/plan_yaml.h"
#include "io/text_map.h"

namespace presort::io {
namespace {

// A plain decimal number; the key says the unit.
double read_ns_per_input(const ValueReader& value) {
  if (value.text().find_first_not_of("0123456789.") != std::string::npos) {
    value.fail("nanoseconds as a plain number such as 6.1");
  }
  return value.as(parse_ratio);
}

TunedEntry read_entry(const ValueReader& value) {
  MapReader map = value.map();
  TunedEntry entry;
  entry.device = map.required("device").one_of(kDevices);
  MapReader problem = map.required("problem").map();
  entry.problem = read_problem_keys(problem, Buckets::one).front();
  problem.finish();
  entry.plan = read_plan(map.required("plan"));
  entry.predicted_ns_per_input = read_ns_per_input(map.required("predictedNsPerInput"));
  entry.direct_plan = read_plan(map.required("directPlan"));
  entry.direct_ns_per_input = read_ns_per_input(map.required("directNsPerInput"));
  entry.runner_up = read_plan(map.required("runnerUp"));
  entry.runner_up_ns_per_input = read_ns_per_input(map.required("runnerUpNsPerInput"));
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

Tuned bind_tuned(const YamlDocument& document) {
  MapReader root = open_document(document, "tuned/1");
  Tuned tuned;
  tuned.machine = root.required("machine").text();
  tuned.fingerprint = read_fingerprint(root.required("fingerprint"));
  if (const auto provenance = root.optional("provenance")) {
    tuned.provenance = read_text_pairs(*provenance);
  }
  for (const ValueReader& item : root.required("entries").list()) {
    tuned.entries.push_back(read_entry(item));
  }
  root.finish();
  return tuned;
}

std::string pairs_text(std::string_view key, const TextPairs& pairs) {
  return pairs.empty() ? "  " + std::string(key) + ": {}\n" : text_map_block(key, "  ", pairs);
}

std::string entry_text(const TunedEntry& entry) {
  FlowMap problem;
  add_problem_keys(problem, entry.problem);
  return "  - device: " + to_name(kDevices, entry.device) + "\n" +                    //
         "    problem: " + problem.str() + "\n" +                                     //
         "    plan: " + plan_to_yaml(entry.plan) + "\n" +                             //
         "    predictedNsPerInput: " + exact_number(entry.predicted_ns_per_input) +   //
         "\n    directPlan: " + plan_to_yaml(entry.direct_plan) + "\n" +              //
         "    directNsPerInput: " + exact_number(entry.direct_ns_per_input) + "\n" +  //
         "    runnerUp: " + plan_to_yaml(entry.runner_up) + "\n" +                    //
         "    runnerUpNsPerInput: " + exact_number(entry.runner_up_ns_per_input) +    //
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
  std::string text = "presort: tuned/1\nmachine: " + yaml_scalar(tuned.machine) + "\n";
  text += "fingerprint:\n" + pairs_text("hard", tuned.fingerprint.hard) +
          pairs_text("soft", tuned.fingerprint.soft);
  text += text_map_block("provenance", "", tuned.provenance);
  text += tuned.entries.empty() ? "entries: []\n" : "entries:\n";
  for (const TunedEntry& entry : tuned.entries) {
    text += entry_text(entry);
  }
  return text;
}

void write_tuned(const std::string& path, const Tuned& tuned) {
  write_atomically(path, tuned_to_text(tuned));
}

}  // namespace presort::io
