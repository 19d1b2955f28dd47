#include "presort/app/validate/ablation/recordings.h"

#include <algorithm>

#include "presort/core/error.h"
#include "presort/core/text/names.h"
#include "presort/io/json/loop_lines.h"
#include "presort/io/json/result_lines.h"
#include "presort/predict/closed_form/closed_form.h"

namespace presort::inline v0::app {

namespace {

bool has_direct_plan(const ProblemPoints& item) {
  return std::any_of(item.points.begin(), item.points.end(),
                     [](const Point& point) { return !point.plan.presort; });
}

void keep_closed_form(std::vector<ProblemPoints>& all, const Machine& machine) {
  for (ProblemPoints& item : all) {
    std::erase_if(item.points, [&](const Point& point) {
      return !predict::in_closed_form(machine, item.problem, point.plan);
    });
  }
  std::erase_if(all, [](const ProblemPoints& item) { return !has_direct_plan(item); });
}

template <class T>
std::vector<T> every_nth(std::vector<T> all, size_t every) {
  std::vector<T> kept;
  for (size_t i = 0; i < all.size(); i += every) {
    kept.push_back(std::move(all[i]));
  }
  return kept;
}

}  // namespace

const std::vector<Recording>& recordings() {
  static const std::vector<Recording> all = {
      {"golden-cove-vm", "golden-cove-vm"},
      {"golden-cove-vm-boosted", "golden-cove-vm-boosted"},
      {"emerald-rapids-host", "emerald-rapids-host"},
      {"chunks-golden-cove-vm-boosted", "golden-cove-vm-boosted"},
      {"chunks-emerald-rapids-host", "emerald-rapids-host"},
      // The runs were recorded at 4 GHz; predicted with a clock of 3.6 GHz, any mechanism that
      // takes time would seem to make predictions worse.
      {"operations-golden-cove-vm", "golden-cove-vm-boosted"},
      {"operations-emerald-rapids-host", "emerald-rapids-host"},
      {"sorts-and-segments-golden-cove-vm", "golden-cove-vm", Recorded::kernels, false},
      {"sorts-and-segments-emerald-rapids-host", "emerald-rapids-host", Recorded::kernels, false},
      {"threads-golden-cove-vm", "golden-cove-vm", Recorded::kernels, false},
      {"threads-emerald-rapids-host", "emerald-rapids-host", Recorded::kernels, false},
      {"threads-operations-emerald-rapids-host", "emerald-rapids-host", Recorded::kernels, false},
      {"loops-golden-cove-vm", "golden-cove-vm", Recorded::loops, false},
      {"loops-emerald-rapids-host", "emerald-rapids-host", Recorded::loops, false},
  };
  return all;
}

const Recording& find_recording(const std::string& name) {
  std::vector<std::string> names;
  for (const Recording& recording : recordings()) {
    if (recording.name == name) {
      return recording;
    }
    names.push_back(recording.name);
  }
  throw InputError(unknown_name_message("recording", name, names));
}

std::vector<ProblemPoints> read_kernels(const std::string& path, const Machine& machine,
                                        predict::Method method, size_t every) {
  std::vector<ProblemPoints> all = make_points(io::read_result_lines(path));
  drop_calibrated(all, machine);
  if (method == predict::Method::closedForm) {
    keep_closed_form(all, machine);
  }
  if (all.empty()) {
    throw InputError(path + ": found no problem that can be predicted so");
  }
  return every_nth(std::move(all), every);
}

std::vector<LoopPoint> read_loops(const std::string& path, size_t every) {
  return every_nth(make_loop_points(io::read_loop_lines(path)), every);
}

}  // namespace presort::app
