// Puts the terms of a plan's time stack into words. Pure functions.
#pragma once

#include <string>

#include "presort/app/explain/bucket_place.h"
#include "presort/core/machine/machine.h"
#include "presort/core/plan/cpu_plan.h"

namespace presort::inline v0::app {

// A plan on a machine, with the cache level that holds its buckets.
struct Scene {
  const Machine* machine = nullptr;
  const CpuPlan* plan = nullptr;
  BucketPlace place;  // cache level of the buckets that the plan uses at a time
};

// The words for a term of a time stack, whatever the plan: "waits for memory", "page walks", "waits
// for the L3".
std::string plain_term_text(const std::string& term);

// The words for a term of a plan's time stack: "waits for memory", "page walks", "waits for the
// L3", "the core's own instructions", …
std::string term_text(const Scene& scene, const std::string& term);

// The reason, to be put behind term_text(), why a plan without a pre-sort spends time on a term: ":
// the 64MiB of buckets do not fit in …", ", where the 1MiB of buckets lie"; "" where there is no
// more to say.
std::string reason_text(const Scene& scene, const std::string& term);

}  // namespace presort::app
