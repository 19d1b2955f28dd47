// A small machine whose latency matrix is simulated in a moment, and that matrix.
#pragma once

#include <cmath>

#include "presort/fit/cell_simulation.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::test {

// Machine at 1 GHz: caches of 4 KiB at 4 cycles, 32 KiB at 14, 256 KiB (victim) at 40, memory at
// 200; TLBs of 16 pages, and of 128 at 7 cycles more.
inline Machine known_machine() {
  Machine machine = small_machine();
  machine.name = "known";
  machine.caches = {small_level("L1", 16, 4, 4, 10), small_level("L2", 64, 8, 14, 16),
                    small_level("L3", 256, 16, 40, 32)};
  machine.caches[2].fill = Fill::onEvict;
  machine.tlb = {small_tlb("DTLB", {4096}, 16, 16, 0), small_tlb("STLB", {4096}, 128, 8, 7)};
  machine.walk.pde_entries = 8;
  machine.memory.latency_ns = 200;
  machine.memory.bandwidth = 20e9;
  return machine;
}

// The latency matrix that a benchmark would measure on `machine`: 1 KiB to 1 MiB, strides 8 B to 2
// KiB, three orders, in whole cycles.
inline LatencyMatrix matrix_of(const Machine& machine) {
  LatencyMatrix matrix{"known", machine.clock_hz, {}};
  for (const ChaseOrder order :
       {ChaseOrder::random, ChaseOrder::forward, ChaseOrder::blockRandom}) {
    LatencyTable table{to_name(kChaseOrders, order), order, {}};
    for (uint64_t footprint = 1 << 10; footprint <= 1 << 20; footprint *= 2) {
      for (uint64_t stride = 8; stride <= 4096 && 2 * stride <= footprint; stride *= 4) {
        LatencyCell cell{footprint, stride, order == ChaseOrder::blockRandom ? 8192U : 0U, 1};
        cell.cycles = std::round(fit::simulate_cell(machine, cell, order, 77).cycles);
        table.cells.push_back(cell);
      }
    }
    matrix.tables.push_back(table);
  }
  return matrix;
}

}  // namespace presort::test
