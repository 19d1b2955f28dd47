// --record FILE: writes the accesses of a simulation as a trace in presort's own format; the file
// appears complete or not at all.
#pragma once

#include <string>

#include "presort/io/files/atomic_file.h"
#include "presort/sim/trace/trace_writer.h"

namespace presort::inline v0::app {

class Recorder final : public sim::AccessSink {
 public:
  // Begins a recording.
  // Errors of all members: InputError when the file cannot be written
  // Errors of write: Stopped when a signal was deferred (app/cli/interrupt.h) and has come
  explicit Recorder(const std::string& path);

  void write(std::span<const sim::Access> records) override;

  // Gives the recorded file its name; without this call no file appears.
  void commit();

  uint64_t records() const { return writer_.records(); }

 private:
  io::AtomicFile file_;
  sim::TraceWriter writer_;
};

}  // namespace presort::app
