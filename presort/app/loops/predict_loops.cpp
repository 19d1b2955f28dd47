#include "presort/app/loops/predict_loops.h"

#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/interruptible_work.h"
#include "presort/predict/loop_predictor.h"

namespace presort::inline v0::app {

namespace {

constexpr predict::SimulationOptions kLoopOptions{.ci95_relative = 0.02};

}  // namespace

Machine without_core_costs(Machine machine) {
  machine.costs = {};
  machine.costs_file.clear();
  return machine;
}

void predict_loops(std::vector<LoopPoint>& points, const Machine& machine, Progress& progress) {
  predict::SimulationOptions options = kLoopOptions;
  options.stop = interrupt_token();
  size_t done = 0;
  parallel_for(
      points.size(),
      [&](size_t i) {
        points[i].prediction = predict::predict_loop(machine, points[i].loop, options);
      },
      [&](size_t i) { progress.update(++done, points.size(), to_string(points[i].loop)); });
}

}  // namespace presort::app
