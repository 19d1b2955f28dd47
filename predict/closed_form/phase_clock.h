// Runs the excerpt of a phase on a drawn machine, and says what an input takes.
#pragma once

#include "core/machine.h"
#include "predict/closed_form/drawn_core.h"
#include "predict/closed_form/setting.h"
#include "predict/estimator.h"
#include "predict/excerpt.h"

namespace presort::predict {

class PhaseClock {
 public:
  // Requires: machine outlives this
  PhaseClock(const Machine& machine, uint64_t page_bytes);
  PhaseClock(const PhaseClock&) = delete;

  // Every `page_items` inputs, streams of inputs enter a page as they do where the excerpt's last
  // piece begins; they stand in the regions `streams`. Another seed draws other
  // places of lines.
  PhaseEstimate time(const Excerpt& excerpt, const Setting::Places& places,
                     const std::vector<Region>& streams, double page_items, uint64_t seed = 0);

 private:
  void add_piece(DrawnCore& core, PhaseEstimate& sum, const Excerpt::Piece& piece,
                 double weight) const;

  const Machine& machine_;
  double ns_per_cycle_;
  DrawnLines lines_;  // used for one excerpt after the other: their tables are large
  DrawnPages pages_;
};

// Inputs of the pieces of an excerpt: of streams that the hardware fetches, which take 256 inputs
// to run ahead again after the start of a page, and of those that software fetches.
inline constexpr std::array<uint64_t, Excerpt::kPieces> kStreamedItems = {128, 256, 256};
inline constexpr std::array<uint64_t, Excerpt::kPieces> kFetchedItems = {64, 384, 256};

}  // namespace presort::predict
