#include "presort/app/machines/load_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "presort/app/cli/exit_code.h"
#include "presort/app/machines/fingerprint.h"
#include "presort/app/printing/notes.h"
#include "presort/app/printing/output.h"
#include "presort/app/printing/style.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app {

namespace {

constexpr char kWarning[] = "warning.";
// Key of a tuned file's provenance for what disturbed the probe
constexpr char kDisturbedProbe[] = "disturbedProbe";
// Name of the probed value that holds the core's measured adds per cycle
constexpr char kMeasuredAdds[] = "cpu.issueWidth";

bool is_this_machine(const Machine& machine) {
  const io::Provenance provenance = io::current_provenance();
  return compare_fingerprints(make_fingerprint(machine, provenance), host_fingerprint(provenance))
      .hard.empty();
}

double measured_adds(const Machine& machine) {
  for (const ProbedValue& probed : machine.probed) {
    if (probed.key == kMeasuredAdds && !probed.value.empty()) {
      return parse_ratio("provenance.probed." + probed.key, probed.value);
    }
  }
  return 0;
}

std::string value_of(const std::vector<std::pair<std::string, std::string>>& provenance,
                     const std::string& key) {
  for (const auto& [name, value] : provenance) {
    if (name == key) {
      return value;
    }
  }
  return "";
}

// True for probed values that crossovers depend on and that a quiet machine measures well. Not
// among them are the share of a last level and the walks: they are poor in every probe of a virtual
// machine.
bool is_key_value(const std::string& key) {
  return key == "cpu.clock" || key == "memory.latency" || key == "memory.perCoreBandwidth" ||
         (key.starts_with("cpu.caches.") && key.ends_with(".latency"));
}

}  // namespace

std::string disturbed_probe(const Machine& machine) {
  const std::string too_busy = to_name(probe::kBusyness, probe::Busyness::tooBusy);
  if (value_of(machine.provenance, "load") == too_busy) {
    return "load: " + too_busy;
  }
  std::string poor;
  for (const ProbedValue& probed : machine.probed) {
    if (probed.quality == Quality::poor && is_key_value(probed.key)) {
      poor += (poor.empty() ? "poor values: " : ", ") + probed.key;
    }
  }
  return poor;
}

void note_disturbed_probe(Tuned& tuned, const std::string& disturbed) {
  if (!disturbed.empty()) {
    tuned.provenance.emplace_back(kDisturbedProbe, disturbed);
  }
}

std::string disturbed_probe(const Tuned& tuned) {
  return value_of(tuned.provenance, kDisturbedProbe);
}

std::string disturbed_probe_note(const std::string& source, const std::string& disturbed) {
  return disturbed.empty()
             ? ""
             : fmt::format(
                   "{} was probed on a busy machine ({}): crossovers may be off by a factor of "
                   "four. Probe again when it is quiet, or tune there with --measure 5",
                   source, disturbed);
}

std::string core_costs_hint(const Machine& machine, const std::string& path) {
  if (!machine.costs_file.empty()) {
    return "";
  }
  return fmt::format(
      "{} has no core costs, as after probe --quick: every micro-operation counts one slot, and "
      "errors of short loops are about twice as large; presort calibrate -m {} measures them",
      path, path);
}

void note_missing_core_costs(const Machine& machine, const std::string& path) {
  const std::string hint = core_costs_hint(machine, path);
  if (!hint.empty() && probed_here(machine)) {
    note("{}", hint);
  }
}

io::Json disturbed_probe_json(const std::string& disturbed) {
  return disturbed.empty() ? io::Json(nullptr) : io::Json(disturbed);
}

probe::UncrowdedCore uncrowded_core(const Machine& machine) {
  if (!is_this_machine(machine)) {
    return {};
  }
  return {.clock_hz = machine.clock_hz, .adds_per_cycle = measured_adds(machine)};
}

bool probed_here(const Machine& machine) {
  return is_this_machine(machine) && value_of(machine.provenance, "source") == "probe" &&
         value_of(machine.provenance, "host") == io::current_provenance().host;
}

std::vector<std::string> probe_warnings(const Machine& machine) {
  std::vector<std::string> warnings;
  for (const auto& [key, value] : machine.provenance) {
    if (key.starts_with(kWarning)) {
      warnings.push_back(value);
    }
  }
  return warnings;
}

void note_probe_warnings(Machine& machine, const std::vector<std::string>& warnings) {
  std::erase_if(machine.provenance,
                [](const auto& entry) { return entry.first.starts_with(kWarning); });
  for (size_t i = 0; i < warnings.size(); ++i) {
    machine.provenance.emplace_back(kWarning + std::to_string(i + 1), warnings[i]);
  }
}

std::string probe_warning_lines(const std::vector<std::string>& warnings) {
  std::string text;
  for (const std::string& warning : warnings) {
    text += (text.empty() ? "probe        " : "             ") + warning + "\n";
  }
  return text;
}

std::string load_line(const probe::LoadJudgement& judgement) {
  switch (judgement.busyness) {
    case probe::Busyness::quiet:
      return "";
    case probe::Busyness::shared:
      return "shared       the figures are less certain: " + reasons_text(judgement) + "\n";
    case probe::Busyness::tooBusy:
      return "TOO BUSY     the machine was too busy for these figures to be believed: " +
             reasons_text(judgement) + "\n";
  }
  return "";
}

void print_load(const std::optional<probe::LoadJudgement>& judgement) {
  std::string line = judgement ? load_line(*judgement) : "";
  if (line.empty()) {
    return;
  }
  line.pop_back();  // its newline
  const Style style = judgement->busyness == probe::Busyness::tooBusy ? Style::bad : Style::caution;
  print_lines({starts_with_style(line, style, line.find("  "))});
}

std::string turns_note(int threads, int cores) {
  return threads <= cores
             ? ""
             : fmt::format("note: {} threads take turns on the {} core{} of this host\n", threads,
                           cores, cores == 1 ? "" : "s");
}

std::string left_out_note(size_t plans, int cores) {
  return plans == 0 ? ""
                    : fmt::format(
                          "note: plans of the grid left out, for more threads than cores "
                          "({}): {}\n",
                          cores, plans);
}

void warn_if_busy(const probe::LoadWatch& watch) {
  const std::string reason = probe::busy_before(watch.before());
  if (!reason.empty()) {
    warn("the machine is busy, times may come out too long: {}", reason);
  }
}

int strict_exit(int code, Strict strict, const std::optional<probe::LoadJudgement>& judgement) {
  const bool refused =
      strict == Strict::yes && judgement && judgement->busyness == probe::Busyness::tooBusy;
  if (refused) {
    complain("--strict: the machine was too busy: {}", reasons_text(*judgement));
  }
  return refused ? kTooBusy : code;
}

io::Json load_json(const probe::LoadJudgement& judgement) {
  const probe::MachineLoad& load = judgement.load;
  const auto part = [](const std::optional<double>& value) {
    return value ? io::Json(*value) : io::Json(nullptr);
  };
  return {{"verdict", to_name(probe::kBusyness, judgement.busyness)},
          {"too_busy", judgement.busyness == probe::Busyness::tooBusy},
          {"reasons", judgement.reasons},
          {"seconds", load.seconds},
          {"processors", load.processors},
          {"others", part(load.others)},
          {"stolen", part(load.stolen)},
          {"waited", part(load.waited)},
          {"group_pressure", part(load.group_pressure)},
          {"pressure", part(load.pressure)},
          {"contenders", part(load.contenders)},
          {"crowded", part(load.crowded)},
          {"slowdown", part(load.slowdown)}};
}

io::Json load_or_null(const std::optional<probe::LoadJudgement>& judgement) {
  return judgement ? load_json(*judgement) : io::Json(nullptr);
}

io::Json too_busy_json(const std::optional<probe::LoadJudgement>& judgement) {
  return judgement ? io::Json(judgement->busyness == probe::Busyness::tooBusy) : io::Json(nullptr);
}

}  // namespace presort::app
