// Reads the beginning of a trace: up to a limit, as far as the trace can be read, until an
// interrupt.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "presort/sim/trace/access.h"

namespace presort::inline v0::app {

// Number of records that hold the first `most` accesses of a trace, and the number of these
// accesses.
struct Prefix {
  size_t records;
  uint64_t accesses;
};
Prefix prefix_of(std::span<const sim::Access> records, uint64_t most);

// Passes the first accesses of a source on, and also to a sink. A read error or a deferred
// interrupt ends the trace; the error is kept.
class TraceTap final : public sim::AccessSource {
 public:
  // Makes a tap.
  // Requires: source and sink (null: none) outlive the tap
  TraceTap(sim::AccessSource& source, uint64_t limit, sim::AccessSink* sink)
      : source_(source), left_(limit), sink_(sink) {}

  // Reads the next records of the trace.
  // Errors: those of the sink; the source's own when not one record could be read
  std::span<const sim::Access> next() override;

  bool was_interrupted() const { return interrupted_; }
  // Reason why the trace could not be read to its end; "" if it could
  const std::string& error() const { return error_; }

 private:
  std::span<const sim::Access> next_of_source();

  sim::AccessSource& source_;
  uint64_t left_;  // number of accesses to the limit of the trace
  sim::AccessSink* sink_;
  std::string error_;
  bool begun_ = false;
  bool interrupted_ = false;
};

}  // namespace presort::app
