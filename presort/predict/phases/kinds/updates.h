// For each operation, the update that it makes to its buckets and the inputs and results that go
// with it, as types without state, used by CorePhases (predict/phases/core_phases.h).
#pragma once

#include <cstdint>
#include <type_traits>

#include "presort/core/error.h"
#include "presort/core/monoid.h"
#include "presort/core/problem.h"
#include "presort/cpu/detail/results.h"
#include "presort/cpu/phases/update.h"
#include "presort/predict/trace/tracing_memory.h"

namespace presort::inline v0::predict {

template <class Label, class Value>
struct TypedUpdates {
  // Stands for results whose address is not known yet (see with_results).
  struct Unplaced {};

  using UnplacedScan = cpu::ScanUpdate<cpu::Scan::exclusive, Sum<Value>, Unplaced>;

  // Calls f with the operation's update. If the update writes results, their address is not known
  // yet: they are of type Unplaced.
  template <class F>
  static auto with_update_of(Operation operation, F f) {
    switch (operation) {
      case Operation::multireduce:
      case Operation::histogram:
        return f(cpu::ReduceUpdate<Sum<Value>>{});
      case Operation::scatter:
        return f(cpu::AssignUpdate{});
      case Operation::gather:
        return f(cpu::GatherUpdate<Unplaced>{});
      case Operation::multiscan:
      case Operation::multitag:
        return f(UnplacedScan{});
      default:
        throw Error("an operation that updates nothing");
    }
  }

  template <class View>
  static constexpr bool kIsLabels =
      std::is_same_v<View, cpu::LabelInput<TracingMemory, Label, Value>>;
  template <class View>
  using ResultsOf =
      std::conditional_t<std::is_same_v<View, cpu::PairInput<TracingMemory, Label, Value>>,
                         cpu::PairResults<TracingMemory, Label, Value>,
                         cpu::ResultArray<TracingMemory, Value>>;

  // True if some operation permutes results of type From back to the order of inputs with a given
  // view.
  template <class View, class From>
  static constexpr bool kHasResults =
      !kIsLabels<View> || std::is_same_v<From, cpu::ResultArray<TracingMemory, Value>>;

  // True if some operation applies a given update to inputs with a given view.
  template <class View>
  static constexpr bool goes_with(const void*) {
    return true;
  }
  template <class View>
  static constexpr bool goes_with(const cpu::AssignUpdate*) {
    return !kIsLabels<View>;
  }
  template <class View>
  static constexpr bool goes_with(const cpu::MarkedAssign<TracingMemory>*) {
    return !kIsLabels<View>;
  }
  template <class View>
  static constexpr bool goes_with(const cpu::GatherUpdate<Unplaced>*) {
    return kIsLabels<View>;
  }

  // True if some operation applies a given update to inputs with a given view for one range of
  // buckets after another, as threads and range passes do. Only inputs that were not pre-sorted are
  // read so.
  template <class View, class Update>
  static constexpr bool has_ranges(const Update* update) {
    constexpr bool kOfPairs = std::is_same_v<View, cpu::PairInput<TracingMemory, Label, Value>>;
    return !kOfPairs && goes_with<View>(update);
  }

  // The given update with its results placed where those of the current inputs stand; the result of
  // input 0 has address `at`.
  template <class View, class Update>
  static const Update& with_results(const Update& update, uint64_t) {
    return update;
  }
  template <class View>
  static cpu::GatherUpdate<ResultsOf<View>> with_results(const cpu::GatherUpdate<Unplaced>&,
                                                         uint64_t at) {
    return {{{at}}};
  }
  template <class View>
  static cpu::ScanUpdate<cpu::Scan::exclusive, Sum<Value>, ResultsOf<View>> with_results(
      const UnplacedScan&, uint64_t at) {
    return {{}, {{at}}};
  }
};

}  // namespace presort::predict
