// Least time of an operation if nothing but its bytes counted, from the rates that the same run
// measures: the aims in docs/results/cpu-operations.md. u32 labels and values.
//
// A stream that is only read takes `read` ns a byte. A stream that is written beside one that is
// read takes `copy` ns a byte, both counted; a line that ordinary stores write is read first. While
// the table fits the private caches, the direct loop moves its streams and nothing else. For larger
// tables a line read and written for each input would cost too much: one pass of a pre-sort is
// counted instead. Its histogram, its partition as measured, each part with its range of the table
// once, and the way back where there are results.
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/core/problem.h"

namespace presort::inline v0::bench {

struct Rates {
  double read = 0;       // time of a stream that is only read, ns a byte
  double copy = 0;       // copied stream, ns a byte, read and written bytes counted
  double partition = 0;  // time of a partition by 8 bits, ns an input
};

struct Aim {
  double ns = 0;  // least time of an operation, ns an input
  bool pre_sorted = false;
};

// Bytes an input that move to or from memory in streams that are only read, and in those that are
// read and written.
struct Traffic {
  double read = 0;
  double mixed = 0;

  double ns(const Rates& rates) const { return read * rates.read + mixed * rates.copy; }
};

// Memory traffic of the direct loop when the buckets stay in the caches of a core. A line of
// results is read, then written.
inline Traffic direct_traffic(Operation operation) {
  const double columns = has_values(operation) ? 8 : 4;
  return has_results(operation) ? Traffic{0, columns + 8} : Traffic{columns, 0};
}

// Memory traffic of the kernel on the parts of a pre-sort. The table's lines come once and, unless
// they are only read, go back once. Results of pairs overwrite the values, so the pairs are written
// too; other results go to lines that are read first.
inline Traffic parts_traffic(const Problem& problem) {
  const double columns = has_values(problem.operation) ? 8 : 4;
  const double table =
      4 * static_cast<double>(problem.m) / static_cast<double>(std::max<uint64_t>(1, problem.n));
  if (problem.operation == Operation::gather) {
    return {table, columns + 8};
  }
  return has_results(problem.operation) ? Traffic{0, 2 * columns + 2 * table}
                                        : Traffic{columns, 2 * table};
}

// Memory traffic of the way back to the order of the inputs: labels and partitioned results are
// read, results written.
inline Traffic back_traffic(Operation operation) {
  const double partitioned = has_values(operation) ? 8 : 4;
  return has_results(operation) ? Traffic{0, 4 + partitioned + 8} : Traffic{};
}

inline Aim aim_of(const Problem& problem, const Rates& rates, uint64_t private_cache_bytes) {
  if (4 * problem.m <= private_cache_bytes) {
    return {direct_traffic(problem.operation).ns(rates), false};
  }
  const double histogram = 4 * rates.read;
  return {histogram + rates.partition + parts_traffic(problem).ns(rates) +
              back_traffic(problem.operation).ns(rates),
          true};
}

}  // namespace presort::bench
