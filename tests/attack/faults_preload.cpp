// Loaded before a command under attack (LD_PRELOAD): refuses the n-th allocation, thread or write.
//   PRESORT_ATTACK_FAIL=CALL:N    the N-th call fails; N+: all that follow, too; empty: none
//   PRESORT_ATTACK_COUNT=FILE     the number of calls of each kind is written to FILE at the end
// CALL is malloc (and calloc, realloc, aligned_alloc, posix_memalign), mmap, thread or write.
// Calls are counted once main() has begun, and in this process alone: its children do not load the
// library. What hwloc allocates while it looks for processors is neither counted nor refused: hwloc 2.9
// does not check (a null pointer in hwloc_topology_reconnect).
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

extern "C" {
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* block, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
}

namespace {

enum Call { kMalloc, kMmap, kThread, kWrite, kCalls };
constexpr const char* kNames[kCalls] = {"malloc", "mmap", "thread", "write"};

std::atomic<bool> begun{false};
thread_local bool in_hwloc = false;
std::atomic<long> counts[kCalls];
int failing = kCalls;
long fails_at = 0;
bool fails_on = false;
char count_file[4096];

// Counts a call; true if this call must fail.
bool refused(Call call) {
  if (!begun.load(std::memory_order_relaxed) || in_hwloc) {
    return false;
  }
  const long number = ++counts[call];
  return call == failing && (fails_on ? number >= fails_at : number == fails_at);
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

void read_settings() {
  const char* fail = std::getenv("PRESORT_ATTACK_FAIL");
  const char* number = fail != nullptr ? std::strchr(fail, ':') : nullptr;
  for (int call = 0; number != nullptr && call < kCalls; ++call) {
    if (std::strncmp(fail, kNames[call], static_cast<size_t>(number - fail)) == 0) {
      failing = call;
      fails_at = std::strtol(number + 1, nullptr, 10);
      fails_on = std::strchr(number, '+') != nullptr;
    }
  }
  const char* file = std::getenv("PRESORT_ATTACK_COUNT");
  std::snprintf(count_file, sizeof count_file, "%s", file != nullptr ? file : "");
  for (const char* name : {"LD_PRELOAD", "PRESORT_ATTACK_FAIL", "PRESORT_ATTACK_COUNT"}) {
    unsetenv(name);
  }
}

void write_counts() {
  begun = false;
  if (count_file[0] == '\0') {
    return;
  }
  if (FILE* file = std::fopen(count_file, "w")) {
    for (int call = 0; call < kCalls; ++call) {
      std::fprintf(file, "%s %ld\n", kNames[call], counts[call].load());
    }
    std::fclose(file);
  }
}

int (*real_main)(int, char**, char**);

int counted_main(int argc, char** argv, char** environment) {
  read_settings();
  std::atexit(write_counts);
  begun = true;
  return real_main(argc, argv, environment);
}

void* no_memory() {
  errno = ENOMEM;
  return nullptr;
}

}  // namespace

extern "C" {

void* malloc(size_t bytes) {
  return refused(kMalloc) ? no_memory() : __libc_malloc(bytes);
}

void* calloc(size_t count, size_t bytes) {
  return refused(kMalloc) ? no_memory() : __libc_calloc(count, bytes);
}

void* realloc(void* block, size_t bytes) {
  return refused(kMalloc) ? no_memory() : __libc_realloc(block, bytes);
}

void* aligned_alloc(size_t alignment, size_t bytes) {
  return refused(kMalloc) ? no_memory() : __libc_memalign(alignment, bytes);
}

int posix_memalign(void** block, size_t alignment, size_t bytes) {
  void* found = refused(kMalloc) ? nullptr : __libc_memalign(alignment, bytes);
  if (found == nullptr) {
    return ENOMEM;
  }
  *block = found;
  return 0;
}

void* mmap(void* address, size_t bytes, int protection, int flags, int file, off_t offset) {
  static const auto real = next<decltype(&::mmap)>("mmap");
  if (refused(kMmap)) {
    no_memory();
    return MAP_FAILED;
  }
  return real(address, bytes, protection, flags, file, offset);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  static const auto real = next<decltype(&::pthread_create)>("pthread_create");
  return refused(kThread) ? EAGAIN : real(thread, attributes, start, argument);
}

ssize_t write(int file, const void* bytes, size_t count) {
  static const auto real = next<decltype(&::write)>("write");
  if (refused(kWrite)) {
    errno = ENOSPC;
    return -1;
  }
  return real(file, bytes, count);
}

int hwloc_topology_init(void* topology) {
  static const auto real = next<decltype(&::hwloc_topology_init)>("hwloc_topology_init");
  in_hwloc = true;
  const int result = real(topology);
  in_hwloc = false;
  return result;
}

int hwloc_topology_load(void* topology) {
  static const auto real = next<decltype(&::hwloc_topology_load)>("hwloc_topology_load");
  in_hwloc = true;
  const int result = real(topology);
  in_hwloc = false;
  return result;
}

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                      void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  using Start =
      int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  real_main = main;
  return next<Start>("__libc_start_main")(counted_main, argc, argv, init, fini, rtld_fini,
                                          stack_end);
}

}  // end of extern "C"
