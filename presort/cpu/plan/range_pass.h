// A range pass: it goes over all inputs and updates one range of the buckets
// (detail/range_passes.h).
#pragma once

#include <compare>
#include <cstddef>

#include "presort/cpu/threads/shares.h"

namespace presort::inline v0::cpu {

// One of several range passes: its number `pass`, and the number of them, `passes`. Requires: pass <
// passes
struct RangePass {
  size_t pass = 0;
  size_t passes = 1;

  auto operator<=>(const RangePass&) const = default;

  // The buckets among `buckets` that this pass updates; none, for some passes, where there are
  // fewer buckets than passes.
  Share of(const Share& buckets) const {
    const Share range = share_of(buckets.count(), pass, passes);
    return {buckets.first + range.first, buckets.first + range.last};
  }
};

}  // namespace presort::cpu
