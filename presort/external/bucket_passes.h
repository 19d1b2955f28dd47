// The passes of operations that write buckets: multireduce, scatter, histogram.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "presort/core/base/checked.h"
#include "presort/cpu/pages.h"
#include "presort/external/part_kernel.h"
#include "presort/external/partition.h"
#include "presort/external/range_transfer.h"

namespace presort::inline v0::external {

// The inputs stream past all buckets, which are in memory.
template <class Label, class Value>
void stream_buckets(const PassContext& context) {
  const PassClock clock;
  const uint64_t bytes = context.problem.m * sizeof(Value);
  const cpu::PageBuffer buckets(saturating_round_up(bytes, kDirectBytes), PageSize::k2MiB,
                                context.stop);
  RangeTransfer output(context.transfers, context.out.file(), context.out.name(),
                       context.plan.block_bytes);
  InputStream<Label, Value> stream(context);
  Value* first = buckets.array<Value>(context.problem.m).data();
  for (auto inputs = stream.next(); !inputs.labels.empty(); inputs = stream.next()) {
    update_buckets(context.problem.operation, inputs.labels, inputs.values, first);
  }
  output.start(Transfer::Kind::write, 0, buckets.data(), bytes);
  output.finish();
  clock.done(context.report, "stream", stream.read_bytes(), output.moved_bytes());
}

// Updates the buckets of part after part with its inputs, and writes them while the next part is
// on.
template <class Value>
void update_parts(const PassContext& context, const Spill& spill,
                  const std::vector<uint64_t>& counts) {
  const PassClock clock;
  const Problem& problem = context.problem;
  const uint64_t width = uint64_t{1} << part_shift(problem.m, context.plan);
  const uint64_t record_bytes = spill_bytes(problem);
  const uint64_t capacity = block_records(context.plan, record_bytes);
  const cpu::PageBuffer both(2 * width * sizeof(Value), PageSize::k2MiB, context.stop);
  RangeTransfer output(context.transfers, context.out.file(), context.out.name(),
                       context.plan.block_bytes);
  ExtentReader blocks(context.transfers, spill.file(), spill.name(),
                      blocks_by_part(spill, counts.size()), capacity * record_bytes,
                      context.plan.depth);
  for (uint64_t p = 0; p < counts.size(); ++p) {
    const uint64_t bytes = std::min(width, problem.m - p * width) * sizeof(Value);
    std::byte* memory = both.data() + p % 2 * width * sizeof(Value);
    if (p >= 2) {
      std::memset(memory, 0, bytes);
    }
    for (uint64_t at = 0; at < counts[p]; at += capacity) {
      context.stop.check();
      const auto inputs = inputs_of_block<Value>(blocks.next(), std::min(capacity, counts[p] - at),
                                                 record_bytes > kPartLabelBytes);
      update_buckets(problem.operation, inputs.labels, inputs.values,
                     reinterpret_cast<Value*>(memory));
    }
    output.finish();  // that of the part before: its buckets are the next part's
    output.start(Transfer::Kind::write, p * width * sizeof(Value), memory, bytes);
  }
  output.finish();
  clock.done(context.report, "parts", blocks.read_bytes(), output.moved_bytes());
}

template <class Label, class Value>
void run_buckets(const PassContext& context) {
  const uint64_t parts = part_count(context.problem.m, context.plan);
  if (parts == 1) {
    return stream_buckets<Label, Value>(context);
  }
  Spill spill(context.spill_folder, parts,
              most_spill_bytes(context.problem.n, parts, spill_bytes(context.problem)));
  context.report.is_direct = context.report.is_direct && spill.is_direct();
  const std::vector<uint64_t> counts = partition_inputs<Label, Value>(context, spill);
  update_parts<Value>(context, spill, counts);
}

}  // namespace presort::external
