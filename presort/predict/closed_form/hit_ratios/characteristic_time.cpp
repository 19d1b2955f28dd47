#include "presort/predict/closed_form/hit_ratios/characteristic_time.h"

#include <algorithm>
#include <cmath>

namespace presort::inline v0::predict {

namespace {

constexpr double kForever = 1e15;  // window, in inputs, of a cache level with room for all units
constexpr int kSteps = 60;
constexpr double kPrecision = 1e-4;

bool keeps_at_random(const Replacement& policy) {
  return policy.kind == ReplacementKind::random || policy.kind == ReplacementKind::fifo;
}

// The number of inputs in which as many units are touched as the cache has room for. Newton's
// method from `below`, a window with no more units than that. It does not overshoot, because the
// number of touched units grows ever more slowly.
double recency_window(std::span<const Population> populations, double room, double below) {
  double window = below;
  for (int step = 0; step < kSteps; ++step) {
    double held = 0;
    double growth = 0;
    for (const Population& population : populations) {
      held += occupancy(population, window);
      growth += misses(population, window);
    }
    const double more = growth > 0 ? (room - held) / growth : kForever;
    window += std::max(0.0, more);
    if (window >= kForever) {
      return kForever;
    }
    if (more < kPrecision * window) {
      break;
    }
  }
  return window;
}

// Finds the window at which the function `filled`, which grows with the window, is 1. Illinois
// rule: a secant of the logarithms inside an interval around the solution; the end that is kept
// counts less each time.
template <class Filled>
double balanced_window(Filled filled) {
  double low = std::log(1e-3);
  double high = std::log(kForever);
  const auto excess = [&](double log_window) {
    return std::log(std::max(1e-300, filled(std::exp(log_window))));
  };
  double below = excess(low);
  double above = excess(high);
  if (above <= 0) {
    return kForever;
  }
  int side = 0;
  for (int step = 0; step < kSteps && high - low > kPrecision; ++step) {
    const double middle = (low * above - high * below) / (above - below);
    const double at = excess(middle);
    if (std::abs(at) < kPrecision) {
      return std::exp(middle);
    }
    if (at < 0) {
      low = middle;
      below = at;
      above = side == -1 ? above / 2 : above;
      side = -1;
    } else {
      high = middle;
      above = at;
      below = side == 1 ? below / 2 : below;
      side = 1;
    }
  }
  return std::exp((low + high) / 2);
}

}  // namespace

// The share of touches that miss a cache level, if `arrivals` arrivals lie between a touch of a
// unit and the one before it.
double CharacteristicTimes::missed(const Level& level, double rate, double arrivals,
                                   double horizon) {
  if (level.kind == Kind::recency) {
    return poisson_below(rate * std::min(level.window, horizon), arrivals);
  }
  if (arrivals == 0) {
    return 0;
  }
  if (arrivals == kNever) {
    return 1;
  }
  // A unit was last touched a inputs ago, a below the horizon, with some density; the probability
  // that it is still in the cache is exp(-(a - above) / window).
  const double above = std::min(level.above, horizon);
  const double young = poisson_below(rate * above, arrivals);
  if (young == 0) {
    return 0;
  }
  if (arrivals > 1) {
    const double left = std::max(1.0, arrivals - rate * above);
    const double kept = rate * level.window / (1 + rate * level.window);
    return young * (1 - std::pow(kept, left) * (1 - poisson_below(rate * horizon, arrivals)));
  }
  const double sum = rate + 1 / level.window;
  const double later = horizon == kNever ? 0 : std::exp(-sum * (horizon - above));
  return young * (1 - rate / sum * (1 - later));
}

double CharacteristicTimes::missed(const Level& level, const Measured& measured, double horizon) {
  const double interval = measured.interval;
  if (level.kind == Kind::recency) {
    return measured.touches * measured.times->longer(std::min(level.window, horizon) / interval);
  }
  return measured.touches * (1 - measured.times->kept(level.above / interval,
                                                      level.window / interval, horizon / interval));
}

double CharacteristicTimes::sum_missed(const Level& level, const Population& population,
                                       double horizon) {
  double sum = 0;
  for (const Group& group : population.groups) {
    double of_arrival = 0;
    if (level.kind == Kind::recency) {
      of_arrival = sum_below(population.reuses, group.rate * std::min(level.window, horizon));
    } else {
      for (const Reuse& reuse : population.reuses) {
        of_arrival += reuse.touches * missed(level, group.rate, reuse.arrivals, horizon);
      }
    }
    sum += group.count * group.rate * of_arrival;
  }
  for (const Measured& measured : population.measured) {
    sum += missed(level, measured, horizon);
  }
  return sum;
}

CharacteristicTimes::CharacteristicTimes(const std::vector<Room>& rooms,
                                         std::span<const Population> populations, double inputs) {
  double all = inputs == kNever ? kForever : 0;
  for (const Population& population : populations) {
    all += inputs == kNever ? 0 : occupancy(population, inputs);
  }
  double above_units = 0;
  double above_window = 0;  // window, in inputs, of the largest LRU-like level so far
  double above_room = 0;
  for (const Room& room : rooms) {
    if (all <= room.units + (room.victims ? above_units : 0)) {
      levels_.push_back({Kind::recency, kForever, 0});
      above_units += room.units;
      continue;
    }
    const double above = levels_.empty() ? 0 : levels_.back().window;
    if (!keeps_at_random(room.policy)) {
      const double units = room.units + (room.victims ? above_units : 0);
      const double window =
          recency_window(populations, units, units >= above_room ? above_window : 0);
      levels_.push_back({Kind::recency, window, 0});
      above_window = window;
      above_room = units;
      above_units = units;
      continue;
    }
    // Little's law: units that enter the cache level stay for `window` inputs, unless a hit takes
    // them away.
    Level level{room.victims ? Kind::randomVictims : Kind::random, 0, room.victims ? above : 0};
    level.window = balanced_window([&](double window) {
      level.window = window;
      double in = 0;
      for (const Population& population : populations) {
        in += sum_missed(level, population, kNever);
      }
      return in * window / room.units;
    });
    levels_.push_back(level);
    above_units += room.units;
  }
}

double CharacteristicTimes::misses(size_t level, const Population& population,
                                   double horizon) const {
  double least = sum_missed(levels_[0], population, horizon);
  for (size_t i = 1; i <= level; ++i) {
    least = std::min(least, sum_missed(levels_[i], population, horizon));
  }
  return least;
}

}  // namespace presort::predict
