// Times the simulator on the direct multireduce, with timing, caches and TLBs warm.
// usage: simulation_speed MACHINE.yaml … [log2 m …]
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

constexpr uint64_t kInputs = uint64_t{1}
                             << 20;  // number of timed inputs; as many run before to warm up

struct Speed {
  double accesses_per_second;
  double inputs_per_second;
  double ns_per_input;  // simulated time of the inputs, ns
};

// The labels are generated beforehand; only tracing and simulation are timed.
Speed measure(const Machine& machine, uint64_t m) {
  const PhaseInput input{make_labels({}, 2 * kInputs, m, 1)};
  Sampler sampler(machine, {}, page_bytes(PageSize::k2MiB));
  Speed speed{};
  InputWindow<uint32_t, uint32_t> window(input, 0, 2 * kInputs);
  window.visit([&](auto view) {
    const cpu::Direct<TracingMemory, decltype(view), uint32_t, cpu::ReduceUpdate<Sum<uint32_t>>>
        phase{view, {address_of(Region::buckets)}, {}};
    sampler.warm(phase, 0, kInputs);
    const uint64_t warmed = sampler.accesses();
    const double begin = bench::thread_seconds();
    sampler.time(phase, kInputs, 2 * kInputs);
    const double seconds = bench::thread_seconds() - begin;
    const PhaseEstimate estimate = sampler.estimate();
    speed = {static_cast<double>(estimate.accesses - warmed) / seconds, kInputs / seconds,
             estimate.ns_per_item};
  });
  return speed;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files;
  std::vector<int> logs;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.find_first_not_of("0123456789") == std::string::npos) {
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
      const Speed speed = measure(machine, uint64_t{1} << log);
      fmt::print("| {} | 2^{} | {:.1f} | {:.2f} | {:.2f} |\n", machine.name, log,
                 speed.accesses_per_second * 1e-6, speed.inputs_per_second * 1e-6,
                 speed.ns_per_input);
    }
  }
}
