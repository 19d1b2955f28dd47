// Moves one consecutive range of memory to or from a file, in blocks, while the caller does other
// work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "presort/external/transfers/transfers.h"

namespace presort::inline v0::external {

class RangeTransfer {
 public:
  // `name`: the file's name, for messages. Requires: the transfers outlive this object
  RangeTransfer(Transfers& transfers, int file, std::string name, uint64_t block_bytes);
  ~RangeTransfer();
  RangeTransfer(const RangeTransfer&) = delete;
  RangeTransfer& operator=(const RangeTransfer&) = delete;

  // Begins to move `bytes` bytes; the last block is rounded up to a multiple of kDirectBytes.
  // Requires: finish() returned for the range before; memory, and the offset in a file for direct
  //           I/O, are multiples of kDirectBytes
  void start(Transfer::Kind kind, uint64_t offset, std::byte* memory, uint64_t bytes);

  // Waits for all of the range.
  // Errors: InputError "NAME: …" when it cannot be read or written, or the file has become shorter
  void finish();

  uint64_t moved_bytes() const { return moved_bytes_; }

 private:
  struct Piece {
    Transfers::Ticket ticket;
    uint64_t offset;
    uint64_t bytes;
  };
  Transfers& transfers_;
  int file_;
  std::string name_;
  uint64_t block_bytes_;
  Transfer::Kind kind_ = Transfer::Kind::read;
  std::vector<Piece> pieces_;  // under way, the last one first
  uint64_t moved_bytes_ = 0;
};

}  // namespace presort::external
