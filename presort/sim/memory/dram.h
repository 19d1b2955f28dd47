// Main memory: channels with limited bandwidth, banks with one open row each.
// Without `rowCycle` a bank takes any number of requests at once and its row is that of the request
// before, in program order. With it, openings of rows in a bank are `rowCycle` apart (bank.h).
// With `turnaround` a channel writes `writeBatch` lines between two changes of direction, each of
// which costs it that time. Source of the batch: the write drain of memory controllers, e.g. gem5's
// memory controller (Hansson et al., "Simulating DRAM controllers for future system architecture
// exploration", ISPASS 2014).
// With `writeBandwidth` writes have a way of their own beside the reads, as between the dies of a
// Zen: one core of a Zen 4 copies as fast as it reads, 33 GB/s, and writes 16 GB/s meanwhile, where
// two cores read 37 GB/s (docs/results/loops.md, "Memory of a Zen 4").
// Four lines in a row are in one channel, the next four in the next, so a stream uses all channels.
// The same rows of all channels together hold one stripe of memory; stripes are spread over the
// banks by a hash.
// Source: channel bits found by timing, Pessl et al., "DRAMA: Exploiting DRAM addressing for
//         cross-CPU attacks", USENIX Security 2016, table 2: the lowest are bits 7 to 9.
// HBM is the same with other numbers: more channels, shorter rows.
// With several memory nodes (memory_nodes.h) each node has such channels and banks. A core's own
// limits hold for the memory of all nodes together.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "presort/core/base/divisor.h"
#include "presort/core/machine/machine.h"
#include "presort/sim/memory/bandwidth.h"
#include "presort/sim/memory/bank.h"
#include "presort/sim/memory/memory_nodes.h"

namespace presort::inline v0::sim {

class Dram {
 public:
  // Times are in cycles of `clock_hz`. Each core has its own limit, perCoreBandwidth, once for what
  // it reads and once for what it writes: the way to memory has both directions at a time. A loop
  // that updates memory at random, prefetching it, moves 28 GB/s on a core that reads at 14 and
  // writes past its caches at 24 (docs/results/validation.md).
  Dram(const Memory& memory, double clock_hz, uint64_t line_bytes, int cores = 1);

  // The memory of all nodes of a machine, for the cores of the given numbers.
  // Requires: find_machine_problem(machine) is empty; 0 <= number < machine.cores
  Dram(const Machine& machine, uint64_t line_bytes, const std::vector<int>& core_numbers);

  // Cycles that the memory of the node of core `owner` takes longer for core `core` than its own.
  double extra(int core, int owner) const {
    return nodes_ ? nodes_->extra(nodes_->home(core), nodes_->home(owner)) : 0;
  }

  // The times of a request made at `t`. ready - start is the time in an unloaded memory: the
  // latency, or less for a row hit. start - t is the wait for the bank, the channel and the core's
  // bandwidth.
  struct Reply {
    double start = 0;
    double ready = 0;  // time when the data arrive, cycles
  };

  // Reads a line. Returns times shifted so that a row miss in an unloaded memory is ready at t +
  // latency.
  Reply read(uint64_t line, double t, int core = 0);

  // Writes a line back: it takes bandwidth, but nobody waits for it. Returns when the channel takes
  // it, cycles.
  double write(uint64_t line, double t, int core = 0);

  // Puts the memory into its first state: no requests, all banks closed.
  void restart();

  // Adds reads and writes to the counts, without time.
  void count(uint64_t reads, uint64_t writes) {
    reads_ += reads;
    writes_ += writes;
  }

  uint64_t reads() const { return reads_; }
  uint64_t writes() const { return writes_; }
  void reset_counts() { reads_ = writes_ = 0; }

 private:
  struct Place {
    uint64_t row;
    uint64_t bank;
    uint64_t channel;
  };
  struct Channel {
    Bandwidth bus;
    std::optional<Bandwidth> writes;  // way of writes alone; no value: they take the bus
    int written = 0;                  // lines written since this channel turned to writing
  };

  Place place_of(uint64_t line) const;
  Place place_in(size_t node, uint64_t line) const;
  Reply read_from_node(uint64_t line, double t, int core);
  Reply read_at(const Place& place, double t);
  double write_at(const Place& place, double t);
  bool open_row(const Place& place);  // opens a row; true for a row hit: it was open already
  Reply read_banked(const Place& place, double t);
  double write_turning(Channel& channel, double t);

  double line_bytes_;
  int line_shift_;
  double latency_;
  double row_hit_;
  double row_cycle_;  // cycles between two row openings of a bank; 0: banks are always free
  // Bytes that a channel could move in the time of a turn between reads and writes
  double turnaround_bytes_;
  double turnaround_;
  int write_batch_;
  Divisor channels_;
  Divisor lines_per_stripe_;
  Divisor banks_per_channel_;
  std::vector<Bandwidth> core_reads_;
  std::vector<Bandwidth> core_writes_;
  std::vector<Channel> channel_;
  std::vector<uint64_t> open_rows_;   // open row + 1 by channel and bank; used without rowCycle
  std::vector<Bank> banks_;           // banks with timed openings; used only with rowCycle
  std::optional<MemoryNodes> nodes_;  // memory nodes; no value: one node
  uint64_t reads_ = 0;
  uint64_t writes_ = 0;
};

}  // namespace presort::sim
