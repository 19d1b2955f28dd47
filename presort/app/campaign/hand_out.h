// Hands out the points of a campaign in blocks that shrink (guided self-scheduling): few messages
// at first, small blocks at the end, so that all workers end together.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace presort::inline v0::app::campaign {

// Consecutive points [first, first + count).
struct Range {
  uint64_t first = 0;
  uint64_t count = 0;
  bool operator==(const Range&) const = default;
};

struct Block {
  uint64_t number = 0;  // number of the block, different for each one handed out
  Range points;
};

// Which part of the points a process computes: 1 of 1 is all.
struct Shard {
  uint64_t index = 1;  // from 1
  uint64_t count = 1;
};

// The points below `size` that are in a shard and not in `done`, as rising ranges. The shards divide
// the points among them, in stretches of up to 256 points by turns.
// Requires: done in any order, repeated or not, all below size
std::vector<Range> missing_points(uint64_t size, std::vector<uint64_t> done, Shard shard = {});

// Who has a block: the number of a rank.
using Owner = int;

class HandOut {
 public:
  // ranges: the points to hand out. workers: threads of all ranks.
  HandOut(std::vector<Range> ranges, size_t workers);

  // The next block, about half of what each worker would get if the rest were divided now; no value
  // when nothing is left. A block takes at most about ten seconds, by the blocks done so far; the
  // first ones have up to kFirstBlock points.
  std::optional<Block> next(Owner owner);

  // Ends a block, which took a worker `seconds`. A block that was given up does not count: its
  // points are handed out anew, and their rows are the same.
  void done(uint64_t number, double seconds);

  // Takes back all blocks of an owner, to hand them out again.
  void give_up(Owner owner);

  bool finished() const { return done_points_ == total_; }  // true: all points are done
  bool has_outstanding(Owner owner) const;
  uint64_t done_points() const { return done_points_; }
  uint64_t total_points() const { return total_; }

  static constexpr uint64_t kFirstBlock = 16;
  static constexpr double kLongestBlock = 10;  // s

 private:
  struct Outstanding {
    Owner owner;
    Range points;
    bool given_up;
  };
  uint64_t block_size() const;

  std::vector<Range> left_;  // points not handed out, the next range last
  uint64_t left_points_ = 0;
  size_t workers_;
  uint64_t total_ = 0;
  uint64_t done_points_ = 0;
  double seconds_ = 0;  // time that the done points took, s of a worker
  uint64_t next_number_ = 0;
  std::map<uint64_t, Outstanding> outstanding_;
};

}  // namespace presort::app::campaign
