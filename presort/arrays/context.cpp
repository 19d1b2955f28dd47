#include "presort/arrays/context.h"

#include <utility>

#include "presort/core/error.h"
#include "presort/io/machine/host_fingerprint.h"
#include "presort/io/plans/tuned_file.h"

namespace presort::inline v0::arrays {

std::vector<std::string> Context::choose_from(const std::string& tuned_file) {
  Tuned table = io::read_tuned(tuned_file);
  std::vector<std::string> warnings = io::require_this_machine(table, tuned_file);
  table_ = std::move(table);
  plan_.reset();
  return warnings;
}

void Context::use_plan(const std::string& plan) {
  plan_ = parse_cpu_plan(plan);
}

void Context::choose_by_rule() {
  table_ = {};
  plan_.reset();
}

void Context::set_threads(int threads) {
  if (threads < 0) {
    throw InputError("threads: found " + std::to_string(threads) + ", accepted: 0 or more");
  }
  if (team_ && team_->size() == static_cast<size_t>(threads)) {
    return;
  }
  team_ = threads > 0 ? std::make_unique<cpu::ThreadTeam>(static_cast<size_t>(threads)) : nullptr;
}

std::string describe(const PlanChoice& choice) {
  return presort::to_string(choice.plan) + ", " +
         (choice.entry ? "from the table's " + presort::to_string(*choice.entry) : "by rule") +
         ", for " + presort::to_string(choice.problem);
}

}  // namespace presort::arrays
