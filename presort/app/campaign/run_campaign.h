// Runs a campaign on this rank: asks for blocks, computes them, and writes rows to the journal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "presort/app/campaign/hand_out.h"
#include "presort/app/campaign/ranks.h"
#include "presort/app/printing/progress.h"
#include "presort/core/error.h"

namespace presort::inline v0::app::campaign {

struct RunOptions {
  // Threads of each rank that compute points; 0: one in mode validate, else one for each core
  size_t threads = 0;
  Shard shard;
  double silence_seconds = 60;  // silence after which a rank is taken for dead, s
  Verbosity verbosity = Verbosity::quiet;
};

struct RunResult {
  uint64_t points = 0;    // points of the campaign, or of the shard
  uint64_t found = 0;     // points that journals had before
  uint64_t done = 0;      // points that journals have now
  double seconds = 0;     // wall time, s
  bool complete = false;  // true: done == points
};

// Thrown on all ranks where one cannot begin, or differs from rank 0 in version, file or machines.
struct Disagreement : InputError {
  using InputError::InputError;
};

// Runs the campaign of a file on all ranks, to its end or to an interrupt. Points that journals have
// already are not computed again. The result is that of rank 0; elsewhere it is empty.
// Errors: Disagreement, with the same text on all ranks; InputError "rank R: …" for a journal that
//         cannot be written. A rank other than 0 that cannot go on throws, and the
//         others get its points
RunResult run_campaign(const std::string& path, const RunOptions& options, Ranks& ranks);

}  // namespace presort::app::campaign
