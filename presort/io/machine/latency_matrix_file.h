// Latency matrices as text dumps of two benchmarks of FinalWire (InstLatx64's collection has them
// for hundreds of processors): MemLatX86/X64 and NewMemLat. Read are these tables, by title; other
// tables and all other lines are skipped.
//
//   MemLat                          NewMemLat              order
//   *** Linear Read Latency ***     Linear_Forward Tests   forward
//   *** Backward Read Latency ***   Linear_Backward Tests  backward
//   *** Random Read Latency ***     Random_Full Tests      random
//   *** BlockRandom Read Latency *** Page_Random Tests     blockRandom
//
// A header row of strides ("Stride,  4,  8, … 1K" or "Stride:  8  16 … 1K") stands below the title,
// then a row for each footprint ("  64.0K,  3,  4" or "  64 KB  4  4"), cycles per load; rows of
// small footprints are shorter; -1 is not measured. BlockRandom has a header of block lengths
// instead, in lines of 64 bytes, and a stride of one line. Page_Random stays on as many pages of
// 4 KiB as the header's "4K DTLB:N" says before it goes on.
//
// Errors: InputError "FILE:LINE: …" for a table without header or rows, a cell that is no number, a
//         row with more cells than the header; InputError naming the file when it has no table of
//         random order, or no clock ("Freq: 2200.04MHz")
#pragma once

#include <string>

#include "presort/core/machine/latency_matrix.h"

namespace presort::inline v0::io {

LatencyMatrix read_latency_matrix(const std::string& path);

// Reads a latency matrix from the text of a file; `file` is its name in messages.
LatencyMatrix parse_latency_matrix(const std::string& text, const std::string& file);

}  // namespace presort::io
