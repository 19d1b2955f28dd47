// Reads and writes of files that go on while the caller computes: by io_uring where it was built in
// and the kernel allows it, otherwise by threads that call pread and pwrite.
//   const Transfers::Ticket ticket = transfers->start({Transfer::Kind::read, file, 0, data,
//   bytes}); …                                        // the caller's own work
//   transfers->finish(ticket)                // waits, and says how many bytes came
// Requires: the memory of a transfer lives until finish() has returned for its ticket. With a file
//           opened for direct I/O, memory, offset and bytes are multiples of kDirectBytes
// Errors:   start: EnvironmentError; finish: none, the outcome has the system's error number
// Threads:  one object is used by one thread
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace presort::inline v0::external {

struct Transfer {
  enum class Kind { read, write };
  Kind kind = Kind::read;
  int file = -1;  // file descriptor
  uint64_t offset = 0;
  std::byte* data = nullptr;
  size_t bytes = 0;
};

// The end of a transfer. error: 0, or the error number of the system. bytes: moved before that;
// fewer than asked for where a read reached the file's end.
struct Outcome {
  size_t bytes = 0;
  int error = 0;
};

class Transfers {
 public:
  using Ticket = uint32_t;
  // Most transfers that are under way at a time; start() waits for one of more
  static constexpr size_t kMostUnderWay = 256;

  virtual ~Transfers() = default;

  // "io_uring" or "threads"
  virtual std::string means() const = 0;

  Ticket start(const Transfer& transfer);
  // Waits until a transfer is done. At most once for each ticket.
  Outcome finish(Ticket ticket);

 protected:
  struct Done {
    Ticket ticket = 0;
    int64_t result = 0;  // bytes moved, or a negative error number
  };
  virtual void submit(const Transfer& transfer, Ticket ticket) = 0;
  // Waits until any transfer is done.
  virtual Done wait_for_any() = 0;

 private:
  struct State {
    Transfer rest;  // what has not been moved yet
    Outcome outcome;
    bool is_done = false;
  };
  void reap();

  std::vector<State> states_;   // by ticket
  std::vector<Ticket> unused_;  // tickets that may be given again
  size_t under_way_ = 0;
};

enum class Means { automatic, uring, threads };

// Makes the transfers of a run. Errors: EnvironmentError for Means::uring where there is none
std::unique_ptr<Transfers> make_transfers(Means means = Means::automatic);

// The two kinds, of which make_transfers() takes one. No io_uring: a null pointer.
std::unique_ptr<Transfers> make_uring_transfers();
std::unique_ptr<Transfers> make_thread_transfers();

}  // namespace presort::external
