// The common part of all readers: batches, checks, and errors that are thrown only after the
// records before them are given out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "presort/sim/trace/access.h"
#include "presort/sim/trace/trace_input.h"

namespace presort::inline v0::sim {

struct TraceOptions {
  // True: each instruction fetch is a record too, a load of the instruction's bytes. False: fetches
  // only count as micro-operations.
  bool instructions = false;
};

// A reader of one format derives from this and decodes one line or record a step.
class TraceReader : public AccessSource {
 public:
  TraceReader(TraceInput input, TraceOptions options)
      : input_(std::move(input)), options_(options) {
    batch_.reserve(kBatch + kMostPerStep);
  }

  // The next records. An error is thrown only after all records before it were given out.
  // Errors: InputError naming file and line or byte: a line or record that is not of the format,
  // truncated or corrupt data, addresses or sizes out of range, kLongestNoise bytes without an
  // access
  std::span<const Access> next() final;

 protected:
  static constexpr uint64_t kAddressBits = 57;  // most bits of an address: five-level paging has 57
  static constexpr uint64_t kLargestAccess = 4096;
  static constexpr uint64_t kLineBytes = 64;
  // Most bytes of a trace without an access; more are an error
  static constexpr uint64_t kLongestNoise = uint64_t{1} << 26;

  // Decodes the next line or record and adds its accesses. False at the end of the trace.
  virtual bool step() = 0;

  TraceInput& input() { return input_; }
  const TraceOptions& options() const { return options_; }
  [[noreturn]] void fail(const std::string& what) const { input_.fail(what); }

  // Adds micro-operations that access no memory to the next record. More than a record can hold are
  // dropped.
  void add_work(uint64_t micro_ops) { work_ += micro_ops; }

  // Adds an access to `bytes` bytes at record.address, cut into records of at most a line when it
  // has more than 64 bytes. Sets record.size, and adds the micro-operations of add_work() to
  // record.micro_ops. Returns the number of records added.
  size_t add(Access record, uint64_t bytes);
  // Adds a branch. Requires: record.size is 0 or 1
  void add_branch(const Access& record) {
    check(record.address, 1);
    push(record, record.address, record.size);
  }
  void add_branch(uint64_t instruction, bool taken, uint16_t depends_on);

  // Number of records added since the beginning of the trace
  uint64_t added() const { return added_; }

 private:
  static constexpr size_t kBatch = 4096;  // number of records in a batch
  static constexpr size_t kMostPerStep = 8 * (kLargestAccess / 64 + 1);

  void check(uint64_t address, uint64_t bytes) const;
  size_t add_pieces(Access record, uint64_t bytes);
  void push(const Access& record, uint64_t address, uint64_t bytes);

  TraceInput input_;
  TraceOptions options_;
  std::vector<Access> batch_;
  std::exception_ptr error_;
  uint64_t work_ = 0;
  uint64_t added_ = 0;
  uint64_t last_access_ = 0;  // offset in the input of the last access
};

inline void TraceReader::push(const Access& record, uint64_t address, uint64_t bytes) {
  constexpr uint64_t kMost = 65535;
  Access piece = record;
  piece.address = address;
  piece.size = static_cast<uint8_t>(bytes);
  piece.micro_ops = static_cast<uint16_t>(std::min(kMost, record.micro_ops + work_));
  work_ = 0;
  batch_.push_back(piece);
  ++added_;
}

inline size_t TraceReader::add(Access record, uint64_t bytes) {
  if (bytes - 1 < kLineBytes && record.address < (uint64_t{1} << kAddressBits) - kLineBytes) {
    push(record, record.address, bytes);
    return 1;
  }
  return add_pieces(record, bytes);
}

inline void TraceReader::add_branch(uint64_t instruction, bool taken, uint16_t depends_on) {
  Access record;
  record.kind = AccessKind::branch;
  record.address = record.instruction = instruction;
  record.size = taken;
  record.depends_on = depends_on;
  add_branch(record);
}

// A function that makes the reader of one trace format; trace_formats.cpp has the table.
using TraceReaderMaker = std::unique_ptr<TraceReader>(TraceInput input, TraceOptions options);

}  // namespace presort::sim
