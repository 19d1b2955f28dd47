// Makes the system refuse threads, as a limit on processes or on memory does.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <thread>

namespace presort::inline v0::test {

// While this object lives, new threads of this process ask for a stack larger than any address space.
class RefusedThreads {
 public:
  RefusedThreads() {
    pthread_getattr_default_np(&usual_);
    pthread_attr_t attributes;
    pthread_getattr_default_np(&attributes);
    pthread_attr_setstacksize(&attributes, size_t{1} << 60);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }
  ~RefusedThreads() {
    pthread_setattr_default_np(&usual_);
    pthread_attr_destroy(&usual_);
  }
  RefusedThreads(const RefusedThreads&) = delete;
  RefusedThreads& operator=(const RefusedThreads&) = delete;

 private:
  pthread_attr_t usual_;
};

// True if this system refuses threads while a RefusedThreads object lives.
inline bool threads_are_refused() {
  const RefusedThreads refused;
  try {
    std::thread([] {}).join();
    return false;
  } catch (const std::system_error&) {
    return true;
  }
}

}  // namespace presort::test
