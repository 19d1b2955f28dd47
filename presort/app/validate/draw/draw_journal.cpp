#include "presort/app/validate/draw/draw_journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "presort/app/printing/displayable.h"
#include "presort/app/printing/notes.h"
#include "presort/app/validate/draw/prediction_line.h"
#include "presort/core/error.h"
#include "presort/core/text/names.h"
#include "presort/core/text/units.h"
#include "presort/io/files/compressed_text.h"
#include "presort/io/json/json_lines.h"
#include "presort/io/json/machine_json.h"
#include "presort/io/json/result_json.h"
#include "presort/io/json/result_lines.h"

namespace presort::inline v0::app {

using io::Json;
using io::JsonObject;

namespace {

Json identity_of(const std::string& version, const Machine& machine, predict::Method method) {
  return {{"presort", "draw-journal/1"},
          {"version", version},
          {"method", method == predict::Method::closedForm ? "closedForm" : "simulation"},
          {"machine", io::machine_to_json(machine)}};
}

// A problem and a plan as text: equal for equal ones.
std::string key_of(const Problem& problem, const CpuPlan& plan) {
  return io::json_line(io::problem_to_json(problem)) + io::json_line(io::plan_to_json(plan));
}

std::string key_of(const Problem& problem, const CpuPlan& plan, bool beside_siblings) {
  return key_of(problem, plan) + (beside_siblings ? "beside siblings" : "");
}

std::string key_of(const Problem& problem, uint64_t threads, std::string_view pages) {
  return io::json_line(io::problem_to_json(problem)) + std::to_string(threads) + " " +
         std::string(pages);
}

std::string key_of(const Problem& problem, const Resources& resources) {
  return key_of(problem, static_cast<uint64_t>(resources.threads),
                to_name(kPageSizes, resources.page_size));
}

// The text of a journal up to its last whole line; "" if there is no journal.
std::string whole_lines(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return "";
  }
  std::string text = io::read_maybe_compressed(path);
  const size_t last = text.rfind('\n');
  text.resize(last == std::string::npos ? 0 : last + 1);
  return text;
}

[[noreturn]] void refuse(const std::string& path) {
  throw InputError(path + ": cannot be written: " + std::strerror(errno));
}

}  // namespace

DrawJournal::DrawJournal(const std::string& folder, const std::string& version,
                         const Machine& machine, predict::Method method)
    : path_((std::filesystem::path(folder) / kDrawJournal).string()) {
  const std::string identity = io::json_line(identity_of(version, machine, method));
  std::string text = whole_lines(path_);
  if (!text.empty() && !text.starts_with(identity)) {
    note("{} is of another machine, method or version: begun anew", displayable_line(path_));
    text.clear();
  }
  if (text.size() > identity.size()) {
    bool first = true;
    io::for_each_json_line(text, path_,
                           "line of a draw's journal; without the file, it begins anew",
                           [&](const Json& line, const std::string&) {
                             if (!std::exchange(first, false)) {
                               read_line(line);
                             }
                           });
  }
  file_ = io::Descriptor(open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0666));
  if (!file_ || ftruncate(file_.get(), static_cast<off_t>(text.size())) != 0 ||
      (text.empty() && (!io::write_all(file_.get(), identity) || fsync(file_.get()) != 0))) {
    refuse(path_);
  }
}

void DrawJournal::read_line(const Json& line) {
  const JsonObject json(line);
  const Problem problem = io::recorded_problem(json.object("problem"));
  if (line.contains("tuner_plan")) {
    const CpuPlan plan = io::recorded_plan(json.object("tuner_plan"));
    check_plan(plan, problem);
    tuner_plans_[key_of(problem, json.whole("threads", io::kAnyWhole), json.text("page_size"))] =
        plan;
    return;
  }
  const CpuPlan plan = io::recorded_plan(json.object("plan"));
  check_plan(plan, problem);
  if (line.contains("prediction")) {
    Prediction prediction = read_prediction(json.object("prediction"));
    prediction.problem = problem;
    prediction.plan = plan;
    predictions_[key_of(problem, plan, json.flag("beside_siblings"))] = std::move(prediction);
    return;
  }
  Runs runs{.ns = json.numbers("samples_ns_per_input", kTimeOfInput),
            .raw_ns = json.numbers("raw_samples_ns_per_input", kTimeOfInput),
            .rerun = json.flag("rerun"),
            .after_itself = json.flag("after_itself")};
  const Range quiet = {RangeUnit::count, 0, static_cast<double>(runs.ns.size())};
  runs.quiet = json.whole("quiet_samples", quiet);
  if (runs.ns.empty() || runs.ns.size() != runs.raw_ns.size()) {
    throw InputError("samples_ns_per_input: found " + std::to_string(runs.ns.size()) +
                     ", accepted: at least one, as many as raw samples, " +
                     std::to_string(runs.raw_ns.size()));
  }
  runs_[key_of(problem, plan)] = std::move(runs);
}

void DrawJournal::append(const Json& line) {
  const std::string text = io::json_line(line);
  const std::lock_guard lock(mutex_);
  if (!io::write_all(file_.get(), text) || fsync(file_.get()) != 0) {
    refuse(path_);
  }
}

std::optional<CpuPlan> DrawJournal::tuner_plan(const Problem& problem,
                                               const Resources& resources) const {
  const auto known = tuner_plans_.find(key_of(problem, resources));
  return known == tuner_plans_.end() ? std::nullopt : std::optional(known->second);
}

void DrawJournal::add_tuner_plan(const Problem& problem, const Resources& resources,
                                 const CpuPlan& plan) {
  append({{"problem", io::problem_to_json(problem)},
          {"threads", resources.threads},
          {"page_size", to_name(kPageSizes, resources.page_size)},
          {"tuner_plan", io::plan_to_json(plan)}});
}

std::optional<Prediction> DrawJournal::prediction(const Problem& problem, const CpuPlan& plan,
                                                  bool beside_siblings) const {
  const auto known = predictions_.find(key_of(problem, plan, beside_siblings));
  return known == predictions_.end() ? std::nullopt : std::optional(known->second);
}

void DrawJournal::add_prediction(const Prediction& prediction, bool beside_siblings) {
  append({{"problem", io::problem_to_json(prediction.problem)},
          {"plan", io::plan_to_json(prediction.plan)},
          {"beside_siblings", beside_siblings},
          {"prediction", prediction_line(prediction)}});
}

void DrawJournal::take_runs(ProblemPoints& item) const {
  std::vector<const Runs*> found;
  for (const Point& point : item.points) {
    const auto known = runs_.find(key_of(item.problem, point.plan));
    if (known == runs_.end()) {
      return;
    }
    found.push_back(&known->second);
  }
  for (size_t k = 0; k < found.size(); ++k) {
    Point& point = item.points[k];
    point.ns = found[k]->ns;
    point.raw_ns = found[k]->raw_ns;
    point.quiet = found[k]->quiet;
    point.rerun = found[k]->rerun;
    point.after_itself = found[k]->after_itself;
  }
  item.measured = true;
}

void DrawJournal::add_runs(const ProblemPoints& item) {
  for (const Point& point : item.points) {
    append({{"problem", io::problem_to_json(item.problem)},
            {"plan", io::plan_to_json(point.plan)},
            {"samples_ns_per_input", point.ns},
            {"raw_samples_ns_per_input", point.raw_ns},
            {"quiet_samples", point.quiet},
            {"rerun", point.rerun},
            {"after_itself", point.after_itself}});
  }
}

void DrawJournal::remove() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace presort::app
