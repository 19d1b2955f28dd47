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
  PhaseClock(const Machine& machine, uint64_t page_bytes);

  // Every `page_items` inputs, streams of inputs enter a page as they do where the excerpt's last
  // piece begins; they stand in the regions `streams`.
  PhaseEstimate time(const Excerpt& excerpt, const Setting::Places& places,
                     const std::vector<Region>& streams, double page_items) const;

 private:
  // A machine at rest.
  struct Drawn {
    Drawn(const Machine& machine, uint64_t page_bytes)
        : lines(machine),
          pages(machine, page_bytes, lines),
          core(machine, sim::MemoryMode::pipelined, pages, lines) {}
    Drawn(const Drawn&) = delete;
    DrawnLines lines;
    DrawnPages pages;
    DrawnCore core;
  };

  void add_piece(Drawn& drawn, PhaseEstimate& sum, const Excerpt::Piece& piece,
                 double weight) const;

  const Machine& machine_;
  uint64_t page_bytes_;
  double ns_per_cycle_;
};

// Inputs of the pieces of an excerpt: of streams that the hardware fetches, which take 256 inputs
// to run ahead again after the start of a page, and of those that software fetches.
inline constexpr std::array<uint64_t, Excerpt::kPieces> kStreamedItems = {128, 256, 256};
inline constexpr std::array<uint64_t, Excerpt::kPieces> kFetchedItems = {64, 192, 128};

}  // namespace presort::predict
