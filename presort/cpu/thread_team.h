// A fixed number of threads that wait for work: awake for a while after each round, since the
// rounds of a plan follow each other within microseconds and a sleeping thread takes tens of them
// to wake.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "presort/cpu/nodes/thread_places.h"
#include "presort/cpu/threads/shares.h"

namespace presort::inline v0::cpu {

// A team of one has no thread but its caller's.
// After fork() the parent's team is as it was. The child, where none of its threads lives, has a
// team that starts threads anew, on the same CPUs, at its first run() there; that run may throw as
// the constructor does, and allocates. A team may be destroyed in the child, whatever the parent
// did with it at that moment. All of this holds for fork() of the C library, and not between
// vfork() and exec, nor after a bare clone().
class ThreadTeam {
 public:
  // With at least as many CPUs as threads, thread t runs on cpus[t] alone; with fewer, each thread
  // wherever the system puts it.
  // Requires: threads >= 1
  // Errors:   EnvironmentError when a thread cannot be started, or not on its CPU, or for want of
  //           memory
  explicit ThreadTeam(size_t threads, std::span<const int> cpus = {});

  // Thread t runs on places.cpus[t], on memory node places.nodes[t]; without CPUs wherever the
  // system puts it.
  // Requires: places are of `threads` threads
  // Errors:   as above
  ThreadTeam(size_t threads, const ThreadPlaces& places);

  // A team that uses somebody else's threads, such as a pool: run_all(count, work) calls work(t)
  // once for every t in [0, count), from any threads, at the same time or one after the other, and
  // returns when all calls have. Calls of one round do not wait for each other.
  // Requires: threads >= 1; run_all works as long as the team is used. What it throws, run() throws
  // Errors:   EnvironmentError for want of memory
  using RunAll = std::function<void(size_t count, const std::function<void(size_t)>& work)>;
  ThreadTeam(size_t threads, RunAll run_all);

  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  size_t size() const { return failures_.size(); }

  // Threads [first, last) of each memory node that has threads, in their order; one node for a team
  // that was made without nodes.
  std::span<const Share> nodes() const { return {nodes_.data(), node_count_}; }

  // Calls work(t) for every t in [0, size()), each from a thread of its own, and waits until all
  // have ended: what one of them wrote is then seen by all. If any threw, the exception of the
  // lowest t among them is rethrown. Allocates nothing.
  // Requires: not called by two threads at once, nor by work
  template <class F>
  void run(const F& work) {
    run_erased({&work, [](const void* f, size_t t) { (*static_cast<const F*>(f))(t); }});
  }

 private:
  struct Work {
    const void* object = nullptr;
    void (*call)(const void* object, size_t thread) = nullptr;
  };

  // State of a team's rounds of work, shared by its threads and their caller.
  struct Rounds {
    std::mutex mutex;
    std::condition_variable begun;
    std::condition_variable ended;
    Work work;  // work of the latest round, called by each thread
    std::atomic<uint64_t> count{
        0};                       // rounds begun so far; in the last one threads end without work
    std::atomic<size_t> busy{0};  // threads that have not finished the current round
    bool stopping = false;        // true: threads shall end; set before the last round begins

    bool begun_after(uint64_t done) const { return count.load(std::memory_order_acquire) > done; }
  };
  struct Member;

  void run_erased(Work work);
  void run_round(Work work);
  void do_work(const Work& work, size_t thread);
  void wait_for_work(size_t thread);
  void start();
  void stop();
  bool is_forked_copy() const;
  void forget_threads_of_parent();

  Rounds rounds_;
  RunAll run_all_;         // runs work on the caller's threads; empty: the team has its own
  bool awake_ = false;     // true: each thread has a CPU of its own and stays awake between rounds
  unsigned forks_ = 0;     // number of forks when the threads were started
  std::vector<int> cpus_;  // CPUs that threads are pinned to; empty: none
  std::vector<std::exception_ptr>
      failures_;                           // exceptions that threads threw in the round, by thread
  std::array<Share, kMostNodes> nodes_{};  // ranges of threads by node; the first node_count_ count
  size_t node_count_ = 1;
  std::vector<Member> members_;  // the team's own threads; empty: not started
};

}  // namespace presort::cpu
