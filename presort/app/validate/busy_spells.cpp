#include "presort/app/validate/busy_spells.h"

#include <algorithm>

namespace presort::inline v0::app {

std::optional<double> processors_of_others(const probe::LoadMoment& begin,
                                           const probe::LoadMoment& end) {
  const double wall_s = end.wall_s - begin.wall_s;
  if (!begin.processors || !end.processors || wall_s <= 0) {
    return std::nullopt;
  }
  const double busy_s = end.processors->busy_s - begin.processors->busy_s;
  const double stolen_s = end.processors->stolen_s - begin.processors->stolen_s;
  const double own_s = end.own_s - begin.own_s;
  return std::max(0.0, busy_s + stolen_s - own_s) / wall_s;
}

bool disturbs(double busy, int processors) {
  constexpr double kDisturbing = 0.3;
  constexpr double kPartOfMany = 0.05;
  return busy > std::max(kDisturbing, kPartOfMany * processors);
}

void QuietWait::wait(StopToken stop) {
  while (waited_s_ < most_s_) {
    stop.check();
    const probe::LoadMoment begin = now_();
    sleep_(std::min(kShortestSpell_s, most_s_ - waited_s_));
    const probe::LoadMoment end = now_();
    waited_s_ += std::max(0.0, end.wall_s - begin.wall_s);
    const std::optional<double> busy = processors_of_others(begin, end);
    if (!busy || !disturbs(*busy, end.processors->processors)) {
      return;
    }
  }
}

}  // namespace presort::app
