// Reports how busy the machine was while runs were timed, for people and for scripts.
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

// Clock, and adds per cycle, of a core without load, by the file of the machine that this process
// runs on. The values are unknown if the file is of another machine.
probe::UncrowdedCore uncrowded_core(const Machine& machine);

// True if a machine file was probed on this very host: its fingerprint is this host's, and so is
// the host's name in its provenance.
bool probed_here(const Machine& machine);

// The warnings that probe wrote into a machine file's provenance, in their order.
std::vector<std::string> probe_warnings(const Machine& machine);

// Writes warnings into the provenance, as warning.1, warning.2, …, in place of earlier ones.
void note_probe_warnings(Machine& machine, const std::vector<std::string>& warnings);

// The warnings of a probe as text, a line for each: "probe        TEXT\n".
std::string probe_warning_lines(const std::vector<std::string>& warnings);

// A text on what disturbed the probe that wrote a machine file: "load: too_busy", or "poor values:
// memory.latency" if the clock, memory or a cache level was measured badly; "" when nothing did.
std::string disturbed_probe(const Machine& machine);

// Writes a text of disturbed_probe() into a tuned file's provenance, or reads it from there; "" is
// not written, and is read where there is none.
void note_disturbed_probe(Tuned& tuned, const std::string& disturbed);
std::string disturbed_probe(const Tuned& tuned);

// A line for stderr on results from a disturbed probe: it says that crossovers may be off, and what
// to do. `source`: the machine or file of the results. "" if `disturbed` is "".
std::string disturbed_probe_note(const std::string& source, const std::string& disturbed);

// A text for stderr on a machine file of this host that has no core costs, as probe --quick leaves
// them out: what that means, and which command measures them. "" if it has some.
std::string core_costs_hint(const Machine& machine, const std::string& path);
// Says so on stderr, if the file is of this host.
void note_missing_core_costs(const Machine& machine, const std::string& path);

// A text of disturbed_probe() as JSON; null for "".
io::Json disturbed_probe_json(const std::string& disturbed);

// The first line of a summary: "TOO BUSY     the machine was too busy for these figures to be
// believed: other processes used …\n", or "shared       …"; "" when the machine was quiet.
std::string load_line(const probe::LoadJudgement& judgement);
// Prints load_line, its first words in a colour; nothing without a judgement.
void print_load(const std::optional<probe::LoadJudgement>& judgement);

// Note on more threads than cores: "note: 64 threads take turns on the 2 cores of this host\n"; ""
// when cores suffice.
std::string turns_note(int threads, int cores);

// Note on plans that were left out: "note: plans of the grid left out, for more threads than cores
// (2): 3\n"; "" for none.
std::string left_out_note(size_t plans, int cores);

// Warns on stderr when the machine is busy before anything is timed.
void warn_if_busy(const probe::LoadWatch& watch);

// The exit code of a command: kTooBusy, with the reason on stderr, if `strict` and the machine was
// too busy; otherwise `code`.
enum class Strict { no, yes };
int strict_exit(int code, Strict strict, const std::optional<probe::LoadJudgement>& judgement);

// The JSON of a machine's load: {verdict (quiet, shared, too_busy), too_busy, reasons[], seconds,
// processors, and parts, null where they are not known: others, stolen, waited, group_pressure,
// pressure, contenders, crowded, slowdown}. probe/load/machine_load.h says what they are.
io::Json load_json(const probe::LoadJudgement& judgement);

// The JSON of a machine's load; null for a replay, whose times were not measured here.
io::Json load_or_null(const std::optional<probe::LoadJudgement>& judgement);
io::Json too_busy_json(const std::optional<probe::LoadJudgement>& judgement);

}  // namespace presort::app
