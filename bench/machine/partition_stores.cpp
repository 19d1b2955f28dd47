// Times the stores of a partition by themselves, ns an input, 2 MiB pages, on the quietest core:
//   flushes   pairs of 8 bytes go into buffers of their digit, and full buffers to the output by
//             ordinary stores of 32 bytes. The copy reads the buffer itself, whose last pairs are
//             not in the L1d yet, or another place
//   streams   a counting sort of pairs, its parts at random places: as the kernel does it; with one
//             output alone; and with places known, so that no counter is stored, two and one
// usage: partition_stores
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/measurement.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/load/quiet_core.h"
#include "presort/probe/workloads/meter.h"

namespace {

using namespace presort;

constexpr uint64_t kInputs = 1 << 22;
constexpr int kRounds = 5;
constexpr size_t kStagger = 5 << 10;  // offsets in bytes at which arrays begin within their pages

struct Labels {
  std::vector<uint32_t> labels;
  std::vector<uint64_t> counts(uint64_t parts) const {
    std::vector<uint64_t> result(parts);
    for (const uint32_t label : labels) {
      ++result[label & (parts - 1)];
    }
    return result;
  }
};

Labels draw_labels() {
  Labels drawn;
  for (uint64_t i = 0; i < kInputs; ++i) {
    drawn.labels.push_back(static_cast<uint32_t>(random_u64(1, i)));
  }
  return drawn;
}

template <class Prepare, class Run>
double median_ns(const Prepare& prepare, const Run& run) {
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round) {
    prepare();
    rounds.push_back(probe::take_slice(kInputs, run).value_ns);
  }
  return quantile(std::move(rounds), 0.5);
}

struct Flushes {
  const Labels& labels;
  uint64_t* output;
  uint64_t* buffers;
  uint64_t* elsewhere;

  double time(int bits, uint64_t capacity, bool flushes, bool from_buffer) const {
    std::vector<uint64_t> positions;
    const auto prepare = [&] {
      positions.clear();
      uint64_t start = 0;
      for (const uint64_t count : labels.counts(uint64_t{1} << bits)) {
        positions.push_back(start);
        start += (count + capacity - 1) / capacity * capacity;
      }
    };
    return median_ns(prepare, [&] {
      run(positions.data(), (1U << bits) - 1, capacity, flushes, from_buffer ? buffers : elsewhere);
    });
  }

  [[gnu::noinline]] void run(uint64_t* positions, uint32_t mask, uint64_t capacity, bool flushes,
                             const uint64_t* from) const {
    for (uint64_t i = 0; i < kInputs; ++i) {
      if (i % 16 == 0) {
        __builtin_prefetch(labels.labels.data() + std::min(i + 512, kInputs - 1));
      }
      const uint32_t label = labels.labels[i];
      const uint32_t digit = label & mask;
      const uint64_t position = positions[digit]++;
      const uint64_t slot = digit * capacity + (position & (capacity - 1));
      asm volatile("movq %1, (%0)" : : "r"(buffers + slot), "r"(i) : "memory");
      if (flushes && (position & (capacity - 1)) == capacity - 1) {
        std::memcpy(output + position + 1 - capacity, from + slot + 1 - capacity, capacity * 8);
      }
    }
  }
};

struct Streams {
  const Labels& labels;
  uint32_t* first;
  uint32_t* second;
  uint64_t* counters;
  uint64_t room;  // number of pairs that each output has room for

  std::vector<uint64_t> starts(uint64_t parts) const {
    const std::vector<uint64_t> counts = labels.counts(parts);
    std::vector<uint64_t> result(parts);
    const uint64_t step = room / parts;
    for (uint64_t part = 0; part < parts; ++part) {
      const uint64_t free = step > counts[part] ? step - counts[part] : 1;
      result[part] = part * step + bounded(random_u64(2, part), free);
    }
    return result;
  }

  template <bool kBoth>
  double counted(uint64_t parts) const {
    const std::vector<uint64_t> begin = starts(parts);
    return median_ns([&] { std::copy(begin.begin(), begin.end(), counters); },
                     [&] { run_counted<kBoth>(static_cast<uint32_t>(parts - 1)); });
  }

  template <bool kBoth>
  double known(uint64_t parts) const {
    std::vector<uint64_t> next = starts(parts);
    std::vector<uint32_t> places;
    for (const uint32_t label : labels.labels) {
      places.push_back(static_cast<uint32_t>(next[label & (parts - 1)]++));
    }
    return median_ns([] {}, [&] { run_known<kBoth>(places.data()); });
  }

  template <bool kBoth>
  [[gnu::noinline]] void run_counted(uint32_t mask) const {
    for (uint64_t i = 0; i < kInputs; ++i) {
      const uint32_t label = labels.labels[i];
      const uint64_t place = counters[label & mask];
      first[place] = label;
      if constexpr (kBoth) {
        second[place] = static_cast<uint32_t>(i);
      }
      counters[label & mask] = place + 1;
      asm volatile("" : : : "memory");
    }
  }

  template <bool kBoth>
  [[gnu::noinline]] void run_known(const uint32_t* places) const {
    for (uint64_t i = 0; i < kInputs; ++i) {
      first[places[i]] = labels.labels[i];
      if constexpr (kBoth) {
        second[places[i]] = static_cast<uint32_t>(i);
      }
      asm volatile("" : : : "memory");
    }
  }
};

void print_flushes(const Labels& labels, probe::QuietCore& core) {
  const probe::Arena output(kInputs * 8 + (uint64_t{64} << 20), probe::Pages::huge);
  const probe::Arena buffers(uint64_t{4} << 20, probe::Pages::huge);
  const probe::Arena elsewhere(uint64_t{4} << 20, probe::Pages::huge);
  const Flushes flushes{labels, reinterpret_cast<uint64_t*>(output.data()),
                        reinterpret_cast<uint64_t*>(buffers.data() + kStagger),
                        reinterpret_cast<uint64_t*>(elsewhere.data() + 2 * kStagger)};
  fmt::print("| bits | buffers | not flushed | flushed | copied from elsewhere |\n");
  fmt::print("| --- | --- | --- | --- | --- |\n");
  for (const uint64_t capacity : {8, 32}) {
    for (const int bits : {4, 8, 10}) {
      core.settle();
      fmt::print("| {} | {} B | {:.2f} | {:.2f} | {:.2f} |\n", bits, capacity * 8,
                 flushes.time(bits, capacity, false, true),
                 flushes.time(bits, capacity, true, true),
                 flushes.time(bits, capacity, true, false));
    }
  }
}

void print_streams(const Labels& labels, probe::QuietCore& core) {
  constexpr uint64_t kRoom = uint64_t{1} << 24;
  const probe::Arena first(kRoom * 4 + probe::kHugePageBytes, probe::Pages::huge);
  const probe::Arena second(kRoom * 4 + probe::kHugePageBytes, probe::Pages::huge);
  const probe::Arena counters(uint64_t{2} << 20, probe::Pages::huge);
  const Streams streams{labels, reinterpret_cast<uint32_t*>(first.data()),
                        reinterpret_cast<uint32_t*>(second.data() + kStagger),
                        reinterpret_cast<uint64_t*>(counters.data() + 2 * kStagger), kRoom};
  fmt::print("\n| bits | counting sort | one output | places known | the same, one output |\n");
  fmt::print("| --- | --- | --- | --- | --- |\n");
  for (const int bits : {4, 6, 7, 8, 9, 10, 12, 14}) {
    core.settle();
    const uint64_t parts = uint64_t{1} << bits;
    fmt::print("| {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n", bits, streams.counted<true>(parts),
               streams.counted<false>(parts), streams.known<true>(parts),
               streams.known<false>(parts));
  }
}

}  // namespace

int main() {
  const Labels labels = draw_labels();
  probe::QuietCore core(probe::this_topology().cpus);
  print_flushes(labels, core);
  print_streams(labels, core);
  const probe::CoreState state = probe::core_state();
  fmt::print("core at {:.2f} GHz, {:.2f} independent adds a cycle\n", 1 / state.cycle_ns,
             1 / state.crowding);
}
