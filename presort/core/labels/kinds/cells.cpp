// Particles in the cells of a periodic grid of three axes. They were sorted by cell, as many in each,
// and each has moved since by up to K cells along each axis, either way, every distance equally
// likely. Label = cell = x + X (y + Y z), with X = ⌈m^⅓⌉, Y = ⌈(m / X)^½⌉, Z = ⌈m / XY⌉ cells along
// the axes. A particle that would come into a cell of m or more, of which there are some unless
// m = XYZ, has stayed at home. So the particles of a cell come within 2K + 1 planes of the grid.
#include <algorithm>
#include <cmath>

#include "presort/core/base/checked.h"
#include "presort/core/base/random.h"
#include "presort/core/labels/kinds/kinds.h"

namespace presort::inline v0 {
namespace {

uint64_t rounded_up(double x) {
  return std::max<uint64_t>(1, static_cast<uint64_t>(std::ceil(x - 1e-9)));
}

class Grid {
 public:
  Grid(uint64_t cells, uint64_t moves) : cells_(cells), moves_(moves) {
    const auto m = static_cast<double>(cells);
    x_ = rounded_up(std::cbrt(m));
    y_ = rounded_up(std::sqrt(m / static_cast<double>(x_)));
    z_ = (cells - 1) / (x_ * y_) + 1;
    distances_ = (2 * moves + 1) * (2 * moves + 1) * (2 * moves + 1);
  }

  uint64_t cells() const { return cells_; }
  uint64_t plane() const { return x_ * y_; }

  // Most grid cells between the homes of two particles that are now in one cell.
  uint64_t spread() const { return 2 * moves_ * (plane() + x_ + 1); }

  // The cell that a particle from `home` has moved to; `random` gives the distance.
  uint64_t moved(uint64_t home, uint64_t random) const { return at_distance(home, random, 1); }

  // The home of a particle that is in `cell` and moved by the distance that `random` gives in
  // moved().
  uint64_t home_of(uint64_t cell, uint64_t random) const { return at_distance(cell, random, -1); }

 private:
  uint64_t at_distance(uint64_t cell, uint64_t random, int sign) const {
    uint64_t distance = bounded(random, distances_);
    const uint64_t row = cell / x_;
    const uint64_t x = moved_along(cell - row * x_, take(distance), x_, sign);
    const uint64_t z = row / y_;
    const uint64_t y = moved_along(row - z * y_, take(distance), y_, sign);
    const uint64_t to = x + x_ * (y + y_ * moved_along(z, take(distance), z_, sign));
    return to < cells_ ? to : cell;
  }

  // Takes the next of the three steps along the axes, 0 to 2K, out of a distance.
  uint64_t take(uint64_t& distance) const {
    const uint64_t rest = distance / (2 * moves_ + 1);
    const uint64_t step = distance - rest * (2 * moves_ + 1);
    distance = rest;
    return step;
  }

  uint64_t moved_along(uint64_t from, uint64_t step, uint64_t length, int sign) const {
    const auto signed_length = static_cast<int64_t>(length);
    int64_t to = static_cast<int64_t>(from) +
                 sign * (static_cast<int64_t>(step) - static_cast<int64_t>(moves_));
    if (to < 0 || to >= signed_length) {
      to %= signed_length;
      to += to < 0 ? signed_length : 0;
    }
    return static_cast<uint64_t>(to);
  }

  uint64_t cells_;
  uint64_t moves_;
  uint64_t distances_;  // number of distances that a particle may move: (2K + 1)^3
  uint64_t x_;
  uint64_t y_;
  uint64_t z_;
};

class CellLabels : public RangedLabels {
 public:
  CellLabels(const LabelSequence& sequence, const Grid& grid)
      : RangedLabels(sequence, {0, sequence.m}, sequence.n), grid_(grid) {}

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    generate_in_proportion(sequence(), first, out);
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = grid_.moved(out[i], random_u64(sequence().seed, first + i));
    }
  }

  uint64_t reach() const override {
    const uint64_t inputs =
        scaled(sequence().n, std::min(grid_.spread(), sequence().m), sequence().m);
    return std::min(sequence().n, saturating_add(inputs, 1));
  }

 private:
  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override;

  Grid grid_;
};

// The particles in a range of cells, drawn anew: each is in one of the range's cells, any equally
// likely, and came from a random distance; they stand in the order of their home cells. Up to
// kDrawn particles are drawn one by one. If there are more, kDrawn of them mark how homes are
// spread, and each particle has moved into the range from a home near its mark.
class CellRange : public RangedLabels {
 public:
  CellRange(const LabelSequence& sequence, LabelRange range, const Grid& grid)
      : RangedLabels(sequence, range, scaled(sequence.n, range.width(), sequence.m)),
        grid_(grid),
        seed_(seed_of_range(sequence, range)),
        drawn_(static_cast<size_t>(std::min(size(), kDrawn))) {
    for (size_t i = 0; i < drawn_.size(); ++i) {
      const uint64_t cell = range.low + bounded(random_u64(seed_, 2 * i), range.width());
      drawn_[i] = {grid.home_of(cell, random_u64(seed_, 2 * i + 1)), cell};
    }
    std::ranges::stable_sort(drawn_, {}, &Particle::home);
  }

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = size() == drawn_.size() ? drawn_[first + i].cell : near_mark(first + i);
    }
  }

  uint64_t reach() const override {
    const uint64_t cells = std::min(grid_.spread(), grid_.cells());
    return std::min(size(), scaled(size(), cells, std::max(cells, spread_of_homes())));
  }

 private:
  struct Particle {
    uint64_t home;
    uint64_t cell;
  };
  static constexpr uint64_t kDrawn = uint64_t{1} << 16;
  // Most distances that are tried from a home until one ends in the range: one of 343 does so for a
  // range of one cell and K = 3.
  static constexpr uint64_t kAttempts = 256;

  uint64_t spread_of_homes() const {
    return drawn_.empty() ? 1 : drawn_.back().home - drawn_.front().home + 1;
  }

  uint64_t near_mark(uint64_t index) const {
    const double place = (static_cast<double>(index) + 0.5) / static_cast<double>(size()) *
                         static_cast<double>(drawn_.size());
    const size_t mark = std::min(static_cast<size_t>(place), drawn_.size() - 1);
    const size_t next = std::min(mark + 1, drawn_.size() - 1);
    const auto gap = static_cast<double>(drawn_[next].home - drawn_[mark].home);
    const uint64_t home =
        drawn_[mark].home + static_cast<uint64_t>((place - static_cast<double>(mark)) * gap);
    for (uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
      const uint64_t cell = grid_.moved(home, random_u64(random_u64(~seed_, index), attempt));
      if (cell >= range().low && cell < range().high) {
        return cell;
      }
    }
    return drawn_[mark].cell;
  }

  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override {
    return std::make_shared<CellRange>(sequence(), range, grid_);
  }

  Grid grid_;
  uint64_t seed_;
  std::vector<Particle> drawn_;  // drawn particles, sorted by home cell
};

std::shared_ptr<const LabelSource> CellLabels::narrowed(LabelRange range) const {
  return std::make_shared<CellRange>(sequence(), range, grid_);
}

}  // namespace

std::shared_ptr<const LabelSource> make_cell_labels(const LabelSequence& sequence,
                                                    const Distribution& distribution) {
  return std::make_shared<CellLabels>(
      sequence, Grid(sequence.m, static_cast<uint64_t>(distribution.parameter)));
}

}  // namespace presort
