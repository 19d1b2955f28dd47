#include "presort/app/trace/multi_trace.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "presort/app/trace/sum_statistics.h"
#include "presort/app/trace/trace_tap.h"
#include "presort/predict/sampling/sampling.h"
#include "presort/sim/trace/readers/line_splitter.h"

namespace presort::inline v0::app {

namespace {

// The access sources that stand between a trace and the core that runs it.
struct Feed {
  Feed(sim::AccessSource& trace, uint64_t limit, uint64_t line_bytes)
      : tap(trace, limit, nullptr), splitter(tap, line_bytes) {}
  TraceTap tap;
  sim::LineSplitter splitter;
};

}  // namespace

bool MultiTraceResult::complete() const {
  return std::all_of(cores.begin(), cores.end(), [](const TraceResult& core) {
    return core.error.empty() && !core.interrupted;
  });
}

size_t MultiTraceResult::last_core() const {
  const auto last = std::max_element(cores.begin(), cores.end(), [](const auto& a, const auto& b) {
    return a.statistics.ns < b.statistics.ns;
  });
  return static_cast<size_t>(last - cores.begin());
}

sim::Statistics MultiTraceResult::total() const {
  sim::Statistics sum;
  for (const TraceResult& core : cores) {
    add(sum, core.statistics);
  }
  const sim::Statistics& last = cores[last_core()].statistics;
  sum.ns = last.ns;
  sum.stack_ns = last.stack_ns;
  return sum;
}

std::vector<SharedCounts> shared_counts(const Machine& machine, const MultiTraceResult& result) {
  std::vector<SharedCounts> shared;
  const auto cores = static_cast<int>(result.cores.size());
  for (size_t level = 0; level < machine.caches.size(); ++level) {
    const int group = machine.caches[level].shared_by;
    for (int first = 0; group > 1 && first + 1 < cores; first += group) {
      const int last = std::min(cores, first + group) - 1;
      std::vector<LevelCounts> sum;
      for (int core = first; core <= last; ++core) {
        const sim::Statistics& statistics = result.cores[static_cast<size_t>(core)].statistics;
        predict::add_counts(sum, {statistics.levels[level]});
      }
      shared.push_back({first, last, sum.front()});
    }
  }
  return shared;
}

MultiTraceSimulation::MultiTraceSimulation(const Machine& machine, int cores,
                                           const TraceSimulationOptions& options,
                                           sim::Processes processes)
    : machine_(machine),
      options_(options),
      cores_(machine, cores, sim::AddressSpace(options.page_bytes),
             options.dependent ? sim::MemoryMode::dependent : sim::MemoryMode::pipelined,
             options.seed, processes) {}

MultiTraceResult MultiTraceSimulation::run(std::span<sim::AccessSource* const> traces) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::unique_ptr<Feed>> feeds;
  std::vector<sim::AccessSource*> sources;
  for (sim::AccessSource* trace : traces) {
    feeds.push_back(
        std::make_unique<Feed>(*trace, options_.limit, machine_.caches.front().line_bytes));
    sources.push_back(&feeds.back()->splitter);
  }
  const Clock::time_point begin = Clock::now();
  options_.functional ? cores_.count(sources) : cores_.run(sources);
  MultiTraceResult result;
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  for (size_t core = 0; core < feeds.size(); ++core) {
    const Feed& feed = *feeds[core];
    result.cores.push_back({cores_.statistics(static_cast<int>(core)), feed.splitter.straddling(),
                            result.seconds, feed.tap.error(), feed.tap.was_interrupted()});
  }
  return result;
}

}  // namespace presort::app
