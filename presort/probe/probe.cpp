#include "presort/probe/probe.h"

#include <algorithm>
#include <bit>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "presort/core/error.h"
#include "presort/cpu/memory/available_memory.h"
#include "presort/probe/analysis/noise.h"
#include "presort/probe/analysis/probe_to_probe_spread.h"
#include "presort/probe/analysis/repeatability.h"
#include "presort/probe/assemble/assemble.h"
#include "presort/probe/assemble/draft.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/host/counter_check.h"
#include "presort/probe/host/limits.h"
#include "presort/probe/session.h"

namespace presort::inline v0::probe {
namespace {

constexpr double kLeastSeconds = 3;
constexpr double kMostSeconds = 60;

// Bytes of each of the probe's two arenas for a time budget: a guest's first touch of memory takes
// up to 2 s per GiB.
uint64_t arena_bytes(double seconds) {
  const uint64_t wanted = seconds < 5 ? 256 * kMiB : seconds < 8 ? 512 * kMiB : 1024 * kMiB;
  const uint64_t available = cpu::available_memory_bytes();
  if (available / 4 < kLeastArena) {
    throw EnvironmentError("the probe needs " + std::to_string(4 * kLeastArena / kMiB) +
                           " MiB of free memory; there are " + std::to_string(available / kMiB));
  }
  return std::bit_floor(std::min(wanted, available / 4));
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d", &utc)};
}

// Facts about the host that a probe needs to interpret its samples.
struct Context {
  Topology topology;
  CpuIdentity cpu;
  Surroundings surroundings;
};

ProbeResult result_of(const Estimates& estimates, const Context& context) {
  return assemble(find(estimates, context.topology), estimates, context.topology, context.cpu,
                  core_defaults(context.cpu, context.topology), context.surroundings);
}

struct Passes {
  ProbeResult whole;  // machine and values made of the samples of all passes
  std::vector<std::vector<ProbeValue>> values;  // values made of the samples of each pass alone
};

Passes passes_of(const Samples& samples, const Context& context) {
  const Estimates whole = estimate_all(samples);
  Passes passes = {.whole = result_of(whole, context), .values = {}};
  for (const Estimates& pass : estimate_passes(samples, whole)) {
    passes.values.push_back(result_of(pass, context).values);
  }
  widen_by_passes(passes.whole.values, passes.values);
  return passes;
}

ProbeResult final_result(const Samples& samples, const Context& context) {
  Passes passes = passes_of(samples, context);
  ProbeResult result = std::move(passes.whole);
  widen_between_probes(result.values);
  floor_evictions(result.values);
  const Noise noise = noise_of(samples, passes.values);
  result.values.push_back(
      {.key = "probe.quietSlices",
       .value = static_cast<double>(noise.quiet) / static_cast<double>(noise.slices),
       .unit = "",
       .quality = measured_quality(0, pass_count(samples))});
  for (std::string& warning : warnings_of(noise)) {
    result.warnings.push_back(std::move(warning));
  }
  for (auto& note : provenance_of(noise, pass_count(samples))) {
    result.machine.provenance.push_back(std::move(note));
  }
  const auto checks = check_counters(samples, context.surroundings.huge_fraction);
  for (std::string& warning : warnings_of(checks)) {
    result.warnings.push_back(std::move(warning));
  }
  result.machine.provenance.emplace_back("counters", summary_of(checks));
  note_values(result);
  return result;
}

// The largest uncertainty among the measured values of the core and of memory, which more passes
// can lower.
double largest_spread(const ProbeResult& result) {
  double largest = 0;
  for (const ProbeValue& value : result.values) {
    if (is_measured(value.quality) && is_noted(value)) {
      largest = std::max(largest, value.spread);
    }
  }
  return largest;
}

// Adds the machine's load to the result, its warnings and the machine's provenance.
void add_load(ProbeResult& result, const MachineLoad& load) {
  constexpr int kTimedThreads = 1;
  const LoadJudgement judgement = judge_load(load, kTimedThreads);
  result.load = judgement;
  result.machine.provenance.emplace_back("load", to_name(kBusyness, judgement.busyness));
  if (judgement.busyness == Busyness::tooBusy) {
    result.warnings.insert(
        result.warnings.begin(),
        "the machine was too busy for these values to be believed: " + reasons_text(judgement));
  } else if (judgement.busyness == Busyness::shared) {
    result.warnings.push_back("the machine was shared with others, values are less certain: " +
                              reasons_text(judgement));
  }
}

Limits limits_of(const Context& context) {
  Limits limits = these_limits();
  limits.cores = context.topology.cores;
  limits.is_unknown =
      quality_of_row(core_defaults(context.cpu, context.topology)) == Quality::guess;
  return limits;
}

}  // namespace

ProbeResult probe_machine(const ProbeOptions& options) {
  // Number of passes between two checks of the spread: making a result of many samples takes a good
  // part of a second.
  constexpr int kPassesBetweenLooks = 5;
  const double seconds = std::clamp(options.seconds, kLeastSeconds, kMostSeconds);
  Context context = {.topology = this_topology(), .cpu = this_cpu(), .surroundings = {}};
  const CoreDefaults& core = core_defaults(context.cpu, context.topology);
  Session session(context.topology,
                  {.seconds = seconds,
                   .arena_bytes = arena_bytes(seconds),
                   .second_tlb_entries = core.tlb_second.entries,
                   .stop = options.stop},
                  options.progress);
  context.surroundings = {.date = today(), .huge_fraction = session.huge_fraction()};
  const auto is_enough = [&](const Samples& samples, int passes) {
    return options.enough > 0 && passes % kPassesBetweenLooks == 0 &&
           largest_spread(passes_of(samples, context).whole) < options.enough;
  };
  ProbeResult result = final_result(session.run(is_enough), context);
  const std::vector<std::string> limits = warnings_of(limits_of(context));
  result.warnings.insert(result.warnings.begin(), limits.begin(), limits.end());
  add_load(result, session.load({.adds_per_cycle = uncrowded_adds_per_cycle(core)}));
  return result;
}

}  // namespace presort::probe
