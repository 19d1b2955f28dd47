#include "app/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "app/interrupt.h"

namespace presort::app {

void parallel_for(size_t count, const std::function<void(size_t)>& work,
                  const std::function<void(size_t)>& done) {
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto loop = [&] {
    for (size_t i = next++; i < count && !interrupted(); i = next++) {
      try {
        work(i);
        const std::lock_guard lock(mutex);
        done(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        failure = failure ? failure : std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::jthread> threads;
  const size_t cores = std::max(1U, std::thread::hardware_concurrency());
  for (size_t t = 1; t < std::min(cores, count); ++t) {
    threads.emplace_back(loop);
  }
  loop();
  threads.clear();
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace presort::app
