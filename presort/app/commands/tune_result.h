// The choices of `tune`, in the form in which they are printed and written, for plans of a CPU and
// of a GPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "presort/app/measure/tuning.h"
#include "presort/app/printing/records.h"
#include "presort/core/plan/tuned.h"
#include "presort/io/json/result_json.h"
#include "presort/probe/load/load_judgement.h"
#include "presort/tuner/gpu_tuner.h"

namespace presort::inline v0::app {

// One row of the result: a problem and its plan.
struct TuneRow {
  ProblemTimes times;
  double ns_per_input;  // predicted or measured time of the chosen plan, ns per input
  std::string verdict;  // the chosen plan in short, and if the choice matters
  io::Json entry;       // the row as an entry of the tuned file
  io::Json more;        // fields of the row in JSON that the tuned entry does not have
};

struct TuneResult {
  Device device = Device::cpu;
  std::vector<TuneRow> rows = {};
  std::vector<TunedEntry> entries = {};         // tuned entries of the rows, for device cpu
  std::vector<GpuTunedEntry> gpu_entries = {};  // tuned entries of the rows, for device gpu
  // Texts of --explain, one for each row; empty unless asked for
  std::vector<std::string> explanations = {};
  bool complete = true;
  // How busy the machine was while runs were timed; no value if none were
  std::optional<probe::LoadJudgement> load = {};
  // Text on what disturbed the probe that wrote the machine file; "": nothing did
  std::string disturbed_probe = {};
  // Number of choices whose plans were not timed, since the environment refused the runs
  size_t refused = 0;

  // Appends the choice for a problem as a row. `explanation`: text of --explain, "" unless asked
  // for.
  void add(const tuner::Choice& choice, const std::string& explanation, io::Json more);
  void add(const tuner::GpuChoice& choice, const std::string& explanation);
};

// A table for each group of problems that differ in m alone, with its crossover, for a terminal of
// `columns` columns (0: any width).
std::string groups_text(const TuneResult& result, int columns);

// A row for each problem: its parts, the times of the best plans without and with a pre-sort and of the
// chosen one, ns an input, and the chosen plan in short.
Records tune_records(const TuneResult& result);

// Fields of the document that `tune --json` prints, without its schema.
io::Json tune_json(const TuneResult& result, const std::string& machine);

}  // namespace presort::app
