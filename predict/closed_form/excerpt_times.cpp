#include "predict/closed_form/excerpt_times.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace presort::predict {

namespace {

// Settings in which a touch of every place takes equally long, to so many cycles on average, take
// the same; one that stands for a part of the inputs may differ by as much more as its part is
// smaller.
constexpr double kAlikeCycles = 1;

}  // namespace

void add(PhaseEstimate& sum, const PhaseEstimate& part, double weight) {
  if (sum.stack_ns.empty()) {
    sum.stack_ns = part.stack_ns;
    for (auto& [term, ns] : sum.stack_ns) {
      ns = 0;
    }
  }
  sum.ns_per_item += weight * part.ns_per_item;
  for (size_t i = 0; i < part.stack_ns.size(); ++i) {
    sum.stack_ns[i].second += weight * part.stack_ns[i].second;
  }
  add_counts(sum.levels, part.levels);
  sum.walks += part.walks;
  sum.items += part.items;
  sum.accesses += part.accesses;
}

ExcerptTimes::ExcerptTimes(const Machine& machine, uint64_t page_bytes, Excerpt& excerpt,
                           int places)
    : clock_(machine, page_bytes),
      miss_cycles_(miss_cycles(machine)),
      excerpt_(excerpt),
      excerpts_(static_cast<size_t>(places)) {}

ExcerptTimes::MissCycles ExcerptTimes::miss_cycles(const Machine& machine) {
  MissCycles cycles;
  const double memory = machine.memory.latency_ns * 1e-9 * machine.clock_hz;
  const std::vector<CacheLevel>& levels = machine.caches;
  for (size_t i = 0; i < std::min(levels.size(), cycles.lines.size()); ++i) {
    const double next = i + 1 < levels.size() ? levels[i + 1].latency_cycles : memory;
    cycles.lines[i] = std::max(0.0, next - levels[i].latency_cycles);
  }
  // A page that the last TLB lacks is walked to: reads of tables, most of them near.
  cycles.pages.fill(machine.walk.overhead_cycles + 2 * levels.front().latency_cycles);
  return cycles;
}

bool ExcerptTimes::alike(const Setting::Places& a, const Setting::Places& b,
                         double tolerance) const {
  const auto near = [tolerance](const auto& x, const auto& y, const auto& cycles) {
    double difference = 0;
    for (size_t i = 0; i < x.within.size(); ++i) {
      difference += std::abs(x.within[i] - y.within[i]) * cycles[i];
    }
    return difference <= tolerance;
  };
  for (size_t i = 0; i < kPlaces; ++i) {
    if (!near(a.lines[i], b.lines[i], miss_cycles_.lines) ||
        !near(a.pages[i], b.pages[i], miss_cycles_.pages)) {
      return false;
    }
  }
  return true;
}

PhaseEstimate ExcerptTimes::time(const ExcerptKind& kind, const Setting& setting,
                                 const Span& inputs, Recording recording, const Record& record) {
  const auto& items = kind.ahead > 0 ? kFetchedItems : kStreamedItems;
  const double half = static_cast<double>(items[0] + items[1] + items[2]) / 2;
  const Setting::Places where = setting.at(inputs.horizon, half);
  for (const Timed& timed : timed_) {
    if (timed.kind == kind.name && alike(timed.places, where, kAlikeCycles / inputs.part)) {
      return timed.estimate;
    }
  }
  const auto count = static_cast<double>(excerpts_.size());
  if (recording == Recording::anew || recorded_ != kind.name) {
    for (size_t i = 0; i < excerpts_.size(); ++i) {
      const double place = (static_cast<double>(i) + 0.5) / count;
      excerpt_.restart(kind.ahead, items, place);
      record(place);
      std::swap(excerpts_[i], excerpt_);
    }
    recorded_ = kind.name;
  }
  PhaseEstimate mean;
  for (size_t i = 0; i < excerpts_.size(); ++i) {
    add(mean, clock_.time(excerpts_[i], where, setting.streams(), kind.page_items, i), 1 / count);
  }
  timed_.push_back({kind.name, where, mean});
  return mean;
}

}  // namespace presort::predict
