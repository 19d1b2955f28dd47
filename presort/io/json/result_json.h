// Results as JSON. Field names are a promise to scripts: add, never rename.
// Times are ns per input; counts are of the simulated sample. Keys keep their order.
#pragma once

#include "presort/core/measurement.h"
#include "presort/core/plan/tuned.h"
#include "presort/core/prediction.h"
#include "presort/io/json/json_object.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::io {

// A problem as JSON: {op, n, m, dist, types, seed}
Json problem_to_json(const Problem& problem);

// The flat keys of a plan: {sortBits, passes, …}; numbers and booleans as such, the rest as text.
Json plan_to_json(const CpuPlan& plan);
Json plan_to_json(const GpuPlan& plan);

// `simulate`: problem{}, plan{}, machine, predicted_ns_per_input, ci95_relative, stack_ns{},
// phases[{name, ns_per_input, stack_ns{}}], levels[{name, accesses, hits, misses, writebacks,
// prefetches, useful_prefetches, late_prefetches, useless_prefetches, sector_misses,
// write_throughs, back_invalidations, invalidations, bytes_in, bytes_out}], tlb[{name, accesses,
// hits, misses, load_accesses, load_misses}], walks, simulated_inputs, simulated_accesses, seconds,
// accesses_per_second (0 when nothing was timed); with a block device storage{page_uses,
// page_faults, reads, read_bytes, writes, written_bytes, seeks, flash_bytes, write_amplification}.
Json prediction_to_json(const Prediction& prediction);

// `run`: problem{}, plan{}, ns_per_input{median, min, mad, reps}, samples_ns_per_input[], checked,
// initialise_ns_per_input, huge_page_bytes.
// Requires: at least one sample
template <class Plan>
Json measurement_to_json(const MeasurementOf<Plan>& measurement);

// `tune`: device, problem{}, plan{}, predicted_ns_per_input, direct_plan{}, direct_ns_per_input,
// runner_up{}, runner_up_ns_per_input, matters, origin; of several devices also devices, scheme,
// direct_scheme, runner_up_scheme. The caller adds crossover_m.
template <class Plan>
Json tuned_entry_to_json(const TunedEntryOf<Plan>& entry);

// Provenance as JSON: {tool_version, host, compiler, date, kernel}
Json provenance_to_json(const Provenance& provenance);

// JSON of parts of a prediction: the time stack {core, L1d, …}; counts [{name, accesses, hits,
// misses, …}] of caches and of TLBs.
Json stack_to_json(const TimeStack& stack);
Json levels_to_json(const std::vector<LevelCounts>& levels);
Json tlb_to_json(const std::vector<TlbCounts>& levels);
Json storage_to_json(const StorageCounts& counts);

// One JSON document as text that ends with a newline: several lines with two spaces of indent, or
// one line. All of it is ASCII, other characters are escaped (\uXXXX), so that it is as harmless on
// a terminal as in a file; a byte that is not UTF-8 becomes U+FFFD.
std::string json_text(const Json& document);
std::string json_line(const Json& document);

}  // namespace presort::io
