#include "presort/probe/load/machine_load.h"

#include <algorithm>

#include "presort/core/measurement.h"

namespace presort::inline v0::probe {
namespace {

// Time, s, that must be observed at least for a share of it to be known. The system counts
// processors' time in ticks of 4 or 10 ms, pressure every 2 s, a thread's waiting in ns.
constexpr double kLeastOfTicks_s = 0.25;
constexpr double kLeastOfPressure_s = 5;
constexpr double kLeastOfWaiting_s = 0.001;
constexpr size_t kLeastLooks = 4;

std::optional<double> growth(const std::optional<double>& begin, const std::optional<double>& end) {
  return begin && end ? std::optional(std::max(0.0, *end - *begin)) : std::nullopt;
}

std::optional<double> growth(const std::optional<Pressure>& begin,
                             const std::optional<Pressure>& end) {
  return begin && end ? growth(std::optional(begin->total_s), std::optional(end->total_s))
                      : std::nullopt;
}

std::optional<double> part_crowded(const std::vector<CoreState>& looks, double adds_per_cycle) {
  if (looks.size() < kLeastLooks || adds_per_cycle <= 0) {
    return std::nullopt;
  }
  const auto crowded = std::count_if(looks.begin(), looks.end(), [=](const CoreState& look) {
    return look.crowding * adds_per_cycle * kCrowdedPart > 1;
  });
  return static_cast<double>(crowded) / static_cast<double>(looks.size());
}

std::optional<double> slowdown_of(const std::vector<CoreState>& looks, double clock_hz) {
  if (looks.size() < kLeastLooks || clock_hz <= 0) {
    return std::nullopt;
  }
  std::vector<double> cycles;
  for (const CoreState& look : looks) {
    cycles.push_back(look.cycle_ns);
  }
  return median(cycles) * clock_hz * 1e-9;
}

}  // namespace

void LoadTotals::Share::add(const std::optional<double>& more, double more_of) {
  if (more) {
    amount += *more;
    of += more_of;
  }
}

std::optional<double> LoadTotals::Share::part() const {
  return of > 0 ? std::optional(amount / of) : std::nullopt;
}

void LoadTotals::add(const LoadMoment& begin, const LoadMoment& end) {
  const double wall_s = std::max(0.0, end.wall_s - begin.wall_s);
  seconds_ += wall_s;
  if (begin.processors && end.processors) {
    processors_ = end.processors->processors;
    const double busy_s = end.processors->busy_s - begin.processors->busy_s;
    const double total_s = end.processors->total_s - begin.processors->total_s;
    // Between two moments the time of other processes may come out negative, by up to a tick; the
    // sum over many does not.
    others_.add(busy_s - (end.own_s - begin.own_s), total_s);
    stolen_.add(end.processors->stolen_s - begin.processors->stolen_s, total_s);
  }
  waited_.add(growth(begin.waited_s, end.waited_s), wall_s);
  group_pressure_.add(growth(begin.group_pressure, end.group_pressure), wall_s);
  pressure_.add(growth(begin.pressure, end.pressure), wall_s);
  contenders_.add(begin.contenders, 1);
  contenders_.add(end.contenders, 1);
}

MachineLoad LoadTotals::load(const UncrowdedCore& core) const {
  const auto in_parts = [this](const Share& share, double least_s) {
    const std::optional<double> part = share.part();
    return part && seconds_ >= least_s ? std::optional(std::clamp(*part, 0.0, 1.0)) : std::nullopt;
  };
  return {.seconds = seconds_,
          .processors = processors_,
          .others = in_parts(others_, kLeastOfTicks_s),
          .stolen = in_parts(stolen_, kLeastOfTicks_s),
          .waited = in_parts(waited_, kLeastOfWaiting_s),
          .group_pressure = in_parts(group_pressure_, kLeastOfPressure_s),
          .pressure = in_parts(pressure_, kLeastOfPressure_s),
          .contenders = contenders_.part(),
          .crowded = part_crowded(looks_, core.adds_per_cycle),
          .slowdown = slowdown_of(looks_, core.clock_hz)};
}

}  // namespace presort::probe
