#include "presort/cpu/thread_team.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "presort/core/error.h"
#include "presort/cpu/memory/allocated.h"
#include "presort/cpu/threads/awake.h"

namespace presort::inline v0::cpu {

namespace {

void pin(pthread_t thread, int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(cpu), &set);
  if (pthread_setaffinity_np(thread, sizeof set, &set) != 0) {
    throw EnvironmentError("a thread cannot be pinned to CPU " + std::to_string(cpu));
  }
}

// Counts the forks between the first team and this process. Asking for the process's number (getpid)
// instead would take a system call in each round of a team: 0.3 µs on a virtual machine, where a round
// takes 1 µs.
std::atomic<unsigned> forks{0};

void count_fork() {
  forks.fetch_add(1, std::memory_order_relaxed);
}

void count_forks_from_now_on() {
  static const int error = pthread_atfork(nullptr, nullptr, count_fork);
  if (error != 0) {
    throw EnvironmentError(std::string("forks cannot be noticed: ") + std::strerror(error));
  }
}

void pause() {
#if defined(__SSE2__)
  _mm_pause();
#endif
}

// Waits until `condition` holds or kAwake has passed. Other threads that want the CPU get it
// meanwhile.
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

struct ThreadTeam::Member {
  ThreadTeam* team;
  size_t number;
  pthread_t thread;

  static void* run(void* member) {
    const auto* self = static_cast<const Member*>(member);
    self->team->wait_for_work(self->number);
    return nullptr;
  }
};

ThreadTeam::ThreadTeam(size_t threads, std::span<const int> cpus)
    : awake_(cpus.size() >= threads), failures_(allocated<std::exception_ptr>(threads)) {
  nodes_[0] = {0, threads};
  if (threads < 2) {
    return;
  }
  count_forks_from_now_on();
  try {
    members_.reserve(threads);
    if (cpus.size() >= threads) {
      cpus_.assign(cpus.begin(), cpus.begin() + static_cast<std::ptrdiff_t>(threads));
    }
  } catch (const std::bad_alloc&) {
    throw EnvironmentError("there is no memory for " + std::to_string(threads) + " threads");
  }
  start();
}

ThreadTeam::ThreadTeam(size_t threads, const ThreadPlaces& places)
    : ThreadTeam(threads, places.cpus) {
  node_count_ = 0;
  for (size_t t = 0; t < threads; ++t) {
    if (t == 0 || places.nodes[t] != places.nodes[t - 1]) {
      nodes_.at(node_count_++) = {t, t};
    }
    ++nodes_[node_count_ - 1].last;
  }
}

ThreadTeam::ThreadTeam(size_t threads, RunAll run_all)
    : run_all_(std::move(run_all)), failures_(allocated<std::exception_ptr>(threads)) {
  nodes_[0] = {0, threads};
}

ThreadTeam::~ThreadTeam() {
  if (is_forked_copy()) {
    forget_threads_of_parent();
  }
  stop();
}

// Starts the team's threads. Requires: the team has no threads
void ThreadTeam::start() {
  forks_ = forks.load(std::memory_order_relaxed);
  try {
    for (size_t t = 0; t < size(); ++t) {
      Member& member = members_.emplace_back(Member{this, t, {}});
      const int error = pthread_create(&member.thread, nullptr, Member::run, &member);
      if (error != 0) {
        members_.pop_back();
        throw EnvironmentError("thread " + std::to_string(t + 1) + " of " + std::to_string(size()) +
                               " cannot be started: " + std::strerror(error));
      }
      if (!cpus_.empty()) {
        pin(member.thread, cpus_[t]);
      }
    }
  } catch (...) {
    stop();
    throw;
  }
}

// Ends the team's threads; start() can start threads again.
void ThreadTeam::stop() {
  if (members_.empty()) {
    return;
  }
  {
    const std::lock_guard lock(rounds_.mutex);
    rounds_.stopping = true;
    ++rounds_.count;
  }
  rounds_.begun.notify_all();
  for (const Member& member : members_) {
    pthread_join(member.thread, nullptr);
  }
  members_.clear();
  std::destroy_at(&rounds_);
  std::construct_at(&rounds_);
}

bool ThreadTeam::is_forked_copy() const {
  return !members_.empty() && forks_ != forks.load(std::memory_order_relaxed);
}

// In a forked child, the copy of the mutex may be locked for ever, and the copy of a condition
// would wait in its destructor for threads that are not there. So neither is destroyed; a new mutex and a
// new condition take their place.
void ThreadTeam::forget_threads_of_parent() {
  members_.clear();
  std::construct_at(&rounds_);
  std::fill(failures_.begin(), failures_.end(), nullptr);
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
    const auto begun = [&] { return rounds_.begun_after(done); };
    if (awake_ && done > 0) {
      stay_awake(begun);
    }
    if (!begun()) {
      std::unique_lock lock(rounds_.mutex);
      rounds_.begun.wait(lock, begun);
    }
    if (rounds_.stopping) {
      return;
    }
    do_work(rounds_.work, thread);
    if (rounds_.busy.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      const std::lock_guard lock(rounds_.mutex);
      rounds_.ended.notify_one();
    }
  }
}

void ThreadTeam::run_round(Work work) {
  if (is_forked_copy()) {
    forget_threads_of_parent();
  }
  if (members_.empty()) {
    start();
  }
  std::unique_lock lock(rounds_.mutex);
  rounds_.work = work;
  rounds_.busy = members_.size();
  ++rounds_.count;
  rounds_.begun.notify_all();
  rounds_.ended.wait(lock, [&] { return rounds_.busy == 0; });
}

void ThreadTeam::run_erased(Work work) {
  if (run_all_) {
    run_all_(size(), [this, &work](size_t t) { do_work(work, t); });
  } else if (size() == 1) {
    do_work(work, 0);
  } else {
    run_round(work);
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
