// The state that a caller of calls.h keeps from call to call: source of plans, scratch memory,
// threads, and the plan of the last call.
// Threads: one call at a time
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "presort/core/choice/plan_choice.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/plan/tuned.h"
#include "presort/cpu/call_options.h"

namespace presort::inline v0::arrays {

class Context {
 public:
  // Three functions set the source of plans; the last call counts. Before any call, plans are chosen by
  // rule.
  // Errors:  InputError for a file that cannot be read, or is of another machine
  //          (io/plans/tuned_file.h, io/machine/host_fingerprint.h); for a text that is no plan.
  //          The source then stays as it was
  // Returns: warnings: sentences on harmless differences from the machine that the file was made on
  std::vector<std::string> choose_from(const std::string& tuned_file);
  void use_plan(const std::string& plan);  // for example "sortBits=9,bufferBytes=256"
  void choose_by_rule();

  // Sets the number of threads of a kept team; 0: as many as each plan says, started for the call.
  // Requires: threads >= 0
  // Errors:   EnvironmentError when the threads cannot be started; the team stays as it was
  void set_threads(int threads);

  // Frees the scratch memory kept for later calls.
  void release() { scratch_ = {}; }

  PlanSource source() const { return plan_ ? PlanSource(*plan_) : PlanSource(table_); }
  CallOptions options(cpu::Checks checks) {
    return {.checks = checks, .scratch = &scratch_, .threads = team_.get()};
  }

  void note(const PlanChoice& choice) { last_ = choice; }
  const std::optional<PlanChoice>& last() const {
    return last_;
  }  // no value: no call has succeeded yet

 private:
  Tuned table_;
  std::optional<CpuPlan> plan_;
  cpu::Scratch scratch_;
  std::unique_ptr<cpu::ThreadTeam> team_;
  std::optional<PlanChoice> last_;
};

// A text on the plan that ran, its source, and the problem that it was chosen for: "sortBits=8,…,
// by rule, for multireduce n=2^20 m=2^16 uniform u32+u32".
std::string describe(const PlanChoice& choice);

}  // namespace presort::arrays
