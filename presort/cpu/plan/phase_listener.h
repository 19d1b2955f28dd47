// Kernels say which phases of their plan's list (phase_list.h) they carry out. Only a test listens, by
// specialising a template; for all other programs the calls compile to nothing.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "presort/cpu/memory/memory.h"
#include "presort/cpu/phases/digit.h"

namespace presort::inline v0::cpu {

namespace phase {  // the listed phases are defined in phase_spec.h
struct UpdateAll;
struct UpdateRange;
struct UpdateParts;
struct FillTables;
struct UpdateTables;
struct MergeTables;
struct ScanFirstShare;
struct PrefixTables;
struct ScanOtherShares;
struct ClearSets;
struct CountInSets;
struct ReduceInSets;
struct AddSets;
struct Histogram;
struct Partition;
struct Drain;
struct SortFew;
struct PermuteBack;
struct CountRun;
struct MoveRun;
struct Unpack;
struct ClearPlaces;
struct CountParts;
struct SumCounts;
struct PlaceInputs;
struct CheckOffsets;
struct ReduceTails;
struct RunSegments;
}  // namespace phase

// Hears which phases run in kernels on labels, or offsets, of type Label.
template <class Label>
struct PhaseListener {
  template <class Phase>
  static constexpr void hears(size_t /*pass*/, const Digit& /*digit*/) {}
};

// A kernel calls this when its thread carries out a phase. `pass` is the number of the partition pass or
// range pass, where a plan has several; `digit` is the digit that the pass orders by.
template <class Phase, class Label>
constexpr void carries_out(size_t pass = 0, const Digit& digit = {}) {
  PhaseListener<Label>::template hears<Phase>(pass, digit);
}

// The type of the labels of an input (detail/input.h).
template <class Input>
using LabelOf = std::remove_cvref_t<decltype(std::declval<const Input&>().label(
    size_t{}, std::declval<RawMemory&>()))>;

}  // namespace presort::cpu
