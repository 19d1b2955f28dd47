// Runs the excerpt of a phase on a machine with drawn cache hits, and gives the time per input.
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
  // Requires: the machine outlives this object
  PhaseClock(const Machine& machine, uint64_t page_bytes);
  PhaseClock(const PhaseClock&) = delete;

  // A stretch: inputs of the phase that find lines and pages with the same probabilities.
  struct Stretch {
    Setting::Places places;
    double weight;  // share of the phase's inputs that belong to the stretch
  };

  // The time per input, ns, and its time stack. The excerpt is a list of pieces, each a number of
  // consecutive inputs. The first piece fills the core's pipeline and is not counted. Each stretch
  // is timed on one of the other pieces, in order; the last stretch is timed on the last two. At
  // the start of the very last piece, the streams of inputs enter a new page, as they do every
  // `page_items` inputs. The streams stand in the regions `streams`. Another seed draws other cache
  // levels for the lines.
  // Requires: a stretch; weights add up to 1
  PhaseEstimate time(const Excerpt& excerpt, std::span<const Stretch> stretches,
                     const std::vector<Region>& streams, double page_items, uint64_t seed = 0);

 private:
  // The share of the inputs that each piece of the excerpt stands for.
  static std::vector<double> weights(const std::vector<Excerpt::Piece>& pieces,
                                     std::span<const Stretch> stretches, double page_items);
  // How stores differ between the pieces of an excerpt. alike: all pieces find lines equally near;
  // ofStretches: the pieces of some stretches find more lines far away.
  enum class Stores { alike, ofStretches };
  void add_piece(DrawnCore& core, PhaseEstimate& sum, const Excerpt::Piece& piece, double weight,
                 Stores stores) const;

  const Machine& machine_;
  uint64_t pages_to_cross_;  // pages after which streams go on from page to page; 0: never
  double ns_per_cycle_;
  DrawnLines lines_;  // drawn caches, reused for all excerpts because their tables are large
  DrawnPages pages_;
};

}  // namespace presort::predict
