// The access records of a few hundred inputs of a phase, from one place of the inputs: the
// closed-form model (closed_form/closed_form.h) takes the core's work in a phase from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "presort/sim/trace/access.h"

namespace presort::inline v0::predict {

// An excerpt: records in pieces, each of some consecutive inputs. The last piece begins where the
// streams of inputs enter a page of 4 KiB, the others lie before it.
class Excerpt final : public sim::AccessSink {
 public:
  void write(std::span<const sim::Access> records) override {
    records_.insert(records_.end(), records.begin(), records.end());
  }

  // Ends a piece of `items` inputs, which has the records written since the piece before.
  void end_piece(uint64_t items) { ends_.push_back({records_.size(), items}); }

  // Indices, among n inputs, of the first input of each piece, followed by the end of the last
  // piece.
  std::vector<uint64_t> bounds(uint64_t n) const;

  // Bounds of the pieces for a phase whose n items are not inputs and all take equal time: the
  // pieces are its first items.
  static std::vector<uint64_t> first_items(uint64_t n);

  // Forgets all records and sets the lengths of the pieces of the next excerpt. Its last piece
  // begins near `place` of all inputs, 0 to 1, where software, which fetches streams `ahead` inputs
  // ahead, enters a page.
  // Requires: at least one piece
  void restart(uint64_t ahead, std::vector<uint64_t> items, double place = 0.5) {
    items_ = std::move(items);
    place_ = place;
    records_.clear();
    ends_.clear();
    ahead_ = ahead;
  }

  struct Piece {
    std::span<const sim::Access> records;
    uint64_t items;
  };
  // The pieces of the excerpt; fewer than were set if the phase has too few inputs.
  std::vector<Piece> pieces() const;

 private:
  struct End {
    size_t record;
    uint64_t items;
  };
  std::vector<uint64_t> items_;
  uint64_t ahead_ = 0;
  double place_ = 0.5;
  std::vector<sim::Access> records_;
  std::vector<End> ends_;
};

}  // namespace presort::predict
