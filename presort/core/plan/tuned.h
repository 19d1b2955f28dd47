// A tuned table: the plan to use for each problem on a machine.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "presort/core/device.h"
#include "presort/core/machine/fingerprint.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/plan/device_scheme.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0 {

// The means by which a tuned plan was chosen: predictions in closed form, sampled simulation, timed
// runs.
enum class Origin { model, simulation, measurement };
inline constexpr Named<Origin> kOrigins[] = {
    {"model", Origin::model},
    {"simulation", Origin::simulation},
    {"measurement", Origin::measurement},
};

// How GPUs of one host share the problem of an entry. Meant where there are two devices or more:
// the problem's n then counts the inputs of all of them, and plans are those of each device, for
// its inputs and all buckets, or with the scheme `inputs` for an owner's buckets.
struct SharedEntry {
  int devices = 1;
  DeviceScheme scheme = DeviceScheme::tables;            // scheme of the chosen plan
  DeviceScheme direct_scheme = DeviceScheme::tables;     // scheme of direct_plan
  DeviceScheme runner_up_scheme = DeviceScheme::tables;  // scheme of runner_up
  bool operator==(const SharedEntry&) const = default;
};

// The choice for one problem, with plans of a CPU (CpuPlan) or a GPU (GpuPlan).
template <class Plan>
struct TunedEntryOf {
  Problem problem;  // the problem of the entry: operation, types, distribution, n and m
  Plan plan;
  double predicted_ns_per_input = 0;
  Plan direct_plan;  // best plan without a pre-sort (sortBits = 0)
  double direct_ns_per_input = 0;
  // Best plan whose strategy, sortBits or passes differ from the chosen plan's; of several devices
  // the best one of another scheme
  Plan runner_up;
  double runner_up_ns_per_input = 0;
  bool matters = true;  // false: the plans' times differ by less than the model's own error
  Origin origin = Origin::simulation;
  SharedEntry shared;  // one device: an entry of a CPU, or of one GPU

  // How much longer the runner-up takes, as a fraction; 0 where the times are not known. Negative
  // where the plan was taken for being the surer one of a near tie.
  double margin() const;
};
using TunedEntry = TunedEntryOf<CpuPlan>;
using GpuTunedEntry = TunedEntryOf<GpuPlan>;

struct Tuned {
  std::string machine;
  Fingerprint fingerprint;
  std::vector<std::pair<std::string, std::string>> provenance;
  std::vector<TunedEntry> entries;
  std::vector<GpuTunedEntry> gpu_entries;
  bool complete = true;  // true: the table has all problems; false: tuning was interrupted
};

// Finds the entry of the same operation, types and distribution kind whose plan can run the problem
// and that is nearest in (log n, log m). `exact` says whether n, m and the distribution's parameter
// are the same. Nothing is interpolated.
template <class Plan>
struct TunedMatchOf {
  const TunedEntryOf<Plan>* entry;
  bool exact;
};
using TunedMatch = TunedMatchOf<CpuPlan>;
using GpuTunedMatch = TunedMatchOf<GpuPlan>;
using CanRun = std::function<bool(const CpuPlan&, const Problem&)>;
using GpuCanRun = std::function<bool(const GpuPlan&, const Problem&)>;
std::optional<TunedMatch> find_entry(const Tuned& tuned, const Problem& problem,
                                     const CanRun& runs = can_run);
// devices: number of GPUs that the entry is for
std::optional<GpuTunedMatch> find_gpu_entry(const Tuned& tuned, const Problem& problem,
                                            const GpuCanRun& runs, int devices = 1);

// The reason why no entry was found for a device: "no entry of op gather, there are multireduce,
// scatter"; the same for types, labels or the number of devices; that the table is empty; or that
// none of its plans can run the problem, with the reason for one.
std::string why_no_entry(const Tuned& tuned, Device device, const Problem& problem,
                         int devices = 1);

// The crossover: the smallest m of the entries (one op, types, distribution, n; sorted by m here)
// from which on, for all larger m, `ratio` = time without a pre-sort / best time with one is at
// least 1.05; nothing if there is none.
struct CrossoverPoint {
  uint64_t m;
  double ratio;
};
std::optional<uint64_t> crossover(std::vector<CrossoverPoint> points);

// The numbers of buckets at which a pre-sort pays: m of points whose `ratio` is at least 1.05,
// ascending. Where several points have one m, the least ratio decides.
std::vector<uint64_t> paying_m(const std::vector<CrossoverPoint>& points);

}  // namespace presort
