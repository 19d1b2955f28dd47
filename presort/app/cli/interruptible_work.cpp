#include "presort/app/cli/interruptible_work.h"

#include <algorithm>
#include <mutex>
#include <thread>

#include "presort/app/cli/interrupt.h"
#include "presort/predict/parallel.h"

namespace presort::inline v0::app {

void parallel_for(size_t count, const std::function<void(size_t)>& work,
                  const std::function<void(size_t)>& done) {
  std::mutex mutex;
  const auto work_and_tell = [&](size_t i) {
    work(i);
    const std::lock_guard lock(mutex);
    done(i);
  };
  const size_t cores = std::max(1U, std::thread::hardware_concurrency());
  try {
    predict::parallel_for(count, cores, work_and_tell, interrupted);
  } catch (const Stopped&) {
    if (!interrupted()) {
      throw;
    }
  }
}

}  // namespace presort::app
