// Machine files, `presort: machine/1`:
//   presort: machine/1
//   name: example
//   provenance: {source: probe, date: 2026-11-21}        # optional, free text
//   cpu:
//     clock: 2.5GHz
//     cores: 2
//     dispatchWidth: 4
//     costs: example.costs.yaml                          # optional, io/machine/core_costs_file.h:
//                             #   a file, seen from the folder of this one; without it every
//                             #   micro-operation takes one slot of dispatch
//     window: {entries: 224, loads: 72, stores: 56, registers: 160, storeLines: 10,
//              storesAhead: 32, storeRuns: 2, loadPorts: 2}
//                             # registers, storeLines (lines that stores wait for at a time),
//                             # storesAhead (a store asks when it is one of so many oldest; before
//                             # its turn if it walked, or then without storeRuns; 0: never),
//                             # storeRuns (runs of stores that miss, between some that hit, at a
//                             # time) and loadPorts: optional, 0 (no limit)
//     branchMiss: 16cy                                   # optional, 15cy
//     storeForward: 5cy                                  # optional, 5cy
//     storeForwardRepeated: 1cy  # optional, of cores that rename memory: to a load that has long
//                             #   taken its data from the last store to one address
//     writeCombining: 10      # optional, buffers of streaming stores; 0: the first level's queue
//     threadsPerCore: 2       # optional, 1: hardware threads of a core
//                             #   (core/machine/shared_core.h)
//     caches:                 # nearest first; optional, with what holds without:
//                             #   policy lru (all: core/machine/replacement.h), sharedBy 1,
//                             #   share 1, hashed false, fill onMiss|onEvict (onMiss),
//                             #   inclusion nonInclusive|inclusive|exclusive (nonInclusive;
//                             #   exclusive is onEvict), write back|through (back),
//                             #   writeAllocate (true), sector (the line),
//                             #   queue (that of the level above; the first has to say it),
//                             #   for each core: bandwidth (to the level above; no limit),
//                             #   writeBandwidth (of what that one writes back; bandwidth)
//       - {name: L1d, size: 32KiB, ways: 8, line: 64B, policy: lru, latency: 4cy, queue: 12}
//     prefetchers: [{level: L1d, kind: nextLine, degree: 1, distance: 1, crossPage: false,
//                   yieldsAt: 0}]
//                # optional. kind nextLine|adjacentLine|ipStride|stream; degree (1), distance (1),
//                # crossPage (false: no line outside the 4 KiB page of the access), yieldsAt (0;
//                # with so many demand misses outstanding it fetches into the level below,
//                # a stream one line ahead)
//     tlb:                                                                            # optional
//       - {name: STLB, page: [4KiB, 2MiB], entries: 1536, ways: 12, latency: 9cy, policy: lru}
//     walk: {walkers: 2, caches: {pde: 32, pdpte: 4, pml4e: 0, policy: lru}, entersAt: L1d,
//            nested: {hostPage: 4KiB}, overhead: 20cy, outstanding: 16,
//            interval: 26cy, largePageInterval: 20cy}
//                # optional, with all its keys but hostPage; overhead (0): of a walk beside its
//                # reads; outstanding (0: no limit): loads that wait for a walk or data after it;
//                # interval (0) at least from a walk's beginning to that of the next, where many
//                # wait; largePageInterval (interval): of pages above 4 KiB
//     frames: random                                     # optional, contiguous|random
//   memory: {latency: 120ns, rowHit: -25ns, channels: 6, banks: 16, rowSize: 8KiB,
//            bandwidth: 100GB/s, perCoreBandwidth: 11GB/s,
//            streamingStore: 60ns, rowCycle: 47ns, turnaround: 8ns, writeBatch: 16}
//              # optional: rowHit, perCoreBandwidth, streamingStore, rowCycle (0: a bank is never
//              # busy), turnaround (0: none), writeBatch (16 lines between two turns)
//   storage: {kind: ssd, …}                  # optional: io/machine/machine_storage.h
//   gpu: {name: NVIDIA H200, …}              # optional: io/machine/machine_gpu.h
// Times may be in cycles (cy) or seconds (ns, us, …) everywhere.
// Errors: InputError "FILE:LINE:COLUMN: KEY.PATH: found …, accepted: …" for anything else, for what
//         this version cannot simulate, and for geometry that contradicts itself.
#pragma once

#include <string>

#include "presort/core/machine/machine.h"

namespace presort::inline v0::io {

Machine read_machine(const std::string& path);

// The same from text that is already here; `file` is the name used in messages.
Machine parse_machine(const std::string& text, const std::string& file);

// "FILE:LINE:COLUMN" of a value of a machine file, by its path of keys ("cpu.caches.L2.ways"); of
// the nearest one around it where it is absent.
// Errors: InputError when the file cannot be read any more
std::string place_in_machine(const std::string& path, const std::string& key_path);

// Every key, also those at their default; read back, it gives an equal Machine. (A file of core
// costs is named as the machine has it, seen from the current folder.)
std::string machine_to_text(const Machine& machine);

// Atomic. A file of core costs is named as seen from the folder of `path`; it is not copied.
// Errors: InputError for a machine that could not be read back, or an unwritable path.
void write_machine(const std::string& path, const Machine& machine);

// The text of a machine file with `cpu.costs: NAME`, in the place of what cpu.costs said before, or
// else in a line of its own under dispatchWidth; the rest, comments too, stays as it is.
// Requires: parse_machine(text, file) passes
// Errors:   InputError when cpu is written in a way that this does not understand
std::string with_costs_file(const std::string& text, const std::string& file,
                            const std::string& name);

}  // namespace presort::io
