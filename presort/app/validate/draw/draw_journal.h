// The journal of a draw: what a `validate --draw` has finished, so that the same command goes on after
// an interrupt, or after whatever killed it. A file of JSON lines in the folder of the results:
//
//   {"presort": "draw-journal/1", "version", "method", "machine"{}}   identity, the first line
//   {"problem"{}, "threads", "page_size", "tuner_plan"{}}             the plan that the tuner adds
//   {"problem"{}, "plan"{}, "beside_siblings", "prediction"{}}        a finished prediction
//   {"problem"{}, "plan"{}, "samples_ns_per_input"[], …}              runs of a measured point
//
// A line is written at once and synced to disk. A last line that is not whole is left out and cut off.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "presort/app/validate/points.h"
#include "presort/core/machine/machine.h"
#include "presort/io/files/descriptor.h"
#include "presort/io/json/json_object.h"
#include "presort/predict/predictor.h"

namespace presort::inline v0::app {

// Name of the journal in the folder of the results.
inline constexpr char kDrawJournal[] = "draw.journal";

// All members but remove() may be called by several threads at once.
class DrawJournal {
 public:
  // Opens the journal of a folder, or begins one. The journal of another machine, method or version
  // is begun anew: what it holds would be predicted otherwise. `version`: version and commit of this
  // program.
  // Requires: no other process has the folder (ResultUnit)
  // Errors: InputError "PATH: …" when the file cannot be written, "PATH:LINE: …" for a line of another
  //         form
  DrawJournal(const std::string& folder, const std::string& version, const Machine& machine,
              predict::Method method);

  // The plan that the tuner adds to a problem on these resources; no value when it is not known.
  std::optional<CpuPlan> tuner_plan(const Problem& problem, const Resources& resources) const;
  void add_tuner_plan(const Problem& problem, const Resources& resources, const CpuPlan& plan);

  // The prediction of a plan on quiet cores or beside busy siblings; no value when it is not known.
  std::optional<Prediction> prediction(const Problem& problem, const CpuPlan& plan,
                                       bool beside_siblings) const;
  void add_prediction(const Prediction& prediction, bool beside_siblings);

  // Gives the points of a problem the runs that an interrupted command has timed, if it has timed all
  // of them. The problem then counts as measured.
  void take_runs(ProblemPoints& item) const;
  // Adds the runs of a measured problem.
  void add_runs(const ProblemPoints& item);

  // Number of plans of the tuner, of predictions, and of measured points, that earlier commands have
  // left.
  size_t tuner_plans_found() const { return tuner_plans_.size(); }
  size_t predictions_found() const { return predictions_.size(); }
  size_t runs_found() const { return runs_.size(); }
  const std::string& path() const { return path_; }

  // Removes the journal, as the results are complete.
  void remove();

 private:
  struct Runs {
    std::vector<double> ns;
    std::vector<double> raw_ns;
    size_t quiet = 0;
    bool rerun = false;
    bool after_itself = false;
  };

  void read_line(const io::Json& line);
  void append(const io::Json& line);

  std::string path_;
  io::Descriptor file_;
  mutable std::mutex mutex_;
  std::map<std::string, CpuPlan> tuner_plans_;
  std::map<std::string, Prediction> predictions_;
  std::map<std::string, Runs> runs_;
};

}  // namespace presort::app
