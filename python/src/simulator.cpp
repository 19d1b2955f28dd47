// class Machine, predict() and choose() of the module. Results are dictionaries, of which
// python/presort/simulator.py makes dataclasses. Work releases the interpreter's lock and can be
// interrupted.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <string>

#include "module.h"
#include "presort/core/base/stop.h"
#include "presort/core/labels/labels.h"
#include "presort/core/machine/machine.h"
#include "presort/io/machine/machine_file.h"
#include "presort/predict/predictor.h"
#include "presort/tuner/errors/error_interval.h"
#include "presort/tuner/tuner.h"

namespace presort::python {

namespace nb = nanobind;

namespace {

Problem problem_of(const std::string& op, uint64_t n, uint64_t m, const std::string& dist,
                   const std::string& types, uint64_t seed) {
  Problem problem{.operation = from_name(kOperations, "op", op),
                  .n = n,
                  .m = m,
                  .distribution = parse_distribution("dist", dist),
                  .types = parse_types("types", types),
                  .seed = seed};
  check_problem(problem);
  if (problem.distribution.kind == DistributionKind::file) {
    throw InputError("dist: found a file, accepted here: labels by formula");
  }
  return problem;
}

// Runs work(token) in a thread of its own, while this one looks for a signal ten times a second. An
// interrupt (Ctrl-C) asks the token for a stop and is raised in Python.
template <class Work>
auto interruptible(const Work& work) {
  std::atomic<bool> asked = false;
  auto result = std::async(std::launch::async, [&] { return work(StopToken(asked)); });
  bool signalled = false;
  for (auto state = std::future_status::timeout; state != std::future_status::ready;) {
    {
      const nb::gil_scoped_release released;
      state = result.wait_for(std::chrono::milliseconds(100));
    }
    if (!signalled && PyErr_CheckSignals() != 0) {
      signalled = true;
      asked = true;
    }
  }
  if (signalled) {
    throw nb::python_error();
  }
  return result.get();
}

nb::dict of_stack(const TimeStack& stack) {
  nb::dict result;
  for (const auto& [term, ns] : stack) {
    result[term.c_str()] = ns;
  }
  return result;
}

nb::dict of_prediction(const Prediction& prediction) {
  nb::list phases;
  for (const PhasePrediction& phase : prediction.phases) {
    nb::dict row;
    row["name"] = phase.name;
    row["ns_per_input"] = phase.ns_per_input;
    row["stack_ns"] = of_stack(phase.stack_ns);
    phases.append(row);
  }
  nb::dict result;
  result["machine"] = prediction.machine;
  result["problem"] = to_string(prediction.problem);
  result["plan"] = to_string(prediction.plan);
  result["ns_per_input"] = prediction.ns_per_input;
  result["ci95_relative"] = prediction.ci95_relative;
  result["stack_ns"] = of_stack(prediction.stack_ns);
  result["phases"] = phases;
  result["seconds"] = prediction.seconds;
  const tuner::ErrorInterval interval = tuner::error_interval(prediction);
  result["low_ns"] = interval.low;
  result["high_ns"] = interval.high;
  return result;
}

nb::dict predict(const Machine& machine, const std::string& op, uint64_t n, uint64_t m,
                 const std::string& dist, const std::string& types, uint64_t seed,
                 const std::string& plan, bool closed_form, bool full) {
  const Problem problem = problem_of(op, n, m, dist, types, seed);
  const CpuPlan cpu_plan = parse_cpu_plan(plan);
  return of_prediction(interruptible([&](StopToken stop) {
    predict::SimulationOptions options;
    options.method = closed_form ? predict::Method::closedForm : predict::Method::simulation;
    options.full = full;
    options.stop = stop;
    const predict::Predictor predictor(machine, options);
    return predictor.predict(problem, cpu_plan,
                             make_labels(problem.distribution, n, m, problem.seed, stop));
  }));
}

nb::dict choose(const Machine& machine, const std::string& op, uint64_t n, uint64_t m,
                const std::string& dist, const std::string& types, uint64_t seed, bool model_only) {
  const Problem problem = problem_of(op, n, m, dist, types, seed);
  const tuner::Choice choice = interruptible([&](StopToken stop) {
    const tuner::Predictors predictors(machine, stop);
    return tuner::choose_plan(predictors, {}, problem,
                              make_labels(problem.distribution, n, m, problem.seed, stop),
                              model_only ? tuner::Confirm::never : tuner::Confirm::contenders);
  });
  nb::list candidates;
  for (size_t i = 0; i < choice.predictions.size(); ++i) {
    nb::dict row = of_prediction(choice.predictions[i]);
    row["origin"] = to_name(kOrigins, choice.origins[i]);
    candidates.append(row);
  }
  const TunedEntry& entry = choice.entry;
  nb::dict result;
  result["problem"] = to_string(problem);
  result["plan"] = to_string(entry.plan);
  result["ns_per_input"] = entry.predicted_ns_per_input;
  result["direct_plan"] = to_string(entry.direct_plan);
  result["direct_ns_per_input"] = entry.direct_ns_per_input;
  result["runner_up"] = to_string(entry.runner_up);
  result["runner_up_ns_per_input"] = entry.runner_up_ns_per_input;
  result["presorts"] = entry.plan.presort.has_value();
  result["matters"] = entry.matters;
  result["origin"] = to_name(kOrigins, entry.origin);
  result["candidates"] = candidates;
  return result;
}

// Warns at the caller of the module's Python function.
// Errors: what Python raises where its user makes warnings errors
void warn(const std::string& text) {
  constexpr int kCallersUp = 2;
  if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), kCallersUp) != 0) {
    throw nb::python_error();
  }
}

}  // namespace

void bind_simulator(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Machine>(module, "Machine")
      .def_static(
          "from_file", [](const std::string& path) { return io::read_machine(path, warn); },
          "path"_a)
      .def_static(
          "from_text",
          [](const std::string& text, const std::string& file) {
            return io::parse_machine(text, file, warn);
          },
          "text"_a, "file"_a)
      .def("to_yaml", &io::machine_to_text)
      .def_ro("name", &Machine::name);
  module.def("predict", &predict, "machine"_a, "op"_a, "n"_a, "m"_a, "dist"_a, "types"_a, "seed"_a,
             "plan"_a, "closed_form"_a, "full"_a);
  module.def("choose", &choose, "machine"_a, "op"_a, "n"_a, "m"_a, "dist"_a, "types"_a, "seed"_a,
             "model_only"_a);
}

}  // namespace presort::python
