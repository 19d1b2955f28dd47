#include "presort/sim/trace/trace_code.h"
#include "presort/sim/trace/trace_reader.h"

namespace presort::inline v0::sim {

namespace {

using namespace trace_code;

class PresortReader final : public TraceReader {
 public:
  using TraceReader::TraceReader;

 private:
  bool step() override {
    if (!begun_) {
      begin();
    }
    if (ended_) {
      return false;
    }
    bytes_ = input().peek(kLongestRecord);
    size_ = bytes_.size();
    const uint8_t control = byte();
    if ((control & kKindMask) > static_cast<uint8_t>(AccessKind::branch)) {
      end(control);
      return false;
    }
    decode(control);
    input().skip(size_ - bytes_.size());
    return true;
  }

  void begin() {
    if (input().peek(kMagic.size()) != kMagic) {
      fail("does not begin with 'presort trace 1': not a trace of ours, or of another version");
    }
    input().skip(kMagic.size());
    begun_ = true;
  }

  void end(uint8_t control) {
    if (control != kEndMark) {
      fail("a record of kind " + std::to_string(control & kKindMask) + ": corrupt");
    }
    const uint64_t count = varint();
    input().skip(size_ - bytes_.size());
    if (count != added()) {
      fail("the trace says it has " + std::to_string(count) + " records, " +
           std::to_string(added()) + " were found: corrupt");
    }
    if (!input().peek(1).empty()) {
      fail("there are bytes after the end");
    }
    ended_ = true;
  }

  void decode(uint8_t control) {
    Access record;
    record.kind = static_cast<AccessKind>(control & kKindMask);
    record.instruction = (control & kNewInstruction) != 0
                             ? predictions_.last_instruction() + from_zigzag(varint())
                             : predictions_.next_instruction();
    Predictions::Place& place = predictions_.place(record.instruction, record.kind);
    record.address =
        place.address + ((control & kNewAddress) != 0 ? from_zigzag(varint()) : place.stride);
    record.size = (control & kNewSize) != 0 ? byte() : place.size;
    record.micro_ops = (control & kNewMicroOps) != 0 ? small(65535) : place.micro_ops;
    record.depends_on = place.depends_on;
    record.data_depends_on = place.data_depends_on;
    if ((control & kNewDependences) != 0) {
      record.depends_on = small(kLongestDependence);
      record.data_depends_on = small(kLongestDependence);
    }
    predictions_.update(record, place);
    give(record);
  }

  void give(const Access& record) {
    constexpr uint8_t kLargest = 64;
    const bool is_branch = record.kind == AccessKind::branch;
    if (record.size > (is_branch ? 1 : kLargest)) {
      fail("a record of " + std::to_string(record.size) + " bytes: corrupt");
    }
    if (is_branch) {
      add_branch(record);
    } else {
      add(record, record.size);
    }
  }

  uint8_t byte() {
    if (bytes_.empty()) {
      input().fail_short("the trace ends without its end mark: truncated");
    }
    const auto value = static_cast<uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return value;
  }

  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint8_t next = byte();
      value |= static_cast<uint64_t>(next & 127) << shift;
      if (next < 128) {
        return value;
      }
    }
    fail("a number of more than 64 bits: corrupt");
  }

  uint16_t small(uint64_t most) {
    const uint64_t value = varint();
    if (value > most) {
      fail("found " + std::to_string(value) + " where at most " + std::to_string(most) +
           " can stand: corrupt");
    }
    return static_cast<uint16_t>(value);
  }

  Predictions predictions_;
  std::string_view bytes_;  // bytes of the current record that are not yet decoded
  size_t size_ = 0;         // bytes in bytes_ when the current record began
  bool begun_ = false;
  bool ended_ = false;
};

}  // namespace

// Reads presort's own trace format (trace_code.h), which keeps every field of a record.
std::unique_ptr<TraceReader> read_presort(TraceInput input, TraceOptions options) {
  return std::make_unique<PresortReader>(std::move(input), options);
}

}  // namespace presort::sim
