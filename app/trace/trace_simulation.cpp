#include "app/trace/trace_simulation.h"

#include <algorithm>
#include <chrono>

#include "app/interrupt.h"
#include "app/trace/recorder.h"
#include "core/error.h"
#include "predict/sampling.h"
#include "sim/trace/line_splitter.h"

namespace presort::app {

namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void add(sim::Statistics& sum, const sim::Statistics& more) {
  sum.ns += more.ns;
  if (sum.stack_ns.empty()) {
    sum.stack_ns = more.stack_ns;
  } else {
    for (size_t i = 0; i < more.stack_ns.size(); ++i) {
      sum.stack_ns[i].second += more.stack_ns[i].second;
    }
  }
  predict::add_counts(sum.levels, more.levels);
  predict::add_counts(sum.tlb, more.tlb);
  predict::add_counts(sum.storage, more.storage);
  sum.walks += more.walks;
  sum.memory_reads += more.memory_reads;
  sum.memory_writes += more.memory_writes;
  sum.memory_partial_writes += more.memory_partial_writes;
  sum.accesses += more.accesses;
}

// How many of the records hold the first `most` accesses, and how many accesses those are.
struct Prefix {
  size_t records;
  uint64_t accesses;
};
Prefix prefix(std::span<const sim::Access> records, uint64_t most) {
  Prefix result{0, 0};
  for (; result.records < records.size(); ++result.records) {
    const bool access = records[result.records].kind != sim::AccessKind::branch;
    if (access && result.accesses == most) {
      break;
    }
    result.accesses += access;
  }
  return result;
}

// Passes the first accesses of a source on, also to a sink; an error or a deferred interrupt
// ends the trace and is kept.
class Tap final : public sim::AccessSource {
 public:
  Tap(sim::AccessSource& source, uint64_t limit, sim::AccessSink* sink)
      : source_(source), left_(limit), sink_(sink) {}

  std::span<const sim::Access> next() override {
    if (left_ == 0 || interrupted_) {
      return {};
    }
    const std::span<const sim::Access> records = next_of_source();
    const Prefix part = prefix(records, left_);
    left_ -= part.accesses;
    const auto first = records.first(part.records);
    try {
      if (sink_ != nullptr && !first.empty()) {
        sink_->write(first);
      }
    } catch (const Interrupted&) {
      interrupted_ = true;
    }
    interrupted_ = interrupted_ || interrupted();
    return first;
  }

  bool was_interrupted() const { return interrupted_; }

  const std::string& error() const { return error_; }

 private:
  std::span<const sim::Access> next_of_source() {
    try {
      const auto records = source_.next();
      begun_ = true;
      return records;
    } catch (const InputError& error) {
      if (!begun_) {
        throw;
      }
      error_ = error.what();
      return {};
    }
  }

  sim::AccessSource& source_;
  uint64_t left_;  // accesses
  sim::AccessSink* sink_;
  std::string error_;
  bool begun_ = false;
  bool interrupted_ = false;
};

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
      const Prefix part = prefix(records, interval_left());
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
  Tap tap(trace, options.limit, options.record);
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
