// How busy the machine was while something was timed, as a person and as a script read it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/plan/tuned.h"
#include "presort/io/json/result_json.h"
#include "presort/probe/load/load_judgement.h"
#include "presort/probe/load/load_watch.h"

namespace presort::inline v0::app {

// What the file of the machine that this runs on says of an uncrowded core: its clock, and the adds
// a cycle that the probe measured. Nothing is known of a core by the file of another machine.
probe::UncrowdedCore uncrowded_core(const Machine& machine);

// The warnings of a machine file, which probe wrote into its provenance, in their order.
std::vector<std::string> probe_warnings(const Machine& machine);

// Writes warnings into the provenance: warning.1, warning.2, … Warnings that stood there before are
// taken away.
void note_probe_warnings(Machine& machine, const std::vector<std::string>& warnings);

// The warnings of a probe as text, a line for each: "probe        TEXT\n".
std::string probe_warning_lines(const std::vector<std::string>& warnings);

// What disturbed the probe that wrote a machine file: "load: too_busy", or "poor values:
// memory.latency" where the clock, memory or a cache level was measured badly; "" when nothing did.
std::string disturbed_probe(const Machine& machine);

// Writes what disturbed the machine's probe into a tuned file's provenance, and reads it from there;
// nothing is written, and "" read, when nothing did.
void note_disturbed_probe(Tuned& tuned, const std::string& disturbed);
std::string disturbed_probe(const Tuned& tuned);

// A line for stderr on what was made from a disturbed probe: that crossovers may be off, and what
// one can do. `source`: the machine or file that it is of. "" when `disturbed` is.
std::string disturbed_probe_note(const std::string& source, const std::string& disturbed);

// The JSON of what disturbed a probe; null when nothing did, or nothing is known of it.
io::Json disturbed_probe_json(const std::string& disturbed);

// The first line of a summary: "TOO BUSY     the machine was too busy for these figures to be
// believed: other processes used …\n", or "shared       …"; "" when the machine was quiet.
std::string load_line(const probe::LoadJudgement& judgement);

// Note on threads: "note: 64 threads take turns on the 2 cores of this host\n"; "" when cores suffice.
std::string turns_note(int threads, int cores);

// Note on plans: "note: plans of the grid left out, for more threads than cores (2): 3\n"; "" for none.
std::string left_out_note(size_t plans, int cores);

// Warns on stderr when the machine is busy before anything is timed.
void warn_if_busy(const probe::LoadWatch& watch);

// The exit code of a command whose figures are all right otherwise: kTooBusy when `strict` and the
// machine was too busy, with the reason on stderr; otherwise `code`.
enum class Strict { no, yes };
int strict_exit(int code, Strict strict, const std::optional<probe::LoadJudgement>& judgement);

// The JSON of a load: {verdict (quiet, shared, too_busy), too_busy, reasons[], seconds, processors,
// and parts, null where they are not known: others, stolen, waited, group_pressure, pressure,
// contenders, crowded, slowdown}. probe/load/machine_load.h says what they are.
io::Json load_json(const probe::LoadJudgement& judgement);

// The JSON of a load; null for a replay, whose times were not measured here.
io::Json load_or_null(const std::optional<probe::LoadJudgement>& judgement);
io::Json too_busy_json(const std::optional<probe::LoadJudgement>& judgement);

}  // namespace presort::app
