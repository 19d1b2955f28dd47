#include "presort/io/json/result_json.h"

#include <algorithm>

#include "presort/core/plan/plan_keys.h"
#include "presort/core/problem_fields.h"
#include "presort/io/fields/field_json.h"

namespace presort::inline v0::io {
namespace {

Json phases_to_json(const std::vector<PhasePrediction>& phases) {
  Json json = Json::array();
  for (const PhasePrediction& phase : phases) {
    json.push_back({{"name", phase.name},
                    {"ns_per_input", phase.ns_per_input},
                    {"stack_ns", stack_to_json(phase.stack_ns)}});
  }
  return json;
}

}  // namespace

Json stack_to_json(const TimeStack& stack) {
  Json json = Json::object();
  for (const auto& [name, ns] : stack) {
    json[name] = ns;
  }
  return json;
}

Json levels_to_json(const std::vector<LevelCounts>& levels) {
  Json json = Json::array();
  for (const LevelCounts& level : levels) {
    json.push_back({{"name", level.name},
                    {"accesses", level.accesses},
                    {"hits", level.hits},
                    {"misses", level.misses},
                    {"writebacks", level.writebacks},
                    {"prefetches", level.prefetches},
                    {"useful_prefetches", level.useful_prefetches},
                    {"late_prefetches", level.late_prefetches},
                    {"useless_prefetches", level.useless_prefetches},
                    {"sector_misses", level.sector_misses},
                    {"write_throughs", level.write_throughs},
                    {"back_invalidations", level.back_invalidations},
                    {"invalidations", level.invalidations},
                    {"bytes_in", level.bytes_in},
                    {"bytes_out", level.bytes_out}});
  }
  return json;
}

Json tlb_to_json(const std::vector<TlbCounts>& levels) {
  Json json = Json::array();
  for (const TlbCounts& level : levels) {
    json.push_back({{"name", level.name},
                    {"accesses", level.accesses},
                    {"hits", level.hits},
                    {"misses", level.misses},
                    {"load_accesses", level.load_accesses},
                    {"load_misses", level.load_misses}});
  }
  return json;
}

Json storage_to_json(const StorageCounts& counts) {
  const double amplification =
      counts.flash_bytes > 0 ? counts.flash_bytes / static_cast<double>(counts.written_bytes) : 1;
  return {{"page_uses", counts.page_uses},
          {"page_faults", counts.page_faults},
          {"reads", counts.reads},
          {"read_bytes", counts.read_bytes},
          {"writes", counts.writes},
          {"written_bytes", counts.written_bytes},
          {"seeks", counts.seeks},
          {"flash_bytes", counts.flash_bytes},
          {"write_amplification", amplification}};
}

Json problem_to_json(const Problem& problem) {
  return fields_to_json(fields::kProblem, &problem);
}

namespace {

Json keys_to_json(const FieldTable& table, const void* plan) {
  Json json = Json::object();
  for (const Field& row : table.rows) {
    if (is_written(table, row, plan)) {
      json[json_name(table, row)] = field_to_json(row, plan);
    }
  }
  return json;
}

}  // namespace

Json plan_to_json(const CpuPlan& plan) {
  return keys_to_json(fields::kCpuPlan, &plan);
}

Json plan_to_json(const GpuPlan& plan) {
  return keys_to_json(fields::kGpuPlan, &plan);
}

Json prediction_to_json(const Prediction& prediction) {
  const double rate = prediction.seconds > 0
                          ? static_cast<double>(prediction.simulated_accesses) / prediction.seconds
                          : 0;
  Json json = {{"problem", problem_to_json(prediction.problem)},
               {"plan", plan_to_json(prediction.plan)},
               {"machine", prediction.machine},
               {"predicted_ns_per_input", prediction.ns_per_input},
               {"ci95_relative", prediction.ci95_relative},
               {"stack_ns", stack_to_json(prediction.stack_ns)},
               {"phases", phases_to_json(prediction.phases)},
               {"levels", levels_to_json(prediction.levels)},
               {"tlb", tlb_to_json(prediction.tlb)},
               {"walks", prediction.walks},
               {"simulated_inputs", prediction.simulated_inputs},
               {"simulated_accesses", prediction.simulated_accesses},
               {"seconds", prediction.seconds},
               {"accesses_per_second", rate}};
  if (prediction.storage) {
    json["storage"] = storage_to_json(*prediction.storage);
  }
  return json;
}

template <class Plan>
Json measurement_to_json(const MeasurementOf<Plan>& measurement) {
  const std::vector<double>& samples = measurement.samples_ns_per_input;
  const Json summary = {{"median", median(samples)},
                        {"min", *std::min_element(samples.begin(), samples.end())},
                        {"mad", median_absolute_deviation(samples)},
                        {"reps", samples.size()}};
  return {{"problem", problem_to_json(measurement.problem)},
          {"plan", plan_to_json(measurement.plan)},
          {"ns_per_input", summary},
          {"samples_ns_per_input", samples},
          {"checked", measurement.checked},
          {"initialise_ns_per_input", measurement.initialise_ns_per_input},
          {"huge_page_bytes", measurement.huge_page_bytes}};
}
template Json measurement_to_json(const Measurement& measurement);
template Json measurement_to_json(const GpuMeasurement& measurement);

template <class Plan>
Json tuned_entry_to_json(const TunedEntryOf<Plan>& entry) {
  Json json = {{"device", to_name(kDevices, Plan::kDevice)},
               {"problem", problem_to_json(entry.problem)},
               {"plan", plan_to_json(entry.plan)},
               {"predicted_ns_per_input", entry.predicted_ns_per_input},
               {"direct_plan", plan_to_json(entry.direct_plan)},
               {"direct_ns_per_input", entry.direct_ns_per_input},
               {"runner_up", plan_to_json(entry.runner_up)},
               {"runner_up_ns_per_input", entry.runner_up_ns_per_input},
               {"margin", entry.margin()},
               {"matters", entry.matters},
               {"origin", to_name(kOrigins, entry.origin)}};
  if (entry.shared.devices > 1) {
    json["devices"] = entry.shared.devices;
    json["scheme"] = to_name(kDeviceSchemes, entry.shared.scheme);
    json["direct_scheme"] = to_name(kDeviceSchemes, entry.shared.direct_scheme);
    json["runner_up_scheme"] = to_name(kDeviceSchemes, entry.shared.runner_up_scheme);
  }
  return json;
}
template Json tuned_entry_to_json(const TunedEntry& entry);
template Json tuned_entry_to_json(const GpuTunedEntry& entry);

Json provenance_to_json(const Provenance& provenance) {
  return {{"tool_version", provenance.tool_version},
          {"host", provenance.host},
          {"compiler", provenance.compiler},
          {"date", provenance.date},
          {"kernel", provenance.kernel}};
}

std::string json_text(const Json& document) {
  return document.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::string json_line(const Json& document) {
  return document.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace presort::io
