#include "cpu/thread_team.h"

#include <pthread.h>
#include <sched.h>

#include <chrono>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "core/error.h"
#include "cpu/allocated.h"

namespace presort::cpu {

namespace {

void pin(std::thread& thread, int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(cpu), &set);
  if (pthread_setaffinity_np(thread.native_handle(), sizeof set, &set) != 0) {
    throw EnvironmentError("a thread cannot be pinned to CPU " + std::to_string(cpu));
  }
}

constexpr std::chrono::microseconds kAwake{200};

void pause() {
#if defined(__SSE2__)
  _mm_pause();
#endif
}

// Until `condition` holds or kAwake has passed; others that want the CPU get it meanwhile.
template <class Condition>
void stay_awake(const Condition& condition) {
  constexpr int kPauses = 32;
  const auto end = std::chrono::steady_clock::now() + kAwake;
  do {
    for (int i = 0; i < kPauses; ++i) {
      if (condition()) {
        return;
      }
      pause();
    }
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < end);
}

}  // namespace

ThreadTeam::ThreadTeam(size_t threads, std::span<const int> cpus)
    : awake_(cpus.size() >= threads), failures_(allocated<std::exception_ptr>(threads)) {
  if (threads < 2) {
    return;
  }
  try {
    threads_.reserve(threads);
    for (size_t t = 0; t < threads; ++t) {
      threads_.emplace_back([this, t] { wait_for_work(t); });
      if (cpus.size() >= threads) {
        pin(threads_.back(), cpus[t]);
      }
    }
  } catch (const std::system_error& error) {
    stop();
    throw EnvironmentError("thread " + std::to_string(threads_.size() + 1) + " of " +
                           std::to_string(threads) + " cannot be started: " + error.what());
  } catch (const std::bad_alloc&) {
    stop();
    throw EnvironmentError("there is no memory for " + std::to_string(threads) + " threads");
  } catch (...) {
    stop();
    throw;
  }
}

ThreadTeam::~ThreadTeam() {
  stop();
}

void ThreadTeam::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    ++round_;
  }
  begun_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
  threads_.clear();
}

void ThreadTeam::do_work(const Work& work, size_t thread) {
  try {
    work.call(work.object, thread);
  } catch (...) {
    failures_[thread] = std::current_exception();
  }
}

void ThreadTeam::wait_for_work(size_t thread) {
  for (uint64_t done = 0;; ++done) {
    if (awake_ && done > 0) {
      stay_awake([&] { return begun_after(done); });
    }
    if (!begun_after(done)) {
      std::unique_lock lock(mutex_);
      begun_.wait(lock, [&] { return begun_after(done); });
    }
    if (stopping_) {
      return;
    }
    do_work(work_, thread);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      const std::lock_guard lock(mutex_);
      ended_.notify_one();
    }
  }
}

void ThreadTeam::run_erased(Work work) {
  if (threads_.empty()) {
    do_work(work, 0);
  } else {
    std::unique_lock lock(mutex_);
    work_ = work;
    busy_ = threads_.size();
    ++round_;
    begun_.notify_all();
    ended_.wait(lock, [&] { return busy_ == 0; });
  }
  std::exception_ptr failure;
  for (std::exception_ptr& each : failures_) {
    failure = failure ? failure : each;
    each = nullptr;
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace presort::cpu
