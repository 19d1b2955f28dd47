// Times the simulator on the direct multireduce, with timing, caches and TLBs warm.
// usage: simulation_speed MACHINE.yaml … [log2 m …] [log2=20]
//   log2=K: 2^K inputs are timed, after as many to warm
#include <fmt/format.h>

#include <string>
#include <vector>

#include "bench/cpu_time.h"
#include "presort/core/labels/labels.h"
#include "presort/core/monoid.h"
#include "presort/cpu/phases/direct.h"
#include "presort/cpu/phases/update.h"
#include "presort/io/machine/machine_file.h"
#include "presort/predict/sampling/sampling.h"
#include "presort/predict/trace/input_window.h"

namespace {

using namespace presort;
using namespace presort::predict;

struct Speed {
  double accesses_per_second;
  double inputs_per_second;
  double ns_per_input;  // simulated time of the inputs, ns
};

// The labels are generated beforehand; only tracing and simulation are timed. A function of its
// own, as scripts/speed_gate.sh counts its instructions by its name.
[[gnu::noinline]] Speed time_direct(const Machine& machine, uint64_t m, uint64_t inputs) {
  const PhaseInput input{make_labels({}, 2 * inputs, m, 1)};
  Sampler sampler(machine, {}, sim::AddressSpace(page_bytes(PageSize::k2MiB)));
  Speed speed{};
  InputWindow<uint32_t, uint32_t> window(input, 0, 2 * inputs);
  window.visit([&](auto view) {
    const cpu::Direct<TracingMemory, decltype(view), uint32_t, cpu::ReduceUpdate<Sum<uint32_t>>>
        phase{view, {address_of(Region::buckets)}, {}};
    sampler.warm(phase, 0, inputs);
    const uint64_t warmed = sampler.accesses();
    const double begin = bench::thread_seconds();
    sampler.time(phase, inputs, 2 * inputs);
    const double seconds = bench::thread_seconds() - begin;
    const PhaseEstimate estimate = sampler.estimate();
    speed = {static_cast<double>(estimate.accesses - warmed) / seconds,
             static_cast<double>(inputs) / seconds, estimate.ns_per_item};
  });
  return speed;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files;
  std::vector<int> logs;
  int log_inputs = 20;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("log2=")) {
      log_inputs = std::stoi(word.substr(5));
    } else if (word.find_first_not_of("0123456789") == std::string::npos) {
      logs.push_back(std::stoi(word));
    } else {
      files.push_back(word);
    }
  }
  if (logs.empty()) {
    logs = {12, 20, 24, 28};
  }
  fmt::print("| machine | m | M accesses/s | M inputs/s | simulated ns/input |\n");
  fmt::print("| --- | --- | --- | --- | --- |\n");
  for (const std::string& file : files) {
    const Machine machine = io::read_machine(file);
    for (const int log : logs) {
      const Speed speed = time_direct(machine, uint64_t{1} << log, uint64_t{1} << log_inputs);
      fmt::print("| {} | 2^{} | {:.1f} | {:.2f} | {:.2f} |\n", machine.name, log,
                 speed.accesses_per_second * 1e-6, speed.inputs_per_second * 1e-6,
                 speed.ns_per_input);
    }
  }
}
