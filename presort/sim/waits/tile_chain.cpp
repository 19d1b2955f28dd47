#include "presort/sim/waits/tile_chain.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

namespace presort::inline v0::sim {
namespace {

class Tiles {
 public:
  explicit Tiles(const TileChain& chain) : chain_(chain) {
    sums_.reserve(chain.tiles);
    prefixes_.reserve(chain.tiles);
  }

  TileTimes run() {
    TileTimes times;
    double looked = 0;
    for (uint64_t tile = 0; tile < chain_.tiles; ++tile) {
      const double start = start_of_next();
      served_ = std::max(served_, start) + chain_.interval_ns;
      sums_.push_back(std::max(start + chain_.local_ns, served_));
      const Known known = chain_.wait == TileWait::chained ? after_last(tile) : look_back(tile);
      prefixes_.push_back(known.at);
      const double end = known.at + chain_.finish_ns;
      ends_.push(end);
      times.total_ns = std::max(times.total_ns, end);
      times.longest_look_back = std::max(times.longest_look_back, known.looked);
      looked += static_cast<double>(known.looked);
    }
    times.mean_look_back = looked / static_cast<double>(chain_.tiles);
    return times;
  }

 private:
  // When a tile knows its prefix, and how many tiles it looked at.
  struct Known {
    double at;
    uint64_t looked;
  };

  // Tiles start in their order: one starts no earlier than the one before.
  double start_of_next() {
    if (ends_.size() == chain_.resident) {
      last_start_ = std::max(last_start_, ends_.top());
      ends_.pop();
    }
    return last_start_;
  }

  Known after_last(uint64_t tile) const {
    if (tile == 0) {
      return {sums_[0], 0};
    }
    return {std::max(sums_[tile] + chain_.look_ns, prefixes_[tile - 1] + chain_.message_ns), 1};
  }

  Known look_back(uint64_t tile) const {
    double now = sums_[tile];
    uint64_t end = tile;  // the tiles before `end` are not added up yet
    while (end > 0) {
      const uint64_t first = end > chain_.window ? end - chain_.window : 0;
      const Look look = look_at(first, end, now);
      if (look.retry_at > now) {
        now = look.retry_at;
        continue;
      }
      now += chain_.look_ns;
      end = look.nearest_prefix;
      if (look.is_last) {
        return {now, tile - end};
      }
    }
    return {now, tile};
  }

  // The finding of one look: the nearest tile that has published a prefix, or the window's first
  // tile; or that a sum is missing, and when the next one will be there.
  struct Look {
    uint64_t nearest_prefix;
    bool is_last;
    double retry_at;
  };
  Look look_at(uint64_t first, uint64_t end, double now) const {
    double retry_at = std::numeric_limits<double>::infinity();
    bool is_missing = false;
    for (uint64_t other = end; other-- > first;) {
      if (visible_from(prefixes_[other]) <= now) {
        return {other, true, is_missing ? retry_at : now};
      }
      // A prefix that comes soon ends the look-back too.
      retry_at = std::min(retry_at, visible_from(prefixes_[other]));
      if (visible_from(sums_[other]) > now) {
        is_missing = true;
        retry_at = std::min(retry_at, visible_from(sums_[other]));
      }
    }
    return {first, first == 0, is_missing ? retry_at : now};
  }

  // Earliest time at which a look may begin that finds what was published at `published`.
  double visible_from(double published) const {
    return published + chain_.message_ns - chain_.look_ns;
  }

  const TileChain& chain_;
  double served_ = 0;      // time at which memory has served the last tile
  double last_start_ = 0;  // start of the last tile
  std::vector<double> sums_;
  std::vector<double> prefixes_;
  std::priority_queue<double, std::vector<double>, std::greater<>> ends_;
};

}  // namespace

TileTimes time_tiles(const TileChain& chain) {
  return Tiles(chain).run();
}

}  // namespace presort::sim
