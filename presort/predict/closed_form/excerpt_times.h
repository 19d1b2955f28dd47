// The times of excerpts of phases in a given state of caches and TLBs (setting.h). Nothing is
// remembered between two excerpts, so an estimate depends only on its arguments.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/predict/closed_form/phase_clock.h"
#include "presort/predict/closed_form/setting.h"
#include "presort/predict/sampling/estimator.h"
#include "presort/predict/sampling/excerpt.h"

namespace presort::inline v0::predict {

// The properties of a phase that the choice of its excerpts depends on.
struct ExcerptKind {
  uint64_t ahead = 0;  // distance, in inputs, at which software fetches streams
  // Inputs from one page of a stream to the next; prefetchers stop at page ends
  double page_items = 1;
  double per_input = 1;  // number of the phase's items per input of the problem
  bool even = false;     // true: all inputs take about the same time, so few are enough
  // True: the kernel takes inputs in blocks of 256, so the pieces of an excerpt are whole blocks
  bool blocks = false;
  // False: the phase's streams end before a prefetcher that goes on from page to page has run ahead
  bool long_streams = true;
};

// Numbers of inputs in the pieces of an excerpt (excerpt.h).
struct ExcerptLengths {
  uint64_t lead;      // not timed
  uint64_t last;      // inputs timed for the last stretch before streams enter a page
  uint64_t entering;  // inputs timed for the last stretch while streams enter a page
  double half() const { return static_cast<double>(lead + last + entering) / 2; }
};

class ExcerptTimes {
 public:
  // Makes a clock for excerpts. A time is the mean over excerpts from up to `places` places of the
  // inputs, each with random draws of its own; places are added until the excerpts agree. Records
  // go to `excerpt`.
  // Requires: places is a power of two; machine and excerpt outlive this object
  ExcerptTimes(const Machine& machine, uint64_t page_bytes, Excerpt& excerpt, int places);

  // Makes a phase's records near `place` of all inputs, from 0 (first) to 1 (last).
  using Record = std::function<void(double place)>;

  // A span of a phase: the share `part` of its inputs, at whose start the caches were empty
  // `horizon` inputs ago.
  struct Span {
    double horizon = kNever;
    double part = 1;
  };

  // The time of a phase that consists of the given spans, one after the other.
  // Requires: at least one span; parts add up to 1
  PhaseEstimate time(const ExcerptKind& kind, const Setting& setting,
                     const std::vector<Span>& spans, const Record& record);

 private:
  // Cycles that a memory access takes longer when it misses level i, for caches and for TLBs.
  struct MissCycles {
    std::array<double, 4> lines{};
    std::array<double, 4> pages{};
  };
  ExcerptLengths lengths_of(const ExcerptKind& kind) const;
  std::vector<PhaseClock::Stretch> stretches_of(const ExcerptKind& kind, const Setting& setting,
                                                const std::vector<Span>& spans) const;
  void place_after_each_other(const ExcerptKind& kind, const Setting& setting,
                              const std::vector<double>& horizons,
                              std::vector<PhaseClock::Stretch>& stretches) const;
  uint64_t place_number(uint64_t i) const;
  static bool is_certain(const std::vector<PhaseEstimate>& estimates, size_t fewest);
  static MissCycles miss_cycles(const Machine& machine);
  bool alike(const Setting::Places& a, const Setting::Places& b, double tolerance) const;

  PhaseClock clock_;
  MissCycles miss_cycles_;
  double pages_ahead_;  // pages of 4 KiB that prefetchers run ahead across page ends
  Excerpt& excerpt_;
  int places_;
};

// Adds to `sum` the time of a span of inputs that stands for the share `weight` of all inputs.
void add(PhaseEstimate& sum, const PhaseEstimate& part, double weight);

}  // namespace presort::predict
