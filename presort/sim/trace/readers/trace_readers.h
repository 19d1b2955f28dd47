// The readers, one per format; trace_formats.h has the table of them.
#pragma once

#include <memory>

#include "presort/sim/trace/trace_reader.h"

namespace presort::inline v0::sim {

using TraceReaderMaker = std::unique_ptr<TraceReader>(TraceInput input, TraceOptions options);

// Text of valgrind --tool=lackey --trace-mem=yes: "I  ADDRESS,SIZE", " L …", " S …", " M …" (load
// and store), addresses hexadecimal; lines of valgrind itself ("==PID==") are skipped.
TraceReaderMaker read_lackey;

// Dinero's traditional format: "LABEL ADDRESS rest", label 0 read, 1 write, 2 instruction fetch, 3
// and 4 escapes, which are skipped; the address is hexadecimal, the rest a comment; 4 bytes each.
// Source: Hill, Dinero III; Edler and Hill, Dinero IV, -informat d
TraceReaderMaker read_din;

// Dinero's extended format: "TYPE ADDRESS SIZE rest", type r read, w write, i instruction fetch, m
// miscellaneous (a read), c copyback and v invalidate, which are skipped; address and size are
// hexadecimal.
// Source: Dinero IV, -informat D
TraceReaderMaker read_xdin;

// ChampSim's records of 64 bytes, one an instruction: address, branch and taken flags, 2
// destination and 4 source registers, 2 addresses stored to, 4 loaded from. Sizes are not in it: 8
// bytes are assumed, less where the line ends. Dependences follow from the registers.
// Source: ChampSim, inc/trace_instruction.h, struct input_instr
TraceReaderMaker read_champsim;

// A header names the columns: address (required), kind, size, instruction, microOps, dependsOn,
// dataDependsOn, in any order. Numbers are decimal, or hexadecimal behind 0x; kinds are load,
// store, streamingStore, prefetch, branch (address: the instruction's, size: 1 taken, 0 not) and
// fetch. Without a column, and in empty fields: load, 4 bytes, 0. Lines that start with # are
// skipped.
TraceReaderMaker read_csv;

// Our own, written by TraceWriter (trace_writer.h); all that a record holds.
TraceReaderMaker read_presort;

}  // namespace presort::sim
