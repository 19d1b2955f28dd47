// Measures the machine it runs on, without root, and without hardware counters: where these exist,
// they are asked whether the workloads did what they are meant to.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/probe/analysis/quality.h"
#include "presort/probe/load/load_judgement.h"

namespace presort::inline v0::probe {

struct ProbeOptions {
  double seconds = 10;  // time budget of the probe, s; it may end a second later
  // Largest relative spread of measured values between passes at which the probe ends early; 0: it
  // uses all its time
  double enough = 0;
  // called with the probe's progress, 0 to 1; may be empty
  std::function<void(const std::string& step, double fraction)> progress;
  // Asked between steps of the probe, may be empty. Once it returns true, the probe ends as if its
  // time were over: the result is made of what was measured so far.
  std::function<bool()> stop;
};

// One measured value of a probe. It is in the machine file if that has a key for it.
struct ProbeValue {
  std::string key;  // key in the machine file: "cpu.caches.L3.latency"
  double value = 0;
  std::string unit;        // unit of the value: "ns", "GB/s", "MiB", ""
  double uncertainty = 0;  // relative half-width of the 95 % interval; 0 where nothing was measured
  Quality quality = Quality::poor;
  bool in_file = false;  // true: the value stands in the machine file
  int passes = 1;        // number of passes in which the value was measured
  double spread = 0;  // relative half-width from the passes alone; `uncertainty` is at least this
};

struct ProbeResult {
  Machine machine;
  std::vector<ProbeValue> values;
  std::vector<std::string> warnings;  // sentences such as "huge pages are not available: …"
  // How busy the machine was during the probe; empty for a processor read from a file.
  std::optional<LoadJudgement> load;
};

// Probes this machine. Errors: EnvironmentError when there is not enough memory (says how much it needs)
ProbeResult probe_machine(const ProbeOptions& options);

}  // namespace presort::probe
