// The passes of a gather. With several parts:
//   partition  the labels go to a spill file, part by part
//   parts      each part's piece of the table is read, and its labels are replaced by values, in a
//              second spill file
//   replay     the labels are read again, in order; a label's part says from which part's values
//              the next result comes
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"
#include "presort/cpu/pages.h"
#include "presort/external/part_kernel.h"
#include "presort/external/partition.h"
#include "presort/external/range_transfer.h"

namespace presort::inline v0::external {

// Results in the order of the inputs, written in blocks.
template <class Value>
class ResultStream {
 public:
  explicit ResultStream(const PassContext& context)
      : capacity_(block_records(context.plan, sizeof(Value))),
        writer_(context.transfers, context.out.file(), context.out.name(),
                capacity_ * sizeof(Value), static_cast<size_t>(context.plan.depth)),
        block_(reinterpret_cast<Value*>(writer_.take())) {}

  // Room for at least one and at most `wanted` results, which count as filled.
  std::span<Value> room(uint64_t wanted) {
    if (count_ == capacity_) {
      write_out();
      block_ = reinterpret_cast<Value*>(writer_.take());
    }
    const uint64_t given = std::min(wanted, capacity_ - count_);
    const std::span<Value> room(block_ + count_, given);
    count_ += given;
    return room;
  }

  void finish() {
    write_out();
    writer_.finish();
  }

  uint64_t written_bytes() const { return writer_.written_bytes(); }

 private:
  void write_out() {
    if (count_ > 0) {
      writer_.write(reinterpret_cast<std::byte*>(block_), offset_, count_ * sizeof(Value));
      offset_ += count_ * sizeof(Value);
      count_ = 0;
    }
  }

  uint64_t capacity_;  // results of a block
  BlockWriter writer_;
  Value* block_;
  uint64_t count_ = 0;
  uint64_t offset_ = 0;  // bytes
};

// The labels stream past the whole table, which is in memory.
template <class Label, class Value>
void stream_gather(const PassContext& context) {
  const PassClock clock;
  const uint64_t bytes = context.problem.m * sizeof(Value);
  const cpu::PageBuffer table(saturating_round_up(bytes, kDirectBytes), PageSize::k2MiB,
                              context.stop);
  RangeTransfer input(context.transfers, context.values.file.get(), context.values.name,
                      context.plan.block_bytes);
  input.start(Transfer::Kind::read, context.values.first, table.data(), bytes);
  InputStream<Label, Value> stream(context);
  ResultStream<Value> results(context);
  input.finish();
  Value* first = table.array<Value>(context.problem.m).data();
  for (auto labels = stream.next().labels; !labels.empty(); labels = stream.next().labels) {
    while (!labels.empty()) {
      const std::span<Value> room = results.room(labels.size());
      gather_from(labels.first(room.size()), first, room.data());
      labels = labels.subspan(room.size());
    }
  }
  results.finish();
  clock.done(context.report, "stream", stream.read_bytes() + input.moved_bytes(),
             results.written_bytes());
}

// Replaces the labels of each part's blocks by values; the table's next piece comes meanwhile.
template <class Value>
void gather_parts(const PassContext& context, const Spill& labels, Spill& values,
                  const std::vector<uint64_t>& counts) {
  const PassClock clock;
  const Problem& problem = context.problem;
  const uint64_t width = uint64_t{1} << part_shift(problem.m, context.plan);
  const uint64_t capacity = block_records(context.plan, kPartLabelBytes);
  const cpu::PageBuffer both(2 * width * sizeof(Value), PageSize::k2MiB, context.stop);
  RangeTransfer table(context.transfers, context.values.file.get(), context.values.name,
                      context.plan.block_bytes);
  const auto memory_of = [&](uint64_t p) { return both.data() + p % 2 * width * sizeof(Value); };
  const auto ask = [&](uint64_t p) {
    table.start(Transfer::Kind::read, context.values.first + p * width * sizeof(Value),
                memory_of(p), std::min(width, problem.m - p * width) * sizeof(Value));
  };
  ask(0);
  ExtentReader blocks(context.transfers, labels.file(), labels.name(),
                      blocks_by_part(labels, counts.size()), capacity * kPartLabelBytes,
                      context.plan.depth);
  BlockWriter writer(context.transfers, values.file(), values.name(), capacity * sizeof(Value),
                     static_cast<size_t>(context.plan.depth));
  for (uint64_t p = 0; p < counts.size(); ++p) {
    table.finish();
    if (p + 1 < counts.size()) {
      ask(p + 1);
    }
    for (uint64_t at = 0; at < counts[p]; at += capacity) {
      context.stop.check();
      const uint64_t count = std::min(capacity, counts[p] - at);
      const auto part_labels = inputs_of_block<Value>(blocks.next(), count, false).labels;
      std::byte* block = writer.take();
      gather_from(part_labels, reinterpret_cast<Value*>(memory_of(p)),
                  reinterpret_cast<Value*>(block));
      writer.write(block, values.append(p, count * sizeof(Value)), count * sizeof(Value));
    }
  }
  writer.finish();
  clock.done(context.report, "parts", blocks.read_bytes() + table.moved_bytes(),
             writer.written_bytes());
}

// Values of each part in the order of its inputs.
template <class Value>
class PartValues {
 public:
  // Requires: the others outlive this object
  PartValues(const PassContext& context, const Spill& values, uint64_t parts) : values_(values) {
    const uint64_t bytes = block_records(context.plan, kPartLabelBytes) * sizeof(Value);
    for (uint64_t p = 0; p < parts; ++p) {
      readers_.push_back(std::make_unique<ExtentReader>(context.transfers, values.file(),
                                                        values.name(), values.blocks(p), bytes, 2));
    }
    rest_.resize(parts);
  }

  // The next value of a part.
  // Errors: InputError when there is none: the labels were others when they were read first
  Value next(uint64_t part) {
    std::span<const Value>& rest = rest_[part];
    if (rest.empty()) {
      rest = elements_of<Value>(readers_[part]->next());
      if (rest.empty()) {
        throw InputError(values_.name() + ": the labels changed while they were read");
      }
    }
    const Value value = rest.front();
    rest = rest.subspan(1);
    return value;
  }

  uint64_t read_bytes() const {
    uint64_t bytes = 0;
    for (const auto& reader : readers_) {
      bytes += reader->read_bytes();
    }
    return bytes;
  }

 private:
  const Spill& values_;
  std::vector<std::unique_ptr<ExtentReader>> readers_;
  std::vector<std::span<const Value>> rest_;
};

template <class Label, class Value>
void replay(const PassContext& context, const Spill& values, uint64_t parts) {
  const PassClock clock;
  const int shift = part_shift(context.problem.m, context.plan);
  InputStream<Label, Value> stream(context);
  ResultStream<Value> results(context);
  PartValues<Value> from(context, values, parts);
  for (auto labels = stream.next().labels; !labels.empty(); labels = stream.next().labels) {
    while (!labels.empty()) {
      const std::span<Value> room = results.room(labels.size());
      for (size_t i = 0; i < room.size(); ++i) {
        room[i] = from.next(static_cast<uint64_t>(labels[i]) >> shift);
      }
      labels = labels.subspan(room.size());
    }
  }
  results.finish();
  clock.done(context.report, "replay", stream.read_bytes() + from.read_bytes(),
             results.written_bytes());
}

template <class Label, class Value>
void run_gather(const PassContext& context) {
  const uint64_t n = context.problem.n;
  const uint64_t parts = part_count(context.problem.m, context.plan);
  if (parts == 1) {
    return stream_gather<Label, Value>(context);
  }
  Spill values(context.spill_folder, parts, most_spill_bytes(n, parts, sizeof(Value)));
  {
    Spill labels(context.spill_folder, parts, most_spill_bytes(n, parts, kPartLabelBytes));
    context.report.is_direct = context.report.is_direct && values.is_direct() && labels.is_direct();
    const std::vector<uint64_t> counts = partition_inputs<Label, Value>(context, labels);
    gather_parts<Value>(context, labels, values, counts);
  }
  replay<Label, Value>(context, values, parts);
}

}  // namespace presort::external
