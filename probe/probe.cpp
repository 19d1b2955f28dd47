#include "probe/probe.h"

#include <algorithm>
#include <bit>
#include <ctime>
#include <string>

#include "core/error.h"
#include "probe/arena.h"
#include "probe/assemble.h"
#include "probe/session.h"

namespace presort::probe {
namespace {

constexpr double kLeastSeconds = 3;
constexpr double kMostSeconds = 60;
constexpr uint64_t kLeastArena = 64 * kMiB;

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

void warn_of_noise(const Samples& samples, ProbeResult& result) {
  const double crowding = quiet_crowding(samples);
  size_t quiet = 0;
  size_t all = 0;
  for (const auto& [key, slices] : samples) {
    all += slices.size();
    quiet += static_cast<size_t>(
        std::count_if(slices.begin(), slices.end(),
                      [crowding](const Slice& slice) { return is_quiet(slice, crowding); }));
  }
  result.values.push_back(
      {"probe.quietSlices",
       static_cast<double>(quiet) / static_cast<double>(std::max<size_t>(1, all)), "", 0});
  if (2 * quiet < all) {
    result.warnings.emplace_back(
        "the core was busy with something else for most of the time: values are less certain");
  }
}

}  // namespace

ProbeResult probe_machine(const ProbeOptions& options) {
  const double seconds = std::clamp(options.seconds, kLeastSeconds, kMostSeconds);
  const Topology topology = this_topology();
  const CpuIdentity cpu = this_cpu();
  Session session(topology, {.seconds = seconds, .arena_bytes = arena_bytes(seconds)},
                  options.progress);
  const Samples& samples = session.run();
  const Estimates estimates = estimate_all(samples);
  ProbeResult result =
      assemble(find(estimates, topology), estimates, topology, cpu, core_defaults(cpu, topology),
               {.date = today(), .huge_fraction = session.huge_fraction()});
  warn_of_noise(samples, result);
  return result;
}

}  // namespace presort::probe
