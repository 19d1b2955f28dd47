#include "presort/sim/selfcheck/answers.h"

#include <algorithm>

namespace presort::inline v0::sim {

namespace {

// Index of the first cache or TLB level whose count of hits grew; the number of levels if none did.
template <class Counts>
size_t answering(const std::vector<Counts>& before, const std::vector<Counts>& after) {
  size_t i = 0;
  while (i < after.size() && after[i].hits == before[i].hits) {
    ++i;
  }
  return i;
}

}  // namespace

std::vector<Answer> step_through(Hierarchy& hierarchy, double clock_hz, AccessSource& chase) {
  std::vector<Answer> answers;
  Statistics before = hierarchy.statistics();
  double ns = hierarchy.now_ns();
  for (auto records = chase.next(); !records.empty(); records = chase.next()) {
    for (const Access& record : records) {
      hierarchy.run({&record, 1});
      Statistics after = hierarchy.statistics();
      const double now = hierarchy.now_ns();
      answers.push_back({answering(before.levels, after.levels), answering(before.tlb, after.tlb),
                         after.walks != before.walks, (now - ns) * 1e-9 * clock_hz});
      before = std::move(after);
      ns = now;
    }
  }
  return answers;
}

Middle median_cycles(const std::vector<Answer>& answers,
                     const std::function<bool(const Answer&)>& wanted) {
  std::vector<double> cycles;
  for (const Answer& answer : answers) {
    if (wanted(answer)) {
      cycles.push_back(answer.cycles);
    }
  }
  if (cycles.empty()) {
    return {};
  }
  const auto middle = cycles.begin() + static_cast<ptrdiff_t>(cycles.size() / 2);
  std::nth_element(cycles.begin(), middle, cycles.end());
  return {*middle, cycles.size()};
}

}  // namespace presort::sim
