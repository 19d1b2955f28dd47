#include "presort/app/plot/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "presort/core/error.h"

namespace presort::inline v0::app {

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const std::string& program, const std::string& what) {
  throw EnvironmentError(fmt::format("{}: {}", program, what));
}

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { shut(); }

  int number() const { return number_; }  // number of the file descriptor; -1: closed
  void shut() {
    if (number_ >= 0) {
      close(std::exchange(number_, -1));
    }
  }

 private:
  int number_ = -1;
};

struct Channel {
  Descriptor ours;
  Descriptor theirs;
};

// A connection to standard input: a socket, because a write to it when nobody reads need not raise
// SIGPIPE.
Channel input_channel(const std::string& program) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    fail(program, std::string("cannot be started: ") + std::strerror(errno));
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Channel output_channel(const std::string& program) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    fail(program, std::string("cannot be started: ") + std::strerror(errno));
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const std::string& text : texts) {
    all.push_back(const_cast<char*>(text.c_str()));
  }
  all.push_back(nullptr);
  return all;
}

// A started program; killed and waited for unless its end was seen.
class Child {
 public:
  Child(const ChildProgram& program, int input, int output, int errors) : name_(program.path) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    std::vector<std::string> words = program.arguments;
    words.insert(words.begin(), program.path);
    const int error = posix_spawn(&id_, program.path.c_str(), &actions, &attributes,
                                  pointers(words).data(), pointers(program.environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
      id_ = -1;
      fail(name_, std::string("cannot be started: ") + std::strerror(error));
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (id_ > 0) {
      kill(id_, SIGKILL);
      while (waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
  }

  // The program's exit code, -1 after a signal; no value while it runs.
  std::optional<int> ended() {
    int status = 0;
    const pid_t found = waitpid(id_, &status, WNOHANG);
    if (found == 0 || (found < 0 && errno == EINTR)) {
      return std::nullopt;
    }
    id_ = -1;
    return found > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  std::string name_;
  pid_t id_ = -1;
};

// The parent's ends of the child's three streams, and the text that went through them.
class Conversation {
 public:
  Conversation(std::string_view input, const ChildLimits& limits, ChildResult& result)
      : input_(input), limits_(limits), result_(result) {}

  // Moves data between the streams for at most `milliseconds`.
  void step(int milliseconds);
  bool over() const { return out.number() < 0 && err.number() < 0; }
  bool too_much() const { return result_.output.size() > limits_.output_bytes; }

  Descriptor in, out, err;

 private:
  void send_some();
  void take(Descriptor& from, std::string& into, size_t most);

  std::string_view input_;
  const ChildLimits& limits_;
  ChildResult& result_;
};

void Conversation::send_some() {
  const ssize_t sent = send(in.number(), input_.data(), input_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent > 0) {
    input_.remove_prefix(static_cast<size_t>(sent));
  } else if (sent < 0 && (errno == EINTR || errno == EAGAIN)) {
    return;
  }
  if (sent < 0 || input_.empty()) {  // the program does not read any more, or all input was sent
    in.shut();
  }
}

void Conversation::take(Descriptor& from, std::string& into, size_t most) {
  std::array<char, 65536> block;
  const ssize_t got = read(from.number(), block.data(), block.size());
  if (got > 0) {
    into.append(block.data(),
                std::min(static_cast<size_t>(got), most - std::min(most, into.size())));
  } else if (got == 0 || errno != EINTR) {
    from.shut();
  }
}

void Conversation::step(int milliseconds) {
  if (in.number() >= 0 && input_.empty()) {
    in.shut();
  }
  // poll() ignores descriptors of -1
  pollfd waits[] = {
      {in.number(), POLLOUT, 0}, {out.number(), POLLIN, 0}, {err.number(), POLLIN, 0}};
  if (poll(waits, std::size(waits), milliseconds) <= 0) {
    return;
  }
  if (waits[0].revents != 0) {
    send_some();
  }
  if (waits[1].revents != 0) {
    take(out, result_.output, limits_.output_bytes + 1);
  }
  if (waits[2].revents != 0) {
    take(err, result_.errors, limits_.error_bytes);
  }
}

constexpr int kStep = 20;  // ms between two looks at whether the child has ended

}  // namespace

ChildResult run_child(const ChildProgram& program, std::string_view input,
                      const ChildLimits& limits) {
  const Clock::time_point end = Clock::now() + limits.time;
  ChildResult result;
  Channel in = input_channel(program.path);
  Channel out = output_channel(program.path);
  Channel err = output_channel(program.path);
  Child child(program, in.theirs.number(), out.theirs.number(), err.theirs.number());
  Conversation conversation(input, limits, result);
  conversation.in = std::move(in.ours);
  conversation.out = std::move(out.ours);
  conversation.err = std::move(err.ours);
  for (Channel* channel : {&in, &out, &err}) {
    channel->theirs.shut();
  }
  while (true) {
    if (Clock::now() > end) {
      fail(program.path, fmt::format("did not end within {} s and was stopped",
                                     std::chrono::duration<double>(limits.time).count()));
    }
    if (conversation.too_much()) {
      fail(program.path,
           fmt::format("wrote more than {} bytes and was stopped", limits.output_bytes));
    }
    if (!conversation.over()) {
      conversation.step(kStep);
    } else if (const std::optional<int> code = child.ended()) {
      result.exit_code = *code;
      return result;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

}  // namespace presort::app
