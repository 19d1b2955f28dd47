// Ranks that are threads of one process, for tests of what groups of processes do. No CUDA types.
#pragma once

#include <algorithm>
#include <barrier>
#include <exception>
#include <thread>
#include <vector>

#include "presort/gpu/processes/host_channel.h"

namespace presort::inline v0::gpu::test {

// Memory that the threads of a group share: a barrier, and the bytes that each has given.
struct ThreadBoard {
  explicit ThreadBoard(int ranks) : barrier(ranks), given(static_cast<size_t>(ranks)) {}
  std::barrier<> barrier;
  std::vector<std::span<const std::byte>> given;
};

class ThreadChannel : public HostChannel {
 public:
  ThreadChannel(ThreadBoard& board, int rank) : board_(board), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(board_.given.size()); }
  void all_gather(std::span<const std::byte> own, std::span<std::byte> all) override {
    board_.given[static_cast<size_t>(rank_)] = own;
    board_.barrier.arrive_and_wait();
    auto to = all.begin();
    for (const auto& bytes : board_.given) {
      to = std::copy(bytes.begin(), bytes.end(), to);
    }
    board_.barrier.arrive_and_wait();
  }

 private:
  ThreadBoard& board_;
  int rank_;
};

// Runs run(channel) in a thread for each rank. A rank that ends leaves the others' gathers.
// Errors: that of the first rank that threw
template <class Run>
void run_ranks(int ranks, const Run& run) {
  ThreadBoard board(ranks);
  std::vector<std::exception_ptr> errors(static_cast<size_t>(ranks));
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
      threads.emplace_back([&, rank] {
        ThreadChannel channel(board, rank);
        try {
          run(channel);
        } catch (...) {
          errors[static_cast<size_t>(rank)] = std::current_exception();
        }
        board.barrier.arrive_and_drop();
      });
    }
  }
  for (const auto& error : errors) {
    if (error) {
      std::rethrow_exception(error);
    }
  }
}

}  // namespace presort::gpu::test
