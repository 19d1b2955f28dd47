// Writes records in presort's own format (trace_code.h), compressed as they come.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "presort/sim/trace/access.h"
#include "presort/sim/trace/trace_code.h"

namespace presort::inline v0::sim {

class TraceWriter final : public AccessSink {
 public:
  using Sink = std::function<void(std::string_view bytes)>;

  // Makes a writer that gives the compressed bytes to `sink`.
  // Errors: what `sink` throws
  explicit TraceWriter(Sink sink);
  ~TraceWriter() override;

  // Writes records.
  // Requires: sizes of 1 to 64 bytes (a branch: 0 or 1), dependences of at most kLongestDependence.
  // Errors: Error for a record with other values
  void write(std::span<const Access> records) override;

  // Writes the end mark, without which a reader calls the trace truncated; nothing may be written
  // after it.
  void finish();

  uint64_t records() const { return records_; }

 private:
  class Compressor;

  void encode(const Access& record);
  void put_varint(uint64_t value);
  void flush(bool end);

  std::unique_ptr<Compressor> compressor_;
  trace_code::Predictions predictions_;
  std::string pending_;
  uint64_t records_ = 0;
};

}  // namespace presort::sim
