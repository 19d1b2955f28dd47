// The inputs that the phases of a plan (cpu/plan/phase_list.h) read, and where they write their
// output.
#pragma once

#include <memory>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/core/problem.h"
#include "presort/cpu/plan/phase_spec.h"
#include "presort/predict/phases/run_bytes.h"
#include "presort/predict/trace/input_window.h"
#include "presort/predict/trace/layout.h"

namespace presort::inline v0::predict {

class PhaseInputs {
 public:
  // Runs that touch more bytes than `kept` says find nothing in the caches of what they touched
  // before.
  // Requires: the phases are those of a plan for the problem; the labels are the problem's
  PhaseInputs(const Problem& problem, const std::vector<cpu::PhaseSpec>& phases,
              std::shared_ptr<const LabelSource> labels, MostKept kept = {});

  // All inputs of a problem, in the arrays that the caller passes.
  PhaseInput whole() const;

  // The inputs of a phase that comes after some passes; if the phase works on parts, the inputs of
  // a typical part.
  PhaseInput at(const cpu::Place& place) const;

  // Bytes that are touched between two uses of arrays at a place; kFromMemory: nothing is left of them
  uint64_t since_bytes(const cpu::Place& place) const;
  uint64_t run_bytes() const { return run_bytes_; }

  const std::shared_ptr<const LabelSource>& labels() const { return labels_of_pass_[0]; }
  int bits() const { return label_bits(problem_.m); }
  const Problem& problem() const { return problem_; }

 private:
  Problem problem_;
  // For each pass: the labels of the inputs that it reads
  std::vector<std::shared_ptr<const LabelSource>> labels_of_pass_;
  // Bytes between two uses of an array of the caller, and of the output of a pass; kFromMemory:
  // more than caches keep
  uint64_t call_bytes_;
  uint64_t run_bytes_;
  std::vector<bool> streamed_;  // for each pass: true if its output bypasses the caches
};

// Where a pass writes its output: pairs or labels, and values if they stand in an array of their
// own.
struct PassOutput {
  Region to;
  Region to_values;
};
constexpr PassOutput output_of_pass(int pass) {
  return pass % 2 == 0 ? PassOutput{Region::partitioned, Region::partitioned_values}
                       : PassOutput{Region::scratch, Region::scratch_values};
}

}  // namespace presort::predict
