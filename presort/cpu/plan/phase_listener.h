// Kernels say which phases of their plan's list (phase_list.h) they carry out. Nobody listens but a
// test, which does so at no cost to anybody else: what it specialises is chosen at compile time.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "presort/cpu/memory/memory.h"
#include "presort/cpu/phases/digit.h"

namespace presort::inline v0::cpu {

namespace phase {  // the values are in phase_spec.h
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

// Listens to the kernels on labels, or offsets, of type Label.
template <class Label>
struct PhaseListener {
  template <class Phase>
  static constexpr void hears(size_t /*pass*/, const Digit& /*digit*/) {}
};

// A kernel calls this when its thread carries out a phase. `pass` is the number of the pass or
// range, where there are several; `digit` is the digit that the pass orders by.
template <class Phase, class Label>
constexpr void carries_out(size_t pass = 0, const Digit& digit = {}) {
  PhaseListener<Label>::template hears<Phase>(pass, digit);
}

// The type of an input's labels.
template <class Input>
using LabelOf = std::remove_cvref_t<decltype(std::declval<const Input&>().label(
    size_t{}, std::declval<RawMemory&>()))>;

}  // namespace presort::cpu
