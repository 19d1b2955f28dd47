// The threads of one rank that compute points.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "presort/app/campaign/hand_out.h"
#include "presort/app/campaign/point_work.h"
#include "presort/app/campaign/points.h"
#include "presort/io/campaign/campaign_row.h"

namespace presort::inline v0::app::campaign {

// Finished rows of a block. Pieces of one block come in the order of its points.
struct Piece {
  std::vector<io::CampaignRow> rows;
  std::optional<Block> ended;  // the block, if these are its last rows
  double seconds = 0;          // time that the whole block took, s; 0 before its end
};

class Crew {
 public:
  // Starts threads. points and machines outlive this object.
  // Errors: std::system_error when the system refuses the first thread
  Crew(const Points& points, const std::vector<Machine>& machines, size_t threads);
  ~Crew();  // waits for the threads, which leave their blocks after the point at hand
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  size_t threads() const { return threads_.size(); }

  // Adds a block to those to compute. Blocks are begun in this order.
  void give(const Block& block);

  size_t blocks_in_hand() const;  // number of blocks that were given and have not ended

  // The pieces that were finished since the last call; waits for one up to `milliseconds`.
  // Errors: what a thread threw: std::bad_alloc, or Stopped
  std::vector<Piece> wait(int milliseconds);

  // Ends the threads within about a second, and returns the pieces that are left.
  std::vector<Piece> stop();

 private:
  void work(const Points& points, const std::vector<Machine>& machines);
  void compute(PointWork& work, const Block& block);
  void push(Piece piece);

  mutable std::mutex mutex_;
  std::condition_variable blocks_changed_;
  std::condition_variable pieces_changed_;
  std::deque<Block> blocks_;
  size_t in_hand_ = 0;
  std::vector<Piece> pieces_;
  std::exception_ptr failure_;
  std::atomic<bool> stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace presort::app::campaign
