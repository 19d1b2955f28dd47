#include "presort/predict/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <vector>

#include "presort/cpu/threads/start_threads.h"

namespace presort::inline v0::predict {
namespace {

class Loop {
 public:
  Loop(size_t count, size_t threads, const std::function<void(size_t)>& work,
       const std::function<bool()>& stop)
      : count_(count), work_(work), stop_(stop) {
    again_.reserve(threads);  // reserves memory for the list now, as later there may be too little
  }

  // The work of each thread. A thread ends early when there is no memory for its call.
  void run_beside_others() {
    size_t i = 0;
    while (take(i)) {
      try {
        work_(i);
      } catch (const std::bad_alloc&) {
        const std::lock_guard lock(mutex_);
        again_.push_back(i);
        return;
      } catch (...) {
        fail();
      }
    }
  }

  // Runs, on one thread, the calls that are left when all other threads have ended.
  void run_alone() {
    for (const size_t i : again_) {
      if (!failure_ && !stop_()) {
        call(i);
      }
    }
    size_t i = 0;
    while (take(i)) {
      call(i);
    }
  }

  void rethrow() const {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
  }

 private:
  bool take(size_t& i) {
    i = next_++;
    return i < count_ && !stop_();
  }

  void call(size_t i) {
    try {
      work_(i);
    } catch (...) {
      fail();
    }
  }

  void fail() {
    const std::lock_guard lock(mutex_);
    failure_ = failure_ ? failure_ : std::current_exception();
    next_ = count_;
  }

  const size_t count_;
  const std::function<void(size_t)>& work_;
  const std::function<bool()>& stop_;
  std::atomic<size_t> next_{0};
  std::mutex mutex_;
  std::vector<size_t> again_;  // indices of calls that failed for want of memory
  std::exception_ptr failure_;
};

}  // namespace

void parallel_for(size_t count, size_t threads, const std::function<void(size_t)>& work,
                  const std::function<bool()>& stop) {
  Loop loop(count, threads, work, stop);
  const auto beside_others = [&loop](size_t) { loop.run_beside_others(); };
  const size_t wanted = std::min(threads, count);
  std::vector<std::jthread> others = cpu::start_threads(wanted > 0 ? wanted - 1 : 0, beside_others);
  if (!others.empty()) {
    loop.run_beside_others();
    others.clear();
  }
  loop.run_alone();
  loop.rethrow();
}

}  // namespace presort::predict
