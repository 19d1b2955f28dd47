#include "io/loop_lines.h"

#include "core/error.h"
#include "io/json_lines.h"

namespace presort::io {
namespace {

double positive(const nlohmann::ordered_json& json, const char* key) {
  const double value = json;
  if (!(value > 0)) {
    throw InputError(std::string(key) + ": found " + std::to_string(value) +
                     ", accepted: times above 0");
  }
  return value;
}

RecordedLoop read_loop(const nlohmann::ordered_json& json) {
  if (json.at("presort") != "loop/1") {
    throw InputError("presort: found " + json.at("presort").dump() + ", accepted: \"loop/1\"");
  }
  RecordedLoop recorded;
  recorded.loop = {from_name(kLoopKinds, "loop", json.at("loop").get<std::string>()),
                   json.at("footprint_bytes"),
                   from_name(kPageSizes, "page_size", json.at("page_size").get<std::string>()),
                   json.at("streamed_items")};
  check_loop(recorded.loop);
  for (const auto& sample : json.at("samples_ns_per_item")) {
    recorded.ns.push_back(positive(sample, "samples_ns_per_item"));
  }
  if (recorded.ns.empty()) {
    throw InputError("samples_ns_per_item: found none, accepted: at least one");
  }
  recorded.quiet = json.at("quiet_samples");
  recorded.cycle_ns = positive(json.at("cycle_ns"), "cycle_ns");
  return recorded;
}

}  // namespace

std::vector<RecordedLoop> parse_loop_lines(const std::string& text, const std::string& file) {
  std::vector<RecordedLoop> loops;
  for_each_json_line(text, file, "line of a validation's loops.jsonl",
                     [&](const nlohmann::ordered_json& line) { loops.push_back(read_loop(line)); });
  return loops;
}

std::vector<RecordedLoop> read_loop_lines(const std::string& path) {
  return parse_loop_lines(read_maybe_compressed(path), path);
}

}  // namespace presort::io
