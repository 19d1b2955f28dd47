// A pre-sort of one pass into chunks (phases/chunks.h): the inputs are cut into shares, each of
// which is partitioned into chunks of its own; then the parts are divided into groups, which
// threads take through a kernel. The layout of a share depends on its inputs alone, and a part is
// the chunks of share 0, then those of share 1, …, in the order in which they were filled: so
// inputs stay in their order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/cpu/memory/allocated.h"
#include "presort/cpu/phases/buffered_partition.h"
#include "presort/cpu/phases/direct_ahead.h"
#include "presort/cpu/plan/passes.h"
#include "presort/cpu/plan/phase_listener.h"
#include "presort/cpu/presort/store.h"
#include "presort/cpu/thread_team.h"
#include "presort/cpu/threads/shares.h"
#include "presort/cpu/threads/work_in_turn.h"

namespace presort::inline v0::cpu {

// Number of elements in a chunk of the partition's output.
template <class Store>
size_t chunk_elements(const WriteBuffers& buffers) {
  WriteBuffers chunk = buffers;
  chunk.bytes = buffers.chunk_bytes;
  return std::max(Store::capacity(chunk), Store::capacity(buffers));
}

// Arrays into which one share of the inputs is partitioned.
template <class Store>
struct ChunkArrays {
  Digit digit{};
  size_t capacity = 0;  // number of elements that each write buffer holds
  ChunkedParts<RawMemory> parts{};
  size_t* positions = nullptr;
  Store buffers{};
  Store output{};

  // Cuts the arrays for a share of n inputs. Requires: check_plan passes; plan.presort->chunk_bytes
  // > 0
  static ChunkArrays take(Carver& carver, const CpuPlan& plan, size_t n, int label_bits) {
    ChunkArrays a;
    const WriteBuffers through = write_buffers(*plan.presort);
    a.digit = digit_of(buffered_passes(*plan.presort, Operation::multireduce)[0], label_bits);
    a.capacity = Store::capacity(through);
    a.parts.elements = chunk_elements<Store>(through);
    const size_t chunks = a.digit.count() + n / a.parts.elements;
    a.parts.next = carver.take<uint32_t>(chunks);
    a.parts.drawn = carver.take<uint32_t>(1);
    a.positions = carver.take<size_t>(a.digit.count());
    a.buffers = Store::take(carver, a.digit.count() * a.capacity);
    a.output = Store::take(carver, saturating_multiply(chunks, a.parts.elements));
    return a;
  }

  // Moves inputs [0, count) to the chunks of their parts; part d begins with chunk d.
  template <class Input>
  void fill(const Input& input, size_t count) const {
    begin();
    add(input, count);
    end<LabelOf<Input>>();
  }

  // Empties all parts, before add().
  void begin() const {
    for (size_t d = 0; d < digit.count(); ++d) {
      positions[d] = d * parts.elements;
    }
    *parts.drawn = static_cast<uint32_t>(digit.count());
  }

  // Moves inputs [0, count) to the chunks of their parts, behind those of earlier calls.
  template <class Input>
  void add(const Input& input, size_t count) const {
    RawMemory memory;
    const auto to = write_buffers_to_output();
    using Buffers = std::remove_const_t<decltype(to)>;
    carries_out<phase::Partition, LabelOf<Input>>(0, digit);
    BufferedPartition<RawMemory, Input, Buffers, size_t, ChunkedParts<RawMemory>>{input, positions,
                                                                                  to, digit, parts}
        .step(0, count, memory);
  }

  // Writes what is left in the write buffers, after the last add().
  template <class Label>
  void end() const {
    RawMemory memory;
    const auto to = write_buffers_to_output();
    using Buffers = std::remove_const_t<decltype(to)>;
    carries_out<phase::Drain, Label>(0, digit);
    DrainBuffers<RawMemory, Buffers>{positions, to}.step(0, digit.count(), memory);
    stream_fence();
  }

  // Calls f(first, count, next) for each chunk of part d that has inputs, in their order: `count`
  // elements of the output from `first` on; `next` is where the part's next chunk begins, or, after
  // its last chunk, the next part.
  template <class F>
  void for_each_chunk(size_t d, const F& f) const {
    const int bits = std::countr_zero(parts.elements);
    const size_t last = positions[d] >> bits;
    for (size_t chunk = d; chunk != last;) {
      const size_t next = parts.next[chunk];
      f(chunk << bits, parts.elements, next << bits);
      chunk = next;
    }
    const size_t rest = positions[d] & (parts.elements - 1);
    if (rest > 0) {
      f(last << bits, rest, std::min(d + 1, digit.count() - 1) << bits);
    }
  }

  size_t inputs_of(size_t d) const {
    size_t inputs = 0;
    for_each_chunk(d, [&](size_t, size_t count, size_t) { inputs += count; });
    return inputs;
  }

 private:
  auto write_buffers_to_output() const {
    return buffers.template buffers<Flush::streaming, RawMemory>(output, capacity);
  }
};

// The chunk arrays of all shares of the inputs.
template <class Store>
using ChunkTeam = std::vector<ChunkArrays<Store>>;

// Takes the chunk arrays of all shares out of the scratch.
// Errors: EnvironmentError when there is no memory for them
template <class Store>
ChunkTeam<Store> take_chunk_team(Carver& carver, const CpuPlan& plan, size_t n, int label_bits) {
  const size_t shares = share_count(n, static_cast<size_t>(plan.resources.threads));
  auto team = allocated<ChunkArrays<Store>>(shares);
  for (size_t s = 0; s < shares; ++s) {
    team[s] = ChunkArrays<Store>::take(carver, plan, share_of(n, s, shares).count(), label_bits);
  }
  return team;
}

// Input of a kernel: the last inputs of a chunk, from where prefetches reach into the part's next chunk.
// (One input for a whole chunk, with a branch in fetch(), made the loop on the parts a third slower: g++
// 12 keeps it in memory.)
template <class Input>
struct ChunkEnd : Input {
  Input following;

  void fetch(size_t first, size_t inputs, RawMemory& memory) const {
    following.fetch(first - kInputDistance, inputs, memory);
  }
};

template <class Store>
class ChunkedPresort {
 public:
  // Sets up a pre-sort into chunks. | Requires: the team's arrays were cut for n inputs; n > 0
  // Errors:   EnvironmentError when there is no memory for the pre-sort's tables
  ChunkedPresort(const ChunkTeam<Store>& team, size_t n)
      : team_(team), n_(n), groups_(allocated<Share>(team.size())) {}

  // Calls kernel(input, count) for all inputs of each part, piece by piece, in the order of the inputs;
  // one thread makes all calls for a part.
  // Requires: the kernel prefetches inputs kInputDistance inputs ahead
  // Errors: what the kernel throws
  template <class Input, class Kernel>
  void run(const Input& input, const Kernel& kernel, ThreadTeam& threads) {
    run_in_turn(threads, team_.size(), [&](size_t s) {
      const Share own = share_of(n_, s, team_.size());
      team_[s].fill(input.from(own.first), own.count());
    });
    divide();
    run_in_turn(threads, team_.size(), [&](size_t g) {
      for (size_t d = groups_[g].first; d < groups_[g].last; ++d) {
        for (const ChunkArrays<Store>& arrays : team_) {
          run_part(arrays, d, kernel);
        }
      }
    });
  }

 private:
  template <class Kernel>
  static void run_part(const ChunkArrays<Store>& arrays, size_t d, const Kernel& kernel) {
    arrays.for_each_chunk(d, [&](size_t first, size_t count, size_t next) {
      using Part = typename Store::Input;
      const Store& output = arrays.output;
      const size_t last = std::min(count, kInputDistance);
      if (count > last) {
        kernel(output.input(first), count - last);
      }
      kernel(ChunkEnd<Part>{output.input(first + count - last), output.input(next)}, last);
    });
  }

  // Divides the parts into groups of consecutive parts with about as many inputs each.
  void divide() {
    const size_t digits = team_[0].digit.count();
    if (team_.size() == 1) {
      groups_[0] = {0, digits};
      return;
    }
    size_t before = 0;
    size_t d = 0;
    for (size_t g = 0; g < groups_.size(); ++g) {
      groups_[g].first = d;
      for (; d < digits; ++d) {
        size_t inputs = 0;
        for (const ChunkArrays<Store>& arrays : team_) {
          inputs += arrays.inputs_of(d);
        }
        if (owner_of_part(before, inputs, n_, groups_.size()) > g) {
          break;
        }
        before += inputs;
      }
      groups_[g].last = d;
    }
  }

  const ChunkTeam<Store>& team_;
  size_t n_;
  std::vector<Share> groups_;  // ranges of consecutive parts, one for each group
};

}  // namespace presort::cpu
