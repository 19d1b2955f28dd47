// Stops a child process at each of its system calls, so that a test can look at the files then, or
// kill the child there.
#pragma once

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

namespace presort::inline v0::io::test {

// Runs `action` in a child. Calls at_stop(k) whenever it stands before or behind a system call, the
// k-th such place, counted from 0; the child is killed at that place unless at_stop returns true.
// Returns the number of places until the child's end; -1 when tracing is not allowed here.
inline int at_system_calls(const std::function<void()>& action,
                           const std::function<bool(int)>& at_stop) {
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) {
      _exit(2);
    }
    raise(SIGSTOP);
    action();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) {
    return -1;
  }
  for (int place = 0;; ++place) {
    ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    waitpid(child, &status, 0);
    if (!WIFSTOPPED(status)) {
      return place;
    }
    if (!at_stop(place)) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return place + 1;
    }
  }
}

}  // namespace presort::io::test
