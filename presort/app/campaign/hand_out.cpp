#include "presort/app/campaign/hand_out.h"

#include <algorithm>
#include <utility>

namespace presort::inline v0::app::campaign {
namespace {

constexpr uint64_t kLongestStretch = 256;

// Points of a stretch: at least 16 stretches for each shard, where there are enough points.
uint64_t stretch_of(uint64_t size, const Shard& shard) {
  return std::clamp<uint64_t>(size / shard.count / 16, 1, kLongestStretch);
}

}  // namespace

std::vector<Range> missing_points(uint64_t size, std::vector<uint64_t> done, Shard shard) {
  std::sort(done.begin(), done.end());
  std::vector<Range> ranges;
  const auto add = [&ranges](uint64_t first, uint64_t end) {
    if (first == end) {
      return;
    }
    if (!ranges.empty() && ranges.back().first + ranges.back().count == first) {
      ranges.back().count += end - first;
    } else {
      ranges.push_back({first, end - first});
    }
  };
  const uint64_t stretch = shard.count == 1 ? std::max<uint64_t>(size, 1) : stretch_of(size, shard);
  auto next = done.begin();
  for (uint64_t first = (shard.index - 1) * stretch; first < size;) {
    const uint64_t end = std::min(size, first + stretch);
    next = std::lower_bound(next, done.end(), first);
    uint64_t at = first;
    for (; next != done.end() && *next < end; ++next) {
      add(at, std::max(at, *next));
      at = std::max(at, *next + 1);
    }
    add(at, end);
    first += stretch * shard.count;
  }
  return ranges;
}

HandOut::HandOut(std::vector<Range> ranges, size_t workers)
    : left_(std::move(ranges)), workers_(std::max<size_t>(workers, 1)) {
  std::reverse(left_.begin(), left_.end());
  for (const Range& range : left_) {
    left_points_ += range.count;
  }
  total_ = left_points_;
}

uint64_t HandOut::block_size() const {
  const uint64_t guided = (left_points_ + 2 * workers_ - 1) / (2 * workers_);
  uint64_t most = kFirstBlock;
  if (done_points_ > 0 && seconds_ > 0) {
    const double points = kLongestBlock * static_cast<double>(done_points_) / seconds_;
    most = points < 1e15 ? std::max<uint64_t>(static_cast<uint64_t>(points), 1) : left_points_;
  }
  return std::max<uint64_t>(std::min(guided, most), 1);
}

std::optional<Block> HandOut::next(Owner owner) {
  if (left_.empty()) {
    return std::nullopt;
  }
  Range& range = left_.back();
  const Block block = {next_number_++, {range.first, std::min(range.count, block_size())}};
  range.first += block.points.count;
  range.count -= block.points.count;
  left_points_ -= block.points.count;
  if (range.count == 0) {
    left_.pop_back();
  }
  outstanding_[block.number] = {owner, block.points, false};
  return block;
}

void HandOut::done(uint64_t number, double seconds) {
  const auto found = outstanding_.find(number);
  if (found == outstanding_.end()) {
    return;
  }
  // The points of a block that was given up are handed out anew, and counted there.
  if (!found->second.given_up) {
    done_points_ += found->second.points.count;
    seconds_ += seconds;
  }
  outstanding_.erase(found);
}

void HandOut::give_up(Owner owner) {
  for (auto& [number, block] : outstanding_) {
    if (block.owner == owner && !block.given_up) {
      block.given_up = true;
      left_.push_back(block.points);
      left_points_ += block.points.count;
    }
  }
}

bool HandOut::has_outstanding(Owner owner) const {
  return std::any_of(outstanding_.begin(), outstanding_.end(), [owner](const auto& item) {
    return item.second.owner == owner && !item.second.given_up;
  });
}

}  // namespace presort::app::campaign
