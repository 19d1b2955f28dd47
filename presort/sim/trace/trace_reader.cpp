#include "presort/sim/trace/trace_reader.h"

#include "presort/core/error.h"
#include "presort/sim/trace/readers/numbers.h"

namespace presort::inline v0::sim {

std::span<const Access> TraceReader::next() {
  batch_.clear();
  if (error_) {
    std::rethrow_exception(error_);
  }
  const uint64_t before = added_;
  try {
    while (batch_.size() < kBatch && step()) {
      if (added_ != before) {
        last_access_ = input_.offset();
      } else if (input_.offset() - last_access_ > kLongestNoise) {
        fail("no access in " + std::to_string(kLongestNoise >> 20) +
             " MiB: not a trace of this format, or one without end");
      }
    }
  } catch (const InputError&) {
    if (batch_.empty()) {
      throw;
    }
    error_ = std::current_exception();
  }
  return batch_;
}

void TraceReader::check(uint64_t address, uint64_t bytes) const {
  constexpr uint64_t kEnd = uint64_t{1} << kAddressBits;
  if (bytes == 0 || bytes > kLargestAccess) {
    fail("an access of " + std::to_string(bytes) + " bytes, accepted: 1 to " +
         std::to_string(kLargestAccess));
  }
  if (address >= kEnd || kEnd - address < bytes) {
    fail("address " + hexadecimal(address) + " is beyond " + std::to_string(kAddressBits) +
         " bits");
  }
}

size_t TraceReader::add_pieces(Access record, uint64_t bytes) {
  check(record.address, bytes);
  if (bytes <= kLineBytes) {
    push(record, record.address, bytes);
    return 1;
  }
  const uint64_t end = record.address + bytes;
  size_t pieces = 0;
  for (uint64_t at = record.address; at < end; ++pieces) {
    const uint64_t stop = std::min(end, (at | (kLineBytes - 1)) + 1);
    push(record, at, stop - at);
    at = stop;
    record.micro_ops = 0;
    // When an access is cut into records, only the first one depends on others
    record.depends_on = 0;
    record.data_depends_on = 0;
  }
  return pieces;
}

}  // namespace presort::sim
