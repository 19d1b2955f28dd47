#include "app/interrupt.h"

#include <unistd.h>

#include <csignal>

#include "app/exit_code.h"

namespace presort::app {

namespace {

volatile std::sig_atomic_t deferred = 0;
volatile std::sig_atomic_t seen = 0;

extern "C" void on_interrupt(int) {
  if (deferred == 0 || seen != 0) {
    _exit(kInterrupted);
  }
  seen = 1;
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
  deferred = 1;
}

bool interrupted() {
  return seen != 0;
}

}  // namespace presort::app
