// A fixed number of threads that wait for work: awake for a while after each round, since the
// rounds of a plan follow each other within microseconds and a sleeping thread takes tens of them
// to wake.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace presort::cpu {

// A team of one has no thread but its caller's.
class ThreadTeam {
 public:
  // With at least as many CPUs as threads, thread t runs on cpus[t] alone; with fewer, each thread
  // wherever the system puts it.
  // Requires: threads >= 1
  // Errors:   EnvironmentError when a thread cannot be started, or not on its CPU, or for want of
  //           memory
  explicit ThreadTeam(size_t threads, std::span<const int> cpus = {});
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  size_t size() const { return failures_.size(); }

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

  void run_erased(Work work);
  void do_work(const Work& work, size_t thread);
  void wait_for_work(size_t thread);
  void stop();

  bool begun_after(uint64_t done) const { return round_.load(std::memory_order_acquire) > done; }

  std::mutex mutex_;
  std::condition_variable begun_;
  std::condition_variable ended_;
  Work work_;                       // of the round begun last
  std::atomic<uint64_t> round_{0};  // of work begun; one more than those with work: the end
  std::atomic<size_t> busy_{0};     // threads that have not ended this round
  bool stopping_ = false;           // written before the last round begins
  bool awake_ = false;              // between rounds: each thread has a CPU of its own
  std::vector<std::exception_ptr> failures_;  // by thread
  std::vector<std::thread> threads_;
};

}  // namespace presort::cpu
