#include "presort/app/trace/trace_simulation.h"

#include "presort/app/cli/wall_time.h"
#include "presort/app/trace/sum_statistics.h"
#include "presort/app/trace/trace_tap.h"
#include "presort/sim/trace/readers/line_splitter.h"

namespace presort::inline v0::app {

namespace {

class TraceSimulation {
 public:
  TraceSimulation(const Machine& machine, const TraceSimulationOptions& options,
                  const OnInterval& on_interval)
      : hierarchy_(machine, sim::AddressSpace(options.page_bytes),
                   options.dependent ? sim::MemoryMode::dependent : sim::MemoryMode::pipelined,
                   options.seed),
        options_(options),
        on_interval_(on_interval) {}

  void simulate(std::span<const sim::Access> records) {
    while (!records.empty()) {
      const Prefix part = prefix_of(records, interval_left());
      const auto now = records.first(part.records);
      options_.functional ? hierarchy_.count(now) : hierarchy_.run(now);
      accesses_ += part.accesses;
      in_interval_ += part.accesses;
      records = records.subspan(part.records);
      if (options_.interval > 0 && in_interval_ == options_.interval) {
        end_interval();
      }
    }
  }

  sim::Statistics finish() {
    if (in_interval_ > 0 || sum_.levels.empty()) {
      end_interval();
    }
    return sum_;
  }

 private:
  uint64_t interval_left() const {
    return options_.interval == 0 ? ~uint64_t{0} : options_.interval - in_interval_;
  }

  void end_interval() {
    const sim::Statistics statistics = hierarchy_.statistics();
    if (options_.interval > 0 && in_interval_ > 0) {
      on_interval_(accesses_ - in_interval_, statistics);
    }
    add(sum_, statistics);
    hierarchy_.reset_statistics();
    in_interval_ = 0;
  }

  sim::Hierarchy hierarchy_;
  const TraceSimulationOptions& options_;
  const OnInterval& on_interval_;
  sim::Statistics sum_;
  uint64_t accesses_ = 0;
  uint64_t in_interval_ = 0;
};

}  // namespace

TraceResult simulate_trace(const Machine& machine, sim::AccessSource& trace,
                           const TraceSimulationOptions& options, const OnInterval& on_interval) {
  TraceResult result;
  TraceTap tap(trace, options.limit, options.record);
  sim::LineSplitter splitter(tap, machine.caches.front().line_bytes);
  TraceSimulation simulation(machine, options, on_interval);
  const double begin = seconds_now();
  for (auto records = splitter.next(); !records.empty(); records = splitter.next()) {
    simulation.simulate(records);
  }
  result.statistics = simulation.finish();
  result.seconds = seconds_now() - begin;
  result.straddling = splitter.straddling();
  result.error = tap.error();
  result.interrupted = tap.was_interrupted();
  return result;
}

}  // namespace presort::app
