// What a caller of calls.h keeps from call to call: where plans come from, scratch memory, threads, and
// the plan of the last call.
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
  // Plans are chosen by rule until one of these says otherwise; the last one counts.
  // Errors: InputError for a file that cannot be read, or of another machine (io/plans/tuned_file.h,
  //         io/machine/host_fingerprint.h); for a text that is no plan. The source stays as it was
  // Returns: sentences of what differs from the machine that the file was made on, and only warns
  std::vector<std::string> choose_from(const std::string& tuned_file);
  void use_plan(const std::string& plan);  // for example "sortBits=9,bufferBytes=256"
  void choose_by_rule();

  // So many threads of a team that is kept; 0: as many as each plan says, started for the call.
  // Requires: threads >= 0
  // Errors:   EnvironmentError when they cannot be started; the team stays as it was
  void set_threads(int threads);

  // Gives the memory of the scratch back.
  void release() { scratch_ = {}; }

  PlanSource source() const { return plan_ ? PlanSource(*plan_) : PlanSource(table_); }
  CallOptions options(cpu::Checks checks) {
    return {.checks = checks, .scratch = &scratch_, .threads = team_.get()};
  }

  void note(const PlanChoice& choice) { last_ = choice; }
  const std::optional<PlanChoice>& last() const {
    return last_;
  }  // nothing: no call has ended well

 private:
  Tuned table_;
  std::optional<CpuPlan> plan_;
  cpu::Scratch scratch_;
  std::unique_ptr<cpu::ThreadTeam> team_;
  std::optional<PlanChoice> last_;
};

// "sortBits=8,…, by rule, for multireduce n=2^20 m=2^16 uniform u32+u32": the plan that ran, where it
// came from and what it was chosen for.
std::string describe(const PlanChoice& choice);

}  // namespace presort::arrays
