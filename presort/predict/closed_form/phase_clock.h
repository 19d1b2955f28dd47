// Runs the excerpt of a phase on a drawn machine, and says what an input takes.
#pragma once

#include <span>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/predict/closed_form/drawn_core.h"
#include "presort/predict/closed_form/setting.h"
#include "presort/predict/sampling/estimator.h"
#include "presort/predict/sampling/excerpt.h"

namespace presort::inline v0::predict {

class PhaseClock {
 public:
  // Requires: machine outlives this
  PhaseClock(const Machine& machine, uint64_t page_bytes);
  PhaseClock(const PhaseClock&) = delete;

  // Inputs of the phase that find lines and pages alike.
  struct Stretch {
    Setting::Places places;
    double weight;  // part of the inputs of the phase
  };

  // The excerpt's first piece only leads in. Each stretch has one of the others, in their order,
  // and the last stretch the last two: every `page_items` inputs, streams of inputs enter a page as
  // they do where the last piece begins. They stand in the regions `streams`. Another seed draws
  // other places of lines.
  // Requires: a stretch; weights add up to 1
  PhaseEstimate time(const Excerpt& excerpt, std::span<const Stretch> stretches,
                     const std::vector<Region>& streams, double page_items, uint64_t seed = 0);

 private:
  // Weights of the pieces, one each.
  static std::vector<double> weights(const std::vector<Excerpt::Piece>& pieces,
                                     std::span<const Stretch> stretches, double page_items);
  // Whether pieces find lines alike, or some of them more of them far away than others.
  enum class Stores { alike, ofStretches };
  void add_piece(DrawnCore& core, PhaseEstimate& sum, const Excerpt::Piece& piece, double weight,
                 Stores stores) const;

  const Machine& machine_;
  double ns_per_cycle_;
  DrawnLines lines_;  // used for one excerpt after the other: their tables are large
  DrawnPages pages_;
};

}  // namespace presort::predict
