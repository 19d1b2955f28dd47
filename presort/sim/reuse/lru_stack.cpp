#include "presort/sim/reuse/lru_stack.h"

namespace presort::inline v0::sim {

uint64_t LruStack::use_deep(uint64_t line, uint64_t pushed_down) {
  const uint64_t lines_before = line_times_.size();
  const uint64_t time = line_times_[line];
  const uint64_t distance = line_times_.size() > lines_before ? kCold : kTop + times_.remove(time);
  if (pushed_down == kNoLine) {
    return distance;
  }
  if (times_.full()) {
    times_.compact([this](auto renumber) { line_times_.change_times(renumber); });
  }
  line_times_[pushed_down] = times_.append();
  return distance;
}

}  // namespace presort::sim
