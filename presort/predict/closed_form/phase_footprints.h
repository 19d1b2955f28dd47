// The footprints of each phase of a plan: the memory that it touches, and how often.
#pragma once

#include <memory>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/cpu/phases/digit.h"
#include "presort/predict/closed_form/hit_ratios/footprint.h"
#include "presort/predict/phases/phase_simulator.h"

namespace presort::inline v0::predict {

class PhaseFootprints {
 public:
  // `measured`: the measured distribution of a file's labels; null for other distributions
  PhaseFootprints(const Problem& problem, std::shared_ptr<const EmpiricalLabels> measured);

  // Footprints per input of the plain loop.
  std::vector<Footprint> direct(const PhaseInput& input) const;
  // Footprints per input of one of several range passes.
  std::vector<Footprint> range_pass(const PhaseInput& input, size_t passes) const;
  // Footprints per input when one part of a partition is updated; the part has `width` buckets.
  std::vector<Footprint> direct_on_part(const PhaseInput& place, uint64_t inputs,
                                        uint64_t width) const;
  std::vector<Footprint> histogram(const PhaseInput& input, const cpu::Digit& digit) const;
  std::vector<Footprint> partition(const PhaseInput& input, const cpu::Digit& digit,
                                   const cpu::WriteBuffers& through, Region to,
                                   Region to_values) const;
  std::vector<Footprint> plain_radix(const PhaseInput& input, const cpu::Digit& digit, Region to,
                                     Region to_values) const;
  std::vector<Footprint> permute_back(const PhaseInput& input, const cpu::Digit& digit,
                                      const cpu::WriteBuffers& through, Region from) const;
  std::vector<Footprint> unpack(const PhaseInput& input) const;
  // Footprints per item of a multireduce in sets: an item is one input of each of kReduceSets
  // parts, and each part has a set of buckets of its own.
  std::vector<Footprint> reduce_in_sets(const PhaseInput& input) const;

  // Footprints per digit of a drain: buffers and positions, which are in the caches as the
  // partition left them, and outputs, which are in memory.
  std::vector<Footprint> drain(const cpu::Digit& digit, const cpu::WriteBuffers& through, Region to,
                               Region to_values) const;
  // Footprints per element when sets of buckets are cleared, and per bucket when the sets are added
  // up.
  std::vector<Footprint> clear_sets() const;
  std::vector<Footprint> add_sets() const;

  // Number of inputs, or of label-value pairs, in a page of their stream; prefetchers stop at page
  // ends.
  double page_items(const PhaseInput& input) const;
  double page_items_of_sets() const;

 private:
  LabelShape shape_of(uint64_t inputs, uint64_t buckets) const;
  LabelShape shape_of(const PhaseInput& input, const cpu::Digit& digit) const;
  Footprint buckets(const LabelShape& labels) const;
  bool in_pairs(const PhaseInput& input) const;
  double pair_bytes() const { return 2 * std::max(label_bytes_, value_bytes_); }
  double since(const PhaseInput& input, double bytes_per_input) const;
  double bytes_of(const PhaseInput& input) const;
  std::vector<Footprint> read_inputs(const PhaseInput& input, double since) const;
  std::vector<Footprint> inputs_and_results(const PhaseInput& input, double since) const;
  std::vector<Footprint> labels_of(const PhaseInput& input) const;
  double capacity(const cpu::WriteBuffers& through) const;
  void add_buffers(std::vector<Footprint>& footprints, const LabelShape& labels, double digits,
                   const cpu::WriteBuffers& through, Region to, Region to_values) const;

  Problem problem_;
  std::shared_ptr<const EmpiricalLabels> measured_;
  std::shared_ptr<KnownPopularities> known_;
  double label_bytes_;
  double value_bytes_;
};

// Bytes of a page at whose end prefetchers stop
inline constexpr double kPrefetchedPageBytes = 4096;

}  // namespace presort::predict
