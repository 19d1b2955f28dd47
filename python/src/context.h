// class Context of the module: what calls on the CPU keep from one to the next. One call runs at a
// time. Copies share what is kept.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "presort/arrays/context.h"

namespace presort::python {

class Context {
 public:
  std::vector<std::string> choose_from(const std::string& file) {
    const std::lock_guard lock(state_->mutex);
    return state_->kept.choose_from(file);
  }
  void use_plan(const std::string& plan) {
    const std::lock_guard lock(state_->mutex);
    state_->kept.use_plan(plan);
  }
  void choose_by_rule() {
    const std::lock_guard lock(state_->mutex);
    state_->kept.choose_by_rule();
  }
  void set_threads(int threads) {
    const std::lock_guard lock(state_->mutex);
    state_->kept.set_threads(threads);
  }
  void release() {
    const std::lock_guard lock(state_->mutex);
    state_->kept.release();
  }
  std::string last_plan() {
    const std::lock_guard lock(state_->mutex);
    return state_->kept.last() ? arrays::describe(*state_->kept.last()) : "";
  }

  // Runs call(source, options) and notes its plan. Requires: the caller does not have the
  // interpreter's lock
  template <class Call>
  void run_unlocked(bool checked, const Call& call) {
    const std::lock_guard lock(state_->mutex);
    state_->kept.note(call(state_->kept.source(), state_->kept.options(checks(checked))));
  }

  // Runs call(options), which takes no plan. Requires: the caller does not have the interpreter's
  // lock
  template <class Call>
  void run_unlocked_without_plan(bool checked, const Call& call) {
    const std::lock_guard lock(state_->mutex);
    call(state_->kept.options(checks(checked)));
  }

  // run_unlocked() for a caller that has the interpreter's lock, which is released meanwhile.
  template <class Call>
  void run(bool checked, const Call& call) {
    const nanobind::gil_scoped_release released;
    run_unlocked(checked, call);
  }

  // run_unlocked_without_plan() for a caller that has the interpreter's lock.
  template <class Call>
  void run_without_plan(bool checked, const Call& call) {
    const nanobind::gil_scoped_release released;
    run_unlocked_without_plan(checked, call);
  }

 private:
  static cpu::Checks checks(bool checked) { return checked ? cpu::Checks::on : cpu::Checks::off; }

  struct State {
    std::mutex mutex;
    arrays::Context kept;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace presort::python
