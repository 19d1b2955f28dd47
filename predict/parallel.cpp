#include "predict/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace presort::predict {

void parallel_for(size_t count, size_t threads, const std::function<void(size_t)>& work,
                  const std::function<bool()>& stop) {
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto loop = [&] {
    for (size_t i = next++; i < count && !stop(); i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        failure = failure ? failure : std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::jthread> others;
  for (size_t t = 1; t < std::min(threads, count); ++t) {
    others.emplace_back(loop);
  }
  loop();
  others.clear();
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace presort::predict
