#include "presort/io/json/loop_lines.h"

#include "presort/core/error.h"
#include "presort/io/json/json_lines.h"

namespace presort::inline v0::io {
namespace {

// Range of a core's cycle: a clock between 1 MHz and 1 THz.
constexpr Range kCycleTime = {RangeUnit::nanoseconds, 1e-3, 1e3};
constexpr Range kStreamed = {RangeUnit::count, 1, 0x1p40};
constexpr Range kFootprint = {RangeUnit::bytes, static_cast<double>(kSmallestLoop),
                              static_cast<double>(kLargestLoop)};

RecordedLoop read_loop(const nlohmann::ordered_json& line) {
  const JsonObject json(line);
  json.require("presort", "loop/1");
  RecordedLoop recorded;
  recorded.loop = {from_name(kLoopKinds, "loop", json.text("loop")),
                   json.whole("footprint_bytes", kFootprint),
                   from_name(kPageSizes, "page_size", json.text("page_size")),
                   json.whole("streamed_items", kStreamed)};
  check_loop(recorded.loop);
  recorded.ns = json.numbers("samples_ns_per_item", kTimeOfInput);
  if (recorded.ns.empty()) {
    throw InputError("samples_ns_per_item: found none, accepted: at least one");
  }
  const Range quiet = {RangeUnit::count, 0, static_cast<double>(recorded.ns.size())};
  recorded.quiet = json.whole("quiet_samples", quiet);
  recorded.cycle_ns = json.number("cycle_ns", kCycleTime);
  return recorded;
}

}  // namespace

std::vector<RecordedLoop> parse_loop_lines(const std::string& text, const std::string& file) {
  std::vector<RecordedLoop> loops;
  for_each_json_line(text, file, "line of a validation's loops.jsonl",
                     [&](const nlohmann::ordered_json& line, const std::string&) {
                       loops.push_back(read_loop(line));
                     });
  return loops;
}

std::vector<RecordedLoop> read_loop_lines(const std::string& path) {
  return parse_loop_lines(read_maybe_compressed(path), path);
}

}  // namespace presort::io
