// The phases of a plan as values: what each does, to which digit of the labels, through which
// buffers. The simulator and the closed form predict the list of phases (phase_list.h) one by one;
// the kernels take the passes of their pre-sorts from the same source as the list (passes.h). Equal
// values are equal work for one problem, so what is known of a phase is kept by its value. No value
// names an array: where the inputs of a phase stand follows from the passes before it.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <variant>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/prediction.h"
#include "presort/core/problem.h"
#include "presort/cpu/phases/distances.h"
#include "presort/cpu/plan/passes.h"
#include "presort/cpu/plan/range_pass.h"
#include "presort/cpu/plan/write_buffers.h"

namespace presort::inline v0::cpu {

namespace phase {

// Phase: updates buckets with all inputs, in their order.
struct UpdateAll {
  Distances distances;
  auto operator<=>(const UpdateAll&) const = default;
};

// Phase: goes over all inputs and updates the buckets of one range.
struct UpdateRange {
  Distances distances;
  RangePass range;
  auto operator<=>(const UpdateRange&) const = default;
};

// Phase: updates buckets part by part, all inputs of a part before those of the next part.
struct UpdateParts {
  Distances distances;
  Place from;
  int bits = 0;        // number of top bits of a label that tell its part
  int first_bits = 0;  // number of top bits of a label that tell its part in the first pass
  auto operator<=>(const UpdateParts&) const = default;
};

// Phases of plans with a private table for each thread (detail/private_tables.h).
struct FillTables {
  auto operator<=>(const FillTables&) const = default;
};
struct UpdateTables {
  Distances distances;
  auto operator<=>(const UpdateTables&) const = default;
};
struct MergeTables {
  auto operator<=>(const MergeTables&) const = default;
};

// Phases of scans in private tables (detail/scan_tables.h).
struct ScanFirstShare {
  Distances distances;
  auto operator<=>(const ScanFirstShare&) const = default;
};
struct PrefixTables {
  auto operator<=>(const PrefixTables&) const = default;
};
struct ScanOtherShares {
  Distances distances;
  auto operator<=>(const ScanOtherShares&) const = default;
};

// Phases of plans with several sets of buckets, for a histogram (cpu/histogram.h) or a multireduce
// (detail/set_reduce.h).
struct ClearSets {
  auto operator<=>(const ClearSets&) const = default;
};
struct CountInSets {
  auto operator<=>(const CountInSets&) const = default;
};
struct ReduceInSets {
  auto operator<=>(const ReduceInSets&) const = default;
};
struct AddSets {
  auto operator<=>(const AddSets&) const = default;
};

// Phases of a pass of the buffered pre-sort (presort/buffered_presort.h).
struct Histogram {
  Pass pass;
  auto operator<=>(const Histogram&) const = default;
};
struct Partition {
  Pass pass;
  WriteBuffers through;
  auto operator<=>(const Partition&) const = default;
};
struct Drain {
  Pass pass;
  WriteBuffers through;
  auto operator<=>(const Drain&) const = default;
};

// Phase: the inputs of parts that have few of them are sorted by the digits of a pass and all later
// ones, instead of these passes (presort/few_inputs.h). The pass's digit is all of these bits.
struct SortFew {
  Pass pass;
  int run_bits = 0;     // number of bits of the pass by itself
  uint64_t inputs = 0;  // number of inputs of such a part on average; 0: it follows from the labels
  auto operator<=>(const SortFew&) const = default;
};

// Phase: results go back from the parts of a pass to the order of its inputs
// (presort/permuted_presort.h). Parts begin at whole buffers.
struct PermuteBack {
  Pass pass;
  Layout layout = Layout::pairs;
  uint64_t buffer_bytes = 0;
  auto operator<=>(const PermuteBack&) const = default;
};

// Phases of a run of the thesis' radix sort (presort/plain_radix_sort.h).
struct CountRun {
  Pass pass;
  auto operator<=>(const CountRun&) const = default;
};
struct MoveRun {
  Pass pass;
  auto operator<=>(const MoveRun&) const = default;
};

// Phases of a partial sort (cpu/partial_sort.h): inputs go from a partition to their places; or, without
// a partition, the inputs of each part are counted and put straight to their places.
struct Unpack {
  Place from;
  auto operator<=>(const Unpack&) const = default;
};
struct ClearPlaces {
  auto operator<=>(const ClearPlaces&) const = default;
};
struct CountParts {
  auto operator<=>(const CountParts&) const = default;
};
struct SumCounts {
  auto operator<=>(const SumCounts&) const = default;
};
struct PlaceInputs {
  auto operator<=>(const PlaceInputs&) const = default;
};

// Phases of operations on consecutive segments (cpu/segmented.h).
struct CheckOffsets {
  auto operator<=>(const CheckOffsets&) const = default;
};
struct ReduceTails {  // phase: reduces the segment in which each thread's share ends
  auto operator<=>(const ReduceTails&) const = default;
};
struct RunSegments {
  auto operator<=>(const RunSegments&) const = default;
};

}  // namespace phase

using PhaseSpec =
    std::variant<phase::UpdateAll, phase::UpdateRange, phase::UpdateParts, phase::FillTables,
                 phase::UpdateTables, phase::MergeTables, phase::ScanFirstShare,
                 phase::PrefixTables, phase::ScanOtherShares, phase::ClearSets, phase::CountInSets,
                 phase::ReduceInSets, phase::AddSets, phase::Histogram, phase::Partition,
                 phase::Drain, phase::SortFew, phase::PermuteBack, phase::CountRun, phase::MoveRun,
                 phase::Unpack, phase::ClearPlaces, phase::CountParts, phase::SumCounts,
                 phase::PlaceInputs, phase::CheckOffsets, phase::ReduceTails, phase::RunSegments>;

// The name of a phase, for people: "histogram 1", "partition 1", "drain 1", …, "reduce".
std::string name_of(const PhaseSpec& phase, Operation operation);

PhaseKind kind_of(const PhaseSpec& phase);

// Items (inputs, buckets, digits or offsets) of a phase, per input of the problem.
double items_per_input(const PhaseSpec& phase, const Problem& problem);

}  // namespace presort::cpu
