// Counts the labels of a file (.u32) into a file of m counts.
// usage: files LABELS COUNTS M
#include <presort/external/external_run.h>

#include <cstdlib>

int main(int argc, char** argv) {
  if (argc != 4) {
    return 2;
  }
  const presort::external::ExternalFiles files{
      .labels = argv[1], .values = "", .out = argv[2], .spill_folder = ""};
  presort::Problem problem{.operation = presort::Operation::histogram,
                           .m = std::strtoull(argv[3], nullptr, 10)};
  problem = presort::external::external_problem(problem, files);
  const presort::external::ExternalReport report = presort::external::run_external(
      problem, presort::external_plan_by_rule(problem, uint64_t{1} << 20), files);
  return report.passes.empty() ? 1 : 0;
}
