#include "presort/predict/storage/external_time.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <optional>

#include "presort/core/base/checked.h"
#include "presort/core/labels/labels.h"
#include "presort/sim/memory/block_device.h"

namespace presort::inline v0::predict {
namespace {

// The clock of the simulated device: its cycles are nanoseconds.
constexpr double kClockHz = 1e9;

// A stretch of the device that requests go through in order.
class RequestStream {
 public:
  // `begin`: byte of the device where it starts
  RequestStream(sim::BlockDevice& device, const Storage& storage, uint64_t begin, int depth)
      : device_(device),
        page_(storage.page_bytes),
        at_(begin / page_),
        depth_(static_cast<size_t>(depth)) {}

  // Asks for the next `bytes` at `now`, as soon as fewer than depth requests are under way.
  void ask(uint64_t bytes, double now) {
    const uint64_t pages = saturating_round_up(bytes, page_) / page_;
    under_way_.push_back(device_.read(at_, pages, now));
    at_ += pages;
  }
  bool is_full() const { return under_way_.size() >= depth_; }

  // Time when the oldest request that was asked for is in memory.
  double take(double now) {
    const double done = std::max(now, under_way_.front());
    under_way_.pop_front();
    return done;
  }

  // Writes the next `bytes` at `now`; returns when the caller may go on: when a buffer is free.
  double write(uint64_t bytes, double now) {
    if (is_full()) {
      now = take(now);
    }
    const uint64_t pages = saturating_round_up(bytes, page_) / page_;
    under_way_.push_back(device_.write(at_, pages, now).done);
    at_ += pages;
    return now;
  }

  // Time when all requests are done.
  double finish(double now) {
    while (!under_way_.empty()) {
      now = take(now);
    }
    return now;
  }

 private:
  sim::BlockDevice& device_;
  uint64_t page_;
  uint64_t at_;  // page
  size_t depth_;
  std::deque<double> under_way_;  // times when they are done, ns
};

// Places of the files on the device, far from each other, bytes.
constexpr uint64_t kFar = uint64_t{1} << 50;

class ExternalPasses {
 public:
  ExternalPasses(const Storage& storage, const Problem& problem, const ExternalPlan& plan,
                 const ExternalCosts& costs)
      : storage_(storage),
        problem_(problem),
        plan_(plan),
        costs_(costs),
        parts_(part_count(problem.m, plan)),
        value_bytes_(size_bytes(problem.types.value)),
        gathers_(problem.operation == Operation::gather) {}

  ExternalPrediction run() {
    ExternalPrediction prediction;
    const auto add = [&](const char* name, double ns) {
      prediction.passes.push_back({name, ns / 1e9});
      prediction.seconds += ns / 1e9;
    };
    const double n = static_cast<double>(problem_.n);
    if (parts_ == 1) {
      const double written = gathers_ ? n * static_cast<double>(value_bytes_) : 0;
      add("stream",
          inputs_to_blocks(costs_.update_ns, written, 0) + range_ns(problem_.m * value_bytes_));
      return prediction;
    }
    add("partition",
        inputs_to_blocks(costs_.partition_ns, n * static_cast<double>(spill_bytes(problem_)), 0));
    add("parts", parts());
    if (gathers_) {
      const double bytes = n * static_cast<double>(value_bytes_);
      add("replay", inputs_to_blocks(costs_.partition_ns, bytes, bytes));
    }
    return prediction;
  }

 private:
  // Time to read or write one range with nothing else to do, ns.
  double range_ns(uint64_t bytes) {
    sim::BlockDevice device(storage_, kClockHz);
    RequestStream range(device, storage_, 0, plan_.depth);
    double now = 0;
    for (uint64_t at = 0; at < bytes; at += plan_.block_bytes) {
      const uint64_t piece = std::min(plan_.block_bytes, bytes - at);
      now = gathers_ ? now : range.write(piece, now);
      if (gathers_) {
        now = range.is_full() ? range.take(now) : now;
        range.ask(piece, now);
      }
    }
    return range.finish(now);
  }

  // Time of a pass over the inputs that writes `written` bytes in blocks and reads `beside` bytes
  // besides the inputs, ns.
  double inputs_to_blocks(double ns_per_input, double written, double beside) {
    sim::BlockDevice device(storage_, kClockHz);
    RequestStream inputs(device, storage_, 0, plan_.depth);
    RequestStream output(device, storage_, kFar, plan_.depth);
    RequestStream others(device, storage_, 2 * kFar, plan_.depth);
    const uint64_t records = block_records(plan_, input_bytes(problem_));
    const uint64_t blocks = (problem_.n + records - 1) / records;
    const auto bytes_of = [&](uint64_t block) {
      return std::min(records, problem_.n - block * records) * input_bytes(problem_);
    };
    const double others_a_block = beside / static_cast<double>(blocks);
    const double written_a_block = written / static_cast<double>(blocks);
    double now = 0;
    uint64_t asked = 0;
    double full = 0;  // bytes to be written that do not fill a block yet
    for (uint64_t block = 0; block < blocks; ++block) {
      for (; asked < blocks && !inputs.is_full(); ++asked) {
        inputs.ask(bytes_of(asked), now);
        if (others_a_block > 0) {
          others.ask(static_cast<uint64_t>(others_a_block), now);
        }
      }
      now = inputs.take(now);
      now = others_a_block > 0 ? others.take(now) : now;
      now += ns_per_input * static_cast<double>(std::min(records, problem_.n - block * records));
      for (full += written_a_block; full >= static_cast<double>(plan_.block_bytes);
           full -= static_cast<double>(plan_.block_bytes)) {
        now = output.write(plan_.block_bytes, now);
      }
    }
    now = full >= 1 ? output.write(static_cast<uint64_t>(full), now) : now;
    return output.finish(now);
  }

  // Time of the pass over all parts, ns.
  double parts() {
    sim::BlockDevice device(storage_, kClockHz);
    RequestStream inputs(device, storage_, 0, plan_.depth);
    // All requests for the buckets of one part are handed over at once
    RequestStream buckets(device, storage_, kFar, 1 << 30);
    RequestStream results(device, storage_, 2 * kFar, plan_.depth);
    const uint64_t record = spill_bytes(problem_);
    const uint64_t records = block_records(plan_, record);
    const uint64_t width = uint64_t{1} << part_shift(problem_.m, plan_);
    const uint64_t of_part = (problem_.n + parts_ - 1) / parts_;
    const uint64_t blocks_of_part = (of_part + records - 1) / records;
    const uint64_t blocks = blocks_of_part * parts_;
    const auto inputs_of = [&](uint64_t block) {
      return std::min(records, of_part - block % blocks_of_part * records);
    };
    double now = 0;
    uint64_t asked = 0;
    const auto move_buckets = [&](uint64_t part) {
      const uint64_t bytes = std::min(width, problem_.m - part * width) * value_bytes_;
      for (uint64_t at = 0; at < bytes; at += plan_.block_bytes) {
        const uint64_t piece = std::min(plan_.block_bytes, bytes - at);
        if (gathers_) {
          buckets.ask(piece, now);
        } else {
          buckets.write(piece, now);
        }
      }
    };
    if (gathers_) {
      move_buckets(0);
    }
    for (uint64_t block = 0; block < blocks; ++block) {
      const uint64_t part = block / blocks_of_part;
      if (gathers_ && block % blocks_of_part == 0) {
        now = buckets.finish(now);
        if (part + 1 < parts_) {
          move_buckets(part + 1);
        }
      }
      for (; asked < blocks && !inputs.is_full(); ++asked) {
        inputs.ask(inputs_of(asked) * record, now);
      }
      now = inputs.take(now);
      now += costs_.update_ns * static_cast<double>(inputs_of(block));
      if (gathers_) {
        now = results.write(inputs_of(block) * value_bytes_, now);
      } else if (block % blocks_of_part + 1 == blocks_of_part) {
        now = buckets.finish(now);
        move_buckets(part);
      }
    }
    return results.finish(buckets.finish(now));
  }

  const Storage& storage_;
  const Problem& problem_;
  const ExternalPlan& plan_;
  const ExternalCosts& costs_;
  uint64_t parts_;
  uint64_t value_bytes_;
  bool gathers_;
};

// Processor time of an input by the closed form, ns.
double closed_form_ns(const Machine& machine, const Problem& problem, const CpuPlan& plan) {
  const Predictor predictor(machine, {.method = Method::closedForm});
  return predictor
      .predict(problem, plan, make_labels(problem.distribution, problem.n, problem.m, problem.seed))
      .ns_per_input;
}

}  // namespace

ExternalPrediction predict_external(const Storage& storage, const Problem& problem,
                                    const ExternalPlan& plan, const ExternalCosts& costs) {
  return ExternalPasses(storage, problem, plan, costs).run();
}

ExternalCosts external_costs(const Machine& machine, const Problem& problem,
                             const ExternalPlan& plan) {
  Machine in_memory = machine;
  in_memory.storage.reset();
  constexpr uint64_t kInputs = uint64_t{1} << 24;  // long enough that only rates count
  Problem part;
  part.operation = problem.operation;
  part.types = {ScalarType::u32, problem.types.value};
  part.n = kInputs;
  part.m = std::min(problem.m, uint64_t{1} << part_shift(problem.m, plan));
  CpuPlan loop;
  loop.base.prefetch_distance = 32;  // that of external/part_kernel.h
  ExternalCosts costs;
  costs.update_ns = closed_form_ns(in_memory, part, loop);
  if (part_count(problem.m, plan) > 1) {
    // A loop over as many buckets as there are parts stands for the partition: an input is loaded,
    // and the counter of its part is loaded and stored
    part.operation = Operation::multireduce;
    part.m = part_count(problem.m, plan);
    costs.partition_ns = closed_form_ns(in_memory, part, CpuPlan{});
  }
  return costs;
}

ExternalChoice choose_external(const Machine& machine, const Problem& problem,
                               uint64_t memory_bytes) {
  std::optional<ExternalChoice> best;
  size_t tried = 0;
  const int most_bits = std::min(kMaxPartBits, std::max(0, label_bits(problem.m) - 10));
  for (int bits = 0; bits <= most_bits; ++bits) {
    std::optional<ExternalCosts> costs;
    for (uint64_t block = 256 << 10; block <= 4096 << 10; block *= 4) {
      for (const int depth : {8, 32}) {
        const ExternalPlan plan{bits, block, depth};
        if (part_shift(problem.m, plan) > 32 ||
            external_memory_bytes(problem, plan) > memory_bytes) {
          continue;
        }
        costs = costs ? costs : external_costs(machine, problem, plan);
        ++tried;
        ExternalPrediction prediction = predict_external(*machine.storage, problem, plan, *costs);
        // A plan of more parts, or larger blocks, must be better by more than rounding
        if (!best || prediction.seconds < best->prediction.seconds * (1 - 1e-6)) {
          best = {plan, std::move(prediction), 0};
        }
      }
    }
  }
  if (!best) {
    const ExternalPlan plan = external_plan_by_rule(problem, memory_bytes);
    best = {
        plan,
        predict_external(*machine.storage, problem, plan, external_costs(machine, problem, plan)),
        1};
  }
  best->tried = std::max<size_t>(tried, 1);
  return *best;
}

}  // namespace presort::predict
