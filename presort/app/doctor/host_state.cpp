#include "presort/app/doctor/host_state.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

#include "presort/app/machines/data_folder.h"
#include "presort/app/machines/fingerprint.h"
#include "presort/app/machines/load_report.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/plot/find_program.h"
#include "presort/core/error.h"
#include "presort/cpu/memory/available_memory.h"
#include "presort/gpu/runner/probe.h"
#include "presort/io/machine/provenance.h"
#include "presort/probe/assemble/core_defaults.h"
#include "presort/probe/host/affinity.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/host/counters.h"
#include "presort/probe/load/load_watch.h"
#include "presort/probe/load/quiet_team.h"

namespace presort::inline v0::app {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Time for which the load is watched, and the pause between two looks at a core. At least thirty
// looks tell that a core is shared, if others use it a tenth of the time.
constexpr milliseconds kWatched{500};
constexpr milliseconds kPause{15};

// Bytes of memory that are asked for on huge pages
constexpr uint64_t kTriedBytes = 64 * probe::kMiB;
// Least share of the tried memory that must lie on huge pages to count as yes
constexpr double kMostlyHuge = 0.9;

// The chosen word of a Linux setting that lists all words: "always [madvise] never" -> "madvise";
// "" when there is none.
std::string chosen_word(const std::string& setting) {
  const size_t begin = setting.find('[');
  const size_t end = setting.find(']');
  return begin == std::string::npos || end == std::string::npos || end < begin
             ? ""
             : setting.substr(begin + 1, end - begin - 1);
}

std::string huge_page_setting() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string line;
  std::getline(file, line);
  return chosen_word(line);
}

// True if memory lies on huge pages when asked for; no value when memory is too scarce to try.
std::optional<bool> gets_huge_pages(uint64_t free_bytes) {
  if (free_bytes < 4 * kTriedBytes) {
    return std::nullopt;
  }
  try {
    return probe::Arena(kTriedBytes, probe::Pages::huge).huge_fraction() > kMostlyHuge;
  } catch (const EnvironmentError&) {
    return std::nullopt;
  }
}

// True if the program was compiled with optimisation. GCC and clang say so; with another compiler
// it is assumed.
bool is_optimised() {
#if defined(__GNUC__) && !defined(__OPTIMIZE__)
  return false;
#else
  return true;
#endif
}

bool has_counters() {
  const probe::Counts counts = probe::counts_so_far();
  return std::any_of(counts.begin(), counts.end(), [](double count) { return count >= 0; });
}

// Watches the load while a thread sleeps on each core in turn, and then looks at the core.
probe::LoadJudgement watch_load(const HostState& host) {
  probe::LoadWatch watch;
  const std::vector<int>& cpus = host.topology.cpus;
  probe::SavedAffinity before;
  watch.during([&] {
    const auto end = steady_clock::now() + kWatched;
    for (size_t look = 0; steady_clock::now() < end; ++look) {
      if (host.limits.may_pin && !cpus.empty()) {
        probe::pin_to(cpus[look % cpus.size()]);
      }
      watch.add_look(probe::settled_core_state());
      std::this_thread::sleep_for(kPause);
    }
  });
  before.restore();
  const probe::UncrowdedCore core = {.adds_per_cycle = probe::uncrowded_adds_per_cycle(
                                         probe::core_defaults(host.cpu, host.topology))};
  return probe::judge_load(watch.load(core), 1);
}

FileState state_of_file(const std::string& name) {
  const Machine machine = load_machine(name);
  const io::Provenance provenance = io::current_provenance();
  return {name,
          compare_fingerprints(make_fingerprint(machine, provenance), host_fingerprint(provenance)),
          disturbed_probe(machine)};
}

std::optional<std::string> found_data() {
  try {
    return data_folder();
  } catch (const EnvironmentError&) {
    return std::nullopt;
  }
}

}  // namespace

HostState look_at_host(const std::optional<std::string>& machine_file) {
  HostState host;
  if (machine_file) {
    host.file = state_of_file(*machine_file);
  }
  host.cpu = probe::this_cpu();
  host.topology = probe::this_topology();
  const probe::CoreDefaults& core = probe::core_defaults(host.cpu, host.topology);
  host.core = core.name;
  host.is_core_known = host.core != probe::kUnknownCore;
  host.limits = probe::these_limits();
  host.limits.cores = host.topology.cores;
  host.limits.is_unknown = !host.is_core_known;
  host.free_memory_bytes = cpu::available_memory_bytes();
  host.huge_page_setting = huge_page_setting();
  host.huge_pages = gets_huge_pages(host.free_memory_bytes);
  host.counters = has_counters();
  host.load = watch_load(host);
  try {
    host.gpu = gpu::describe_gpu();
  } catch (const EnvironmentError& error) {
    host.no_gpu = error.what();
  }
  host.gnuplot = find_program("gnuplot");
  host.data = found_data();
  host.is_optimised = is_optimised();
  return host;
}

}  // namespace presort::app
