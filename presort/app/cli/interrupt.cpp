#include "presort/app/cli/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "presort/app/cli/exit_code.h"

namespace presort::inline v0::app {

namespace {

std::atomic<bool> deferred = false;
std::atomic<bool> seen = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may use nothing else");

extern "C" void on_interrupt(int) {
  if (!deferred || seen.exchange(true)) {
    _exit(kInterrupted);
  }
}

}  // namespace

void exit_on_interrupt() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void defer_interrupt() {
  deferred = true;
}

bool interrupted() {
  return seen;
}

StopToken interrupt_token() {
  return StopToken(seen);
}

}  // namespace presort::app
