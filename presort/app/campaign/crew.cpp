#include "presort/app/campaign/crew.h"

#include <chrono>
#include <system_error>
#include <utility>

namespace presort::inline v0::app::campaign {
namespace {

using Clock = std::chrono::steady_clock;

// Rows wait this long, s, before they are handed over: what a killed rank loses at most.
constexpr double kPieceSeconds = 1;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

Crew::Crew(const Points& points, const std::vector<Machine>& machines, size_t threads) {
  for (size_t i = 0; i < threads; ++i) {
    try {
      threads_.emplace_back([this, &points, &machines] { work(points, machines); });
    } catch (const std::system_error&) {
      if (threads_.empty()) {
        throw;
      }
      break;
    }
  }
}

Crew::~Crew() {
  stop();
}

void Crew::give(const Block& block) {
  const std::lock_guard lock(mutex_);
  blocks_.push_back(block);
  ++in_hand_;
  blocks_changed_.notify_one();
}

size_t Crew::blocks_in_hand() const {
  const std::lock_guard lock(mutex_);
  return in_hand_;
}

void Crew::push(Piece piece) {
  const std::lock_guard lock(mutex_);
  in_hand_ -= piece.ended ? 1 : 0;
  pieces_.push_back(std::move(piece));
  pieces_changed_.notify_one();
}

void Crew::compute(PointWork& work, const Block& block) {
  const Clock::time_point start = Clock::now();
  Clock::time_point handed_over = start;
  Piece piece;
  try {
    for (uint64_t i = 0; i < block.points.count; ++i) {
      piece.rows.push_back(work.row(block.points.first + i));
      if (seconds_since(handed_over) > kPieceSeconds) {
        push(std::exchange(piece, {}));
        handed_over = Clock::now();
      }
    }
  } catch (const Stopped&) {
    push(std::move(piece));
    throw;
  }
  piece.ended = block;
  piece.seconds = seconds_since(start);
  push(std::move(piece));
}

void Crew::work(const Points& points, const std::vector<Machine>& machines) {
  try {
    PointWork of_thread(points, machines, StopToken(stopping_));
    for (;;) {
      std::unique_lock lock(mutex_);
      blocks_changed_.wait(lock, [this] { return !blocks_.empty() || stopping_; });
      if (stopping_) {
        return;
      }
      const Block block = blocks_.front();
      blocks_.pop_front();
      lock.unlock();
      compute(of_thread, block);
    }
  } catch (const Stopped&) {  // the rest of the block is left
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    pieces_changed_.notify_one();
  }
}

std::vector<Piece> Crew::wait(int milliseconds) {
  std::unique_lock lock(mutex_);
  pieces_changed_.wait_for(lock, std::chrono::milliseconds(milliseconds),
                           [this] { return !pieces_.empty() || failure_ != nullptr; });
  if (pieces_.empty() && failure_ != nullptr) {
    std::rethrow_exception(failure_);
  }
  return std::exchange(pieces_, {});
}

std::vector<Piece> Crew::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    blocks_changed_.notify_all();
  }
  for (std::thread& thread : threads_) {
    if (thread.joinable()) {
      thread.join();
    }
  }
  return std::exchange(pieces_, {});
}

}  // namespace presort::app::campaign
