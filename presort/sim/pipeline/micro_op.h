// The kind of micro-operation of a record, by which its core costs are looked up.
#pragma once

#include "presort/core/machine/core_costs.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::sim {

// Size, bytes, of an access that only wide vector instructions make in one.
inline constexpr uint8_t kLineMoveBytes = 64;

constexpr MicroOp micro_op_of(const Access& record) {
  switch (record.kind) {
    case AccessKind::branch:
      return MicroOp::branch;
    case AccessKind::prefetch:
      return MicroOp::prefetch;
    case AccessKind::load:
      return record.size >= kLineMoveBytes ? MicroOp::lineMove : MicroOp::load;
    case AccessKind::store:
    case AccessKind::streamingStore:
      return record.size >= kLineMoveBytes ? MicroOp::lineMove : MicroOp::store;
  }
  return MicroOp::plain;
}

}  // namespace presort::sim
