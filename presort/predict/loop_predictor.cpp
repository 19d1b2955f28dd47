#include "presort/predict/loop_predictor.h"

#include <array>
#include <cmath>
#include <vector>

#include "presort/core/error.h"
#include "presort/cpu/loops/loops.h"
#include "presort/predict/sampling/sampling.h"
#include "presort/predict/sampling/slices.h"
#include "presort/predict/trace/layout.h"

namespace presort::inline v0::predict {

namespace {

// Makes one access, a load or a store, to each cache line of [from, from + bytes), and hands the
// accesses to f(accesses) block by block.
template <class F>
void for_each_line(uint64_t from, uint64_t bytes, sim::AccessKind kind, uint64_t line_bytes,
                   const F& f) {
  constexpr size_t kBlock = 1024;
  std::vector<sim::Access> block;
  for (uint64_t byte = 0; byte < bytes; byte += line_bytes) {
    block.push_back({.address = from + byte, .kind = kind});
    if (block.size() == kBlock || byte + line_bytes >= bytes) {
      f(block);
      block.clear();
    }
  }
}

class LoopSimulation {
 public:
  LoopSimulation(const Machine& machine, const Loop& loop, const SimulationOptions& options)
      : machine_(machine),
        loop_(loop),
        round_(items_of_a_round(loop)),
        options_(options),
        sampler_(machine, options, sim::AddressSpace(page_bytes(loop.page_size))) {
    const CacheLevel& last = machine.caches.back();
    last_level_bytes_ = static_cast<uint64_t>(static_cast<double>(last.size_bytes) * last.share);
  }

  LoopPrediction predict() {
    fill_caches();
    warm(warm_up_items(loop_));
    piece(kLeadItems, [&](const auto& phase, uint64_t first, uint64_t last) {
      sampler_.lead_in(phase, first, last);
    });
    for (int k = 0; k < kMaxSlices; ++k) {
      if (k >= kMinSlices && sampler_.ci95_relative() <= options_.ci95_relative) {
        break;
      }
      time_slice();
    }
    const PhaseEstimate estimate = sampler_.estimate();
    return {estimate.ns_per_item, 1.96 * std::sqrt(estimate.variance) / estimate.ns_per_item,
            estimate.stack_ns};
  }

 private:
  // Fills the caches with lines of other data, then with the last lines of the loop's table, as if
  // the table had just been written in order.
  void fill_caches() {
    const auto warm_lines = [&](std::vector<sim::Access>& block) { sampler_.core(0).warm(block); };
    const uint64_t line_bytes = machine_.caches.back().line_bytes;
    const uint64_t room = last_level_bytes_ + last_level_bytes_ / 4;
    for_each_line(address_of(Region::scratch), room, sim::AccessKind::load, line_bytes, warm_lines);
    if (has_table(loop_.kind)) {
      const uint64_t bytes = std::min(loop_.footprint_bytes, room);
      const uint64_t first = table_address() + loop_.footprint_bytes - bytes;
      for_each_line(first, bytes, sim::AccessKind::store, line_bytes, warm_lines);
    }
  }

  void warm(uint64_t items) {
    piece(items, [&](const auto& phase, uint64_t first, uint64_t last) {
      sampler_.warm(phase, first, last);
    });
  }

  void time_slice() {
    sampler_.open_slice();
    piece(kSliceItems, [&](const auto& phase, uint64_t first, uint64_t last) {
      sampler_.time_piece(phase, first, last);
    });
    sampler_.close_slice();
  }

  // Runs the next `items` items of a loop in batches, by calling f for each; before each call,
  // computes the indices that the batch reads.
  template <class F>
  void piece(uint64_t items, const F& f) {
    for (const uint64_t end = at_ + items; at_ < end;) {
      const uint64_t count = std::min(end - at_, uint64_t{kWindowItems});
      in_rounds(at_, count, round_, [&](uint64_t first, uint64_t last) {
        cpu::with_loop<TracingMemory>(loop_, arrays(first, last),
                                      [&](const auto& phase) { f(phase, first, last); });
      });
      at_ += count;
    }
  }

  uint64_t table_address() const { return address_of(Region::buckets) + cpu::kTableStagger; }

  cpu::LoopArrays<TracingMemory> arrays(uint64_t first, uint64_t last) {
    cpu::LoopArrays<TracingMemory> arrays;
    arrays.table = {table_address()};
    arrays.words = {address_of(Region::labels) + cpu::kWordsStagger};
    arrays.values = {address_of(Region::values) + cpu::kValuesStagger};
    arrays.from = {table_address()};
    arrays.to = {address_of(Region::partitioned) + cpu::kToStagger};
    arrays.sums = {address_of(Region::counts)};
    arrays.sum = {address_of(Region::counts)};
    if (has_streamed_indices(loop_.kind)) {
      for (uint64_t i = first; i < last; ++i) {
        words_[i - first] = static_cast<uint32_t>(cpu::random_word(i));
      }
      arrays.words.window = words_.data();
      arrays.words.first = first;
      arrays.words.count = last - first;
    }
    return arrays;
  }

  static constexpr size_t kWindowItems = 4096;

  const Machine& machine_;
  const Loop& loop_;
  uint64_t round_;
  const SimulationOptions& options_;
  Sampler sampler_;
  uint64_t last_level_bytes_ = 0;
  uint64_t at_ = 0;
  std::array<uint32_t, kWindowItems> words_{};
};

}  // namespace

LoopPrediction predict_loop(const Machine& machine, const Loop& loop,
                            const SimulationOptions& options) {
  check_loop(loop);
  if (const auto problem = find_machine_problem(machine)) {
    throw InputError(problem->key_path + ": " + problem->message);
  }
  if (machine.storage) {
    throw InputError("storage: found a block device, accepted for loops: memory that holds all");
  }
  return LoopSimulation(machine, loop, options).predict();
}

}  // namespace presort::predict
