// Limits on the size of files that are read. Every limit is far above real files, and low enough
// that no file makes the command take gigabytes or minutes before it is refused. Labels have no
// limit: files of gigabytes are real, so available memory bounds them (io/labels/label_file.h).
// Traces have none: they are streamed (sim/trace/sources/byte_source.h).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace presort::inline v0::io::limits {

// Most bytes of a YAML file. The largest of ours, a tuned table of a standard grid, has 0.1 MB; 4
// MiB hold 5,000 entries. yaml-cpp looks ahead as far as a list in brackets goes, at up to 240
// times its size in memory.
inline constexpr uint64_t kMostYamlBytes = uint64_t{4} << 20;
// Most values and keys in a YAML file. Each takes some 150 bytes of memory.
inline constexpr size_t kMostYamlNodes = size_t{1} << 20;
// Deepest nesting of maps and lists in a YAML file. The project's files go 5 deep; yaml-cpp is
// recursive.
inline constexpr size_t kDeepestYaml = 32;

// Most bytes of a file of a latency matrix: published ones have less than 20 kB.
inline constexpr uint64_t kMostMatrixBytes = uint64_t{4} << 20;
// Most latencies in a latency matrix, each of which is simulated many times: published ones have at
// most 1,600.
inline constexpr size_t kMostMatrixCells = 16384;

// Most bytes of a file of JSON lines, uncompressed. The largest recorded by this project has 5.6
// MB.
inline constexpr uint64_t kMostJsonBytes = uint64_t{128} << 20;
// Most bytes of a JSON line: the longest recorded by this project has 13 kB; each timed run adds 40
// bytes.
inline constexpr size_t kLongestJsonLine = size_t{4} << 20;
// Deepest nesting of objects and arrays in JSON: the project's files go 5 deep.
inline constexpr size_t kDeepestJson = 32;
// Most growth of a file by decompression, as a factor: lines of results grow 20 to 50 times, gzip's
// limit is 1032. Small files may grow more.
inline constexpr uint64_t kMostExpansion = 256;
// Number of decompressed bytes from which on kMostExpansion is checked
inline constexpr uint64_t kExpansionMattersFrom = uint64_t{16} << 20;

// Most different plans of a plan grid, as reading compares each with all before it. The largest
// bundled grid has 25.
inline constexpr size_t kMostGridPlans = 4096;

// Most bytes of a line in a text file of labels, comment included.
inline constexpr size_t kLongestLabelLine = size_t{1} << 16;

// Longest wait for a pipe that gives no data.
inline constexpr std::chrono::seconds kLongestSilence{10};

}  // namespace presort::io::limits
