#include "presort/external/range_transfer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"
#include "presort/core/plan/external_plan.h"
#include "presort/external/block_writer.h"
#include "presort/external/opened.h"

namespace presort::inline v0::external {

RangeTransfer::RangeTransfer(Transfers& transfers, int file, std::string name, uint64_t block_bytes)
    : transfers_(transfers), file_(file), name_(std::move(name)), block_bytes_(block_bytes) {}

RangeTransfer::~RangeTransfer() {
  for (const Piece& piece : pieces_) {
    transfers_.finish(piece.ticket);
  }
}

void RangeTransfer::start(Transfer::Kind kind, uint64_t offset, std::byte* memory, uint64_t bytes) {
  kind_ = kind;
  for (const Extent& piece : cut(0, bytes, block_bytes_)) {
    const Transfers::Ticket ticket =
        transfers_.start({kind, file_, offset + piece.offset, memory + piece.offset,
                          saturating_round_up(piece.bytes, kDirectBytes)});
    pieces_.push_back({ticket, offset + piece.offset, piece.bytes});
    moved_bytes_ += piece.bytes;
  }
  std::reverse(pieces_.begin(), pieces_.end());
}

void RangeTransfer::finish() {
  while (!pieces_.empty()) {
    const Piece piece = pieces_.back();
    pieces_.pop_back();
    const Outcome outcome = transfers_.finish(piece.ticket);
    if (kind_ == Transfer::Kind::write) {
      check_written(name_, outcome);
      continue;
    }
    if (outcome.error != 0) {
      throw InputError(name_ + ": cannot be read: " + std::strerror(outcome.error));
    }
    if (outcome.bytes < piece.bytes) {
      throw InputError(name_ + ": ends at byte " + std::to_string(piece.offset + outcome.bytes) +
                       ", where there was more when it was opened: cut short while it was read");
    }
  }
}

}  // namespace presort::external
