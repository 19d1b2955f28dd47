// Prints the plan that the model chooses for 2^20 inputs and 2^16 buckets on the machine of a file.
#include <presort/io/machine/machine_file.h>
#include <presort/sim/trace/trace_formats.h>
#include <presort/tuner/tuner.h>

#include <cstdint>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2 || presort::sim::trace_formats().empty()) {
    return 2;
  }
  const presort::tuner::Predictors predictors(presort::io::read_machine(argv[1]));
  const presort::Problem problem{.n = uint64_t{1} << 20, .m = uint64_t{1} << 16};
  presort::tuner::PlanSpace space;
  space.set("sortBits", {"0", "8"});
  const presort::tuner::Choice choice = presort::tuner::choose_plan(
      predictors, space, problem,
      presort::make_labels(problem.distribution, problem.n, problem.m, problem.seed),
      presort::tuner::Confirm::never);
  std::puts(to_string(choice.entry.plan).c_str());
}
