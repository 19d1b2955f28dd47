#include "probe/probe.h"

#include <algorithm>
#include <bit>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "probe/arena.h"
#include "probe/assemble.h"
#include "probe/noise.h"
#include "probe/repeatability.h"
#include "probe/session.h"

namespace presort::probe {
namespace {

constexpr double kLeastSeconds = 3;
constexpr double kMostSeconds = 60;

// The first touch of memory takes a guest up to 2 s per GiB, and there are two arenas: small
// budgets take small ones.
uint64_t arena_bytes(double seconds) {
  const uint64_t wanted = seconds < 5 ? 256 * kMiB : seconds < 8 ? 512 * kMiB : 1024 * kMiB;
  const uint64_t available = available_memory_bytes();
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

// Everything that the samples are held against.
struct Context {
  Topology topology;
  CpuIdentity cpu;
  Surroundings surroundings;
};

ProbeResult result_of(const Estimates& estimates, const Context& context) {
  return assemble(find(estimates, context.topology), estimates, context.topology, context.cpu,
                  core_defaults(context.cpu, context.topology), context.surroundings);
}

ProbeResult result_of(const Samples& samples, const Context& context) {
  const Estimates whole = estimate_all(samples);
  ProbeResult result = result_of(whole, context);
  std::vector<std::vector<ProbeValue>> passes;
  for (int pass = 0; pass < pass_count(samples); ++pass) {
    passes.push_back(result_of(estimate_pass(samples, whole, pass), context).values);
  }
  widen_by_passes(result.values, passes);
  const Noise noise = noise_of(samples, passes);
  for (std::string& warning : warnings_of(noise)) {
    result.warnings.push_back(std::move(warning));
  }
  for (auto& note : provenance_of(noise, pass_count(samples))) {
    result.machine.provenance.push_back(std::move(note));
  }
  note_values(result);
  return result;
}

}  // namespace

ProbeResult probe_machine(const ProbeOptions& options) {
  const double seconds = std::clamp(options.seconds, kLeastSeconds, kMostSeconds);
  const Topology topology = this_topology();
  const CpuIdentity cpu = this_cpu();
  Session session(topology,
                  {.seconds = seconds,
                   .arena_bytes = arena_bytes(seconds),
                   .second_tlb_entries = core_defaults(cpu, topology).tlb_second.entries},
                  options.progress);
  const Samples& samples = session.run();
  return result_of(samples,
                   {.topology = topology,
                    .cpu = cpu,
                    .surroundings = {.date = today(), .huge_fraction = session.huge_fraction()}});
}

}  // namespace presort::probe
