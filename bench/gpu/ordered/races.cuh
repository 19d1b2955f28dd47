// Command line of benchmarks that race the ways of doing one thing, for several numbers of values:
//   PROGRAM ROUNDS LOG2_N...
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace presort::inline v0::gpu::bench {

// Runs Race(n, rounds).run() for each LOG2_N, which may have a fraction. Returns the exit code.
template <class Race>
int run_races(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s ROUNDS LOG2_N...\n", argv[0]);
    return 2;
  }
  for (int i = 2; i < argc; ++i) {
    Race(static_cast<uint64_t>(std::exp2(std::atof(argv[i]))), std::atoi(argv[1])).run();
  }
  return 0;
}

}  // namespace presort::gpu::bench
