#include "supervisor.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace presort::inline v0::attack {
namespace {

constexpr int kAskMs = 200;  // interval at which the parent looks at the child, ms
constexpr int kFinished = 0;
constexpr int kTooLarge = 77;  // exit status of a child that took too much memory

// State that the child process reports while it runs cases, in memory shared with its parent.
struct Shared {
  std::atomic<uint64_t> number;  // number of the case that the child runs
  std::atomic<double> began;     // time when the running case began, s
  std::atomic<uint64_t> cases;   // number of cases that have ended
  std::atomic<uint64_t> refused;
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

uint64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) << 10;
}

void limit_address_space(uint64_t bytes) {
  if (bytes > 0) {
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
  }
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

void tell(int pipe, uint64_t number, const std::string& line) {
  std::string text = std::to_string(number) + "\t" + line;
  for (char& c : text) {
    c = c == '\n' ? ' ' : c;
  }
  text += '\n';
  if (write(pipe, text.data(), text.size()) < 0) {
    _exit(EXIT_FAILURE);  // the parent has closed the pipe, so the child ends
  }
}

// Body of the child process: runs cases [first, end) until `deadline`.
[[noreturn]] void work(Shared& shared, int pipe, uint64_t first, uint64_t end, double deadline,
                       const Limits& limits, const RunCase& run) {
  limit_address_space(limits.address_bytes);
  for (uint64_t number = first; number < end && now() < deadline; ++number) {
    shared.number = number;
    shared.began = now();
    const std::string line = run(number);
    ++shared.cases;
    if (line == "refused") {
      ++shared.refused;
    } else if (!line.empty()) {
      tell(pipe, number, line);
    }
    if (peak_bytes() > limits.resident_bytes) {
      tell(pipe, number, "memory: it grew above the limit\t" + line);
      shared.number = number + 1;
      _exit(kTooLarge);
    }
  }
  shared.number = end;
  _exit(kFinished);
}

void add(Findings& findings, uint64_t number, const std::string& line) {
  const size_t tab = line.find('\t');
  std::string cause;
  for (const char c : line.substr(0, tab)) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit || cause.empty() || cause.back() != '#') {
      cause += digit ? '#' : c;
    }
  }
  Findings::Cause& known = findings.causes[cause];
  if (known.count++ == 0) {
    known.first = number;
    known.detail = tab == std::string::npos ? "" : line.substr(tab + 1);
  }
}

// Removes whole lines from the front of the child's output, and handles them.
void take_lines(Findings& findings, std::string& told) {
  for (size_t end = told.find('\n'); end != std::string::npos; end = told.find('\n')) {
    const std::string line = told.substr(0, end);
    told.erase(0, end + 1);
    const size_t tab = line.find('\t');
    add(findings, std::strtoull(line.c_str(), nullptr, 10), line.substr(tab + 1));
  }
}

// Reads the child's output until the child ends or hangs; returns its wait status, and whether it hung.
int listen(pid_t child, int pipe, const Shared& shared, const Limits& limits, Findings& findings,
           bool& hung) {
  std::string told;
  for (bool open = true; open;) {
    pollfd ready{pipe, POLLIN, 0};
    if (poll(&ready, 1, kAskMs) > 0) {
      char block[4096];
      const ssize_t got = read(pipe, block, sizeof block);
      open = got > 0;
      told.append(block, static_cast<size_t>(got > 0 ? got : 0));
      take_lines(findings, told);
    }
    if (open && !hung && now() - shared.began > limits.case_seconds) {
      hung = true;
      kill(child, SIGKILL);
    }
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string end_of(int status, bool hung) {
  if (hung) {
    return "hang: a case had no end";
  }
  if (WIFSIGNALED(status)) {
    return std::string("signal: ") + strsignal(WTERMSIG(status));
  }
  return "sanitizer: exit status " + std::to_string(WEXITSTATUS(status)) +
         "\tits report stands on stderr";
}

}  // namespace

Findings run_cases(uint64_t first, uint64_t count, double seconds, const Limits& limits,
                   const RunCase& run) {
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    throw std::runtime_error("no memory to share with a child");
  }
  Shared& shared = *new (memory) Shared{};
  const double deadline = now() + seconds;
  const uint64_t end = first + count;
  Findings findings;
  for (uint64_t next = first; next < end && now() < deadline;) {
    int ends[2];
    shared.number = next;
    shared.began = now();
    std::fflush(nullptr);
    if (pipe(ends) != 0) {
      throw std::runtime_error("no pipe to a child");
    }
    const pid_t child = fork();
    if (child < 0) {
      throw std::runtime_error("no child");
    }
    if (child == 0) {
      close(ends[0]);
      work(shared, ends[1], next, end, deadline, limits, run);
    }
    close(ends[1]);
    bool hung = false;
    const int status = listen(child, ends[0], shared, limits, findings, hung);
    close(ends[0]);
    const bool ended = WIFEXITED(status) && !hung;
    if (ended && WEXITSTATUS(status) == kFinished) {
      break;
    }
    next = shared.number;
    if (!ended || WEXITSTATUS(status) != kTooLarge) {
      add(findings, next, end_of(status, hung));
      ++shared.cases;
      ++next;
    }
  }
  findings.cases = shared.cases;
  findings.refused = shared.refused;
  munmap(memory, sizeof(Shared));
  return findings;
}

}  // namespace presort::attack
