// Predicts the time of a problem with a plan on a machine: runs the kernel's own phases, with
// tracing memory, through the simulator, on a stratified sample of the inputs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "presort/core/base/stop.h"
#include "presort/core/labels/labels.h"
#include "presort/core/machine/machine.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/prediction.h"
#include "presort/core/problem.h"
#include "presort/predict/sampling/file_places.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::predict {

class Excerpt;

enum class Method {
  simulation,  // simulates a sample of the inputs
  closedForm,  // closed form: formulas for hit ratios (closed_form/closed_form.h)
};

struct SimulationOptions {
  Method method = Method::simulation;
  bool dependent = false;       // true: no memory access starts before the one before it has ended
  double ci95_relative = 0.01;  // simulate until the 95 % interval of ns/input is this narrow
  bool full = false;            // true: every input is simulated, none sampled
  // Longest sequence, in inputs, that is run through the caches from the first input to the last
  // (replay.h). Longer ones are sampled, with the state before each slice guessed.
  uint64_t replayed_inputs = uint64_t{1} << 22;
  // True: a run finds nothing of its arrays in the caches. False: it follows one like it, and finds what
  // that one has left, if all that a run touches fits the last level (phases/run_bytes.h).
  bool cold = false;
  uint64_t seed = 1;  // random seed of page frames and of sampling
  // Token that asks to stop; looked at every few thousand accesses
  StopToken stop = {};
  // Gets all access records that go to the simulator, phase by phase; may be null
  sim::AccessSink* record = nullptr;
  // True: the kernel's accesses are recorded, and nothing is simulated: see kernel_stream.h.
  // Requires: full or excerpt, and record
  bool record_only = false;
  // Gets the access records of some inputs of each phase; no other inputs are run.
  // Requires: record_only, and record is the same object
  Excerpt* excerpt = nullptr;
  bool operator==(const SimulationOptions&) const = default;
};

// Predicts the times of plans on one machine. Phases that several plans, or problems, share are
// simulated once. Thread-safe.
class Predictor {
 public:
  explicit Predictor(Machine machine, SimulationOptions options = {});
  ~Predictor();

  const Machine& machine() const { return machine_; }

  // Predicts the time of a problem with a plan.
  // Requires: labels are those of the problem (make_labels, or stored labels for a file)
  // Errors:   InputError, also when the problem is larger than the simulated address space
  //           (size_limits.h); PlanError when the plan does not fit the problem; Stopped once the
  //           options' token asks for it
  Prediction predict(const Problem& problem, const CpuPlan& plan,
                     const std::shared_ptr<const LabelSource>& labels) const;

  // Predicts a plan phase by phase; gives up and returns no value if `give_up`, called with the sum
  // after each phase, returns true.
  std::optional<Prediction> predict_unless(
      const Problem& problem, const CpuPlan& plan, const std::shared_ptr<const LabelSource>& labels,
      const std::function<bool(const Prediction& so_far)>& give_up,
      FilePlaces places = FilePlaces::several) const;

 private:
  struct Cache;
  Machine machine_;
  SimulationOptions options_;
  std::unique_ptr<Cache> cache_;
};

}  // namespace presort::predict
