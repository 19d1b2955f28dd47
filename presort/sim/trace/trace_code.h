// The bytes of presort's own trace format. The file is compressed with zstd, whose frame has a
// checksum; inside it are:
//
//   "presort trace 1\n"          magic and version
//   records                      a control byte, then what it announces
//   kEndMark, count as a varint  the number of records: without it the trace is truncated
//
// Control byte: bits 0-2 the kind; bits 3-7 what follows, in this order, because it is not as
// predicted:
//   bit 7  instruction: zigzag varint of the difference to the one before
//   bit 6  address: zigzag varint of the difference to the last one of the same instruction
//   bit 3  size: one byte
//   bit 4  micro-operations: varint
//   bit 5  dependences: two varints
// Predictions: an instruction follows the one before as it did last time; its address moves on by
// the same stride, its size, micro-operations and dependences are as last time. Varints have 7 bits
// a byte, lowest first, the high bit set in all but the last.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "presort/sim/trace/access.h"

namespace presort::inline v0::sim::trace_code {

inline constexpr std::string_view kMagic = "presort trace 1\n";
inline constexpr uint8_t kKindMask = 7;
inline constexpr uint8_t kEndMark = 7;
inline constexpr uint8_t kNewSize = 1 << 3;
inline constexpr uint8_t kNewMicroOps = 1 << 4;
inline constexpr uint8_t kNewDependences = 1 << 5;
inline constexpr uint8_t kNewAddress = 1 << 6;
inline constexpr uint8_t kNewInstruction = 1 << 7;
inline constexpr size_t kLongestVarint = 10;  // most bytes that a varint takes
// Most bytes that a record takes
inline constexpr size_t kLongestRecord = 1 + 1 + 5 * kLongestVarint;

inline constexpr uint64_t zigzag(uint64_t difference) {
  return difference << 1 ^ (difference >> 63 != 0 ? ~uint64_t{0} : 0);
}
inline constexpr uint64_t from_zigzag(uint64_t code) {
  return code >> 1 ^ (code & 1 ? ~uint64_t{0} : 0);
}

// The predictions that writer and reader make from the records so far. They only affect how many
// bytes a record takes, so instructions may share a place.
class Predictions {
 public:
  Predictions() : tables_(std::make_unique<Tables>()) {}

  struct Place {
    uint64_t address = 0;
    uint64_t stride = 0;
    uint16_t micro_ops = 0;
    uint16_t depends_on = 0;
    uint16_t data_depends_on = 0;
    uint8_t size = 0;
  };

  uint64_t last_instruction() const { return last_; }
  uint64_t next_instruction() const { return tables_->successors[slot(last_)]; }
  Place& place(uint64_t instruction, AccessKind kind) {
    return tables_->places[slot(instruction * 8 + static_cast<uint64_t>(kind))];
  }

  void update(const Access& record, Place& place) {
    tables_->successors[slot(last_)] = record.instruction;
    last_ = record.instruction;
    place = {record.address,    record.address - place.address, record.micro_ops,
             record.depends_on, record.data_depends_on,         record.size};
  }

 private:
  static constexpr int kSlotBits = 12;
  static constexpr size_t slot(uint64_t key) {
    return key * 0x9e3779b97f4a7c15ULL >> (64 - kSlotBits);
  }

  struct Tables {
    std::array<uint64_t, size_t{1} << kSlotBits> successors{};
    std::array<Place, size_t{1} << kSlotBits> places{};
  };
  std::unique_ptr<Tables> tables_;
  uint64_t last_ = 0;
};

}  // namespace presort::sim::trace_code
