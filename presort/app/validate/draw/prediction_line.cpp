#include "presort/app/validate/draw/prediction_line.h"

#include <string>
#include <utility>

#include "presort/core/text/units.h"
#include "presort/io/json/result_json.h"

namespace presort::inline v0::app {

using io::Json;
using io::JsonObject;

namespace {

constexpr Range kNs = {RangeUnit::count, 0, 1e18};
constexpr Range kRelative = {RangeUnit::count, 0, 1e6};
constexpr Range kKind = {RangeUnit::count, 0, static_cast<double>(PhaseKind::other)};

TimeStack read_stack(const JsonObject& json) {
  TimeStack stack;
  for (const auto& [term, ns] : json.value().items()) {
    stack.emplace_back(term, json.number(term.c_str(), kNs));
  }
  return stack;
}

PhasePrediction read_phase(const JsonObject& json) {
  return {.name = json.text("name"),
          .ns_per_input = json.number("ns_per_input", kNs),
          .stack_ns = read_stack(json.object("stack_ns")),
          .kind = static_cast<PhaseKind>(json.whole("kind", kKind))};
}

}  // namespace

Json prediction_line(const Prediction& prediction) {
  Json phases = Json::array();
  for (const PhasePrediction& phase : prediction.phases) {
    phases.push_back({{"name", phase.name},
                      {"kind", static_cast<int>(phase.kind)},
                      {"ns_per_input", phase.ns_per_input},
                      {"stack_ns", io::stack_to_json(phase.stack_ns)}});
  }
  Json line = {{"machine", prediction.machine},
               {"ns_per_input", prediction.ns_per_input},
               {"ci95_relative", prediction.ci95_relative},
               {"stack_ns", io::stack_to_json(prediction.stack_ns)},
               {"phases", std::move(phases)},
               {"simulated_inputs", prediction.simulated_inputs}};
  if (!prediction.levels.empty()) {
    const LevelCounts& last = prediction.levels.back();
    line["last_level"] = {
        {"name", last.name}, {"bytes_in", last.bytes_in}, {"bytes_out", last.bytes_out}};
  }
  return line;
}

Prediction read_prediction(const JsonObject& json) {
  Prediction prediction;
  prediction.machine = json.text("machine");
  prediction.ns_per_input = json.number("ns_per_input", kNs);
  prediction.ci95_relative = json.number("ci95_relative", kRelative);
  prediction.stack_ns = read_stack(json.object("stack_ns"));
  prediction.simulated_inputs = json.whole("simulated_inputs", io::kAnyWhole);
  for (const Json& phase : json.field("phases")) {
    prediction.phases.push_back(read_phase(JsonObject(phase, json.path_of("phases"))));
  }
  if (json.value().contains("last_level")) {
    const JsonObject last = json.object("last_level");
    prediction.levels.push_back({.name = last.text("name"),
                                 .bytes_in = last.whole("bytes_in", io::kAnyWhole),
                                 .bytes_out = last.whole("bytes_out", io::kAnyWhole)});
  }
  return prediction;
}

}  // namespace presort::app
