// Distributes inputs to the blocks of a spill file, part by part, in their order.
// A block holds `count` inputs: their labels within the part, 4 bytes each, then, from label
// round_up(count, kRecordUnit) on, their values. All blocks of a part but the last are full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "presort/core/base/checked.h"
#include "presort/core/plan/external_plan.h"
#include "presort/external/block_writer.h"
#include "presort/external/input_stream.h"
#include "presort/external/spill.h"

namespace presort::inline v0::external {

// A label within its part.
using PartLabel = uint32_t;
static_assert(sizeof(PartLabel) == kPartLabelBytes);

// Most bytes of a spill file of n records in `parts` parts: the last block of each is rounded up.
inline uint64_t most_spill_bytes(uint64_t n, uint64_t parts, uint64_t record_bytes) {
  return saturating_multiply(saturating_add(n, parts * kRecordUnit), record_bytes);
}

template <class Value>
class Partition {
 public:
  // Requires: the others outlive this object; the writer has buffers for all parts, and more
  Partition(const Problem& problem, const ExternalPlan& plan, BlockWriter& writer, Spill& spill)
      : writer_(writer),
        spill_(spill),
        shift_(part_shift(problem.m, plan)),
        mask_((uint64_t{1} << shift_) - 1),
        record_bytes_(spill_bytes(problem)),
        capacity_(block_records(plan, record_bytes_)),
        parts_(part_count(problem.m, plan)),
        counts_(parts_.size(), 0) {
    for (Part& part : parts_) {
      part.labels = reinterpret_cast<PartLabel*>(writer_.take());
    }
  }

  // Requires: labels are below m; there are as many values as labels, or the operation has none
  template <class Label>
  void add(const Inputs<Label, Value>& inputs) {
    if (record_bytes_ > kPartLabelBytes) {
      add_each<true>(inputs.labels, inputs.values);
    } else {
      add_each<false>(inputs.labels, inputs.values);
    }
  }

  // Writes what is left, and waits for all writes.
  void finish() {
    for (size_t p = 0; p < parts_.size(); ++p) {
      write_out(p);
    }
    writer_.finish();
  }

  // Number of inputs of each part.
  const std::vector<uint64_t>& counts() const { return counts_; }

 private:
  struct Part {
    PartLabel* labels = nullptr;
    uint64_t count = 0;
  };

  Value* values_of(const Part& part, uint64_t labels) const {
    return reinterpret_cast<Value*>(part.labels + labels);
  }

  template <bool kHasValues, class Label>
  void add_each(std::span<const Label> labels, std::span<const Value> values) {
    for (size_t i = 0; i < labels.size(); ++i) {
      const uint64_t label = labels[i];
      const auto p = static_cast<size_t>(label >> shift_);
      Part& part = parts_[p];
      part.labels[part.count] = static_cast<PartLabel>(label & mask_);
      if constexpr (kHasValues) {
        values_of(part, capacity_)[part.count] = values[i];
      }
      if (++part.count == capacity_) {
        write_out(p);
        part.labels = reinterpret_cast<PartLabel*>(writer_.take());
      }
    }
  }

  // Writes the block that a part is filling, if there is anything in it.
  void write_out(size_t p) {
    Part& part = parts_[p];
    if (part.count == 0) {
      return;
    }
    const uint64_t room = saturating_round_up(part.count, kRecordUnit);
    if (room < capacity_ && record_bytes_ > kPartLabelBytes) {
      std::memmove(values_of(part, room), values_of(part, capacity_), part.count * sizeof(Value));
    }
    const uint64_t bytes = room * record_bytes_;
    writer_.write(reinterpret_cast<std::byte*>(part.labels), spill_.append(p, bytes), bytes);
    counts_[p] += part.count;
    part.count = 0;
  }

  BlockWriter& writer_;
  Spill& spill_;
  int shift_;
  uint64_t mask_;
  uint64_t record_bytes_;
  uint64_t capacity_;  // inputs of a full block
  std::vector<Part> parts_;
  std::vector<uint64_t> counts_;
};

// Distributes all inputs of a run, as a pass of its report, and returns how many each part has.
template <class Label, class Value>
std::vector<uint64_t> partition_inputs(const PassContext& context, Spill& spill) {
  const PassClock clock;
  InputStream<Label, Value> stream(context);
  const uint64_t parts = part_count(context.problem.m, context.plan);
  const uint64_t record_bytes = spill_bytes(context.problem);
  BlockWriter writer(context.transfers, spill.file(), spill.name(),
                     block_records(context.plan, record_bytes) * record_bytes,
                     parts + static_cast<uint64_t>(context.plan.depth));
  Partition<Value> partition(context.problem, context.plan, writer, spill);
  for (auto inputs = stream.next(); !inputs.labels.empty(); inputs = stream.next()) {
    partition.add(inputs);
  }
  partition.finish();
  clock.done(context.report, "partition", stream.read_bytes(), writer.written_bytes());
  return partition.counts();
}

// All blocks of a spill file, part by part.
inline std::vector<Extent> blocks_by_part(const Spill& spill, uint64_t parts) {
  std::vector<Extent> blocks;
  for (uint64_t p = 0; p < parts; ++p) {
    blocks.insert(blocks.end(), spill.blocks(p).begin(), spill.blocks(p).end());
  }
  return blocks;
}

// The inputs in a block of a spill file. count: how many they are
template <class Value>
Inputs<PartLabel, Value> inputs_of_block(std::span<const std::byte> block, uint64_t count,
                                         bool has_values) {
  Inputs<PartLabel, Value> inputs;
  inputs.labels = elements_of<PartLabel>(block).first(count);
  if (has_values) {
    const uint64_t labels_bytes = saturating_round_up(count, kRecordUnit) * kPartLabelBytes;
    inputs.values = elements_of<Value>(block.subspan(labels_bytes)).first(count);
  }
  return inputs;
}

}  // namespace presort::external
