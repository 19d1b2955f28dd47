#include "presort/app/cli/output_form.h"
#include "presort/app/cli/problem_options.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/machines/machine_catalog.h"

namespace presort::inline v0::app {

CommandLine validate_line() {
  return {
      "validate",
      "predicts the problems and plans of a grid, then times them on this machine, and "
      "reports how wrong predictions are, regret and crossovers",
      std::vector<Option>{
          machine_option(),
          {"device", 0, "NAME",
           "Judge predictions of plans for cpu or gpu. gpu takes its plans from --replay, of "
           "a file of timed GPU plans, or with --draw on a GPU, and predicts them in closed "
           "form (section gpu of the machine file) and by simulation (section gpuHardware)",
           "cpu"},
          {"tuned", 0, "FILE",
           "Judge the plans of this tuned file (presort tune writes it). Without it, the "
           "plans that tune would choose among those of the grid"},
          {"grid", 0, "FILE",
           "Plan grid: the problems and plans to run (presort help file-formats). Without it "
           "the bundled grid standard, with --quick the bundled grid quick"},
          {"labels", 0, "FILE",
           "Run one problem with the labels of this file, instead of the problems of the grid"},
          {"draw", 0, "COUNT",
           "Take COUNT problems with plans, 6 to 10000, at random from all that is legal, "
           "instead of a grid. Draws that need too much memory or time are replaced, and "
           "counted. 150 end in about 10 minutes. What an interrupted draw has predicted and "
           "timed is kept in the folder of -o; the same command goes on from there"},
          {"seed", 0, "COUNT", "With --draw: seed of the draws. Without it 1"},
          {"replay", 0, "FILE",
           "Run nothing; take problems, plans and times from result.jsonl of an earlier "
           "report (with --loops: from loops.jsonl). It may be compressed: .gz"},
          {"measure", 0, "COUNT",
           "With --replay or --draw: also judge what tune --measure COUNT would choose, 1 to 100, "
           "with its times drawn from the runs; close: what tune chooses by default on the host "
           "that was probed, which draws at most half of each plan's runs"},
          {"reps", 0, "COUNT",
           "Timed runs of each plan, an even number of 4 to 1000. Without it 6, with --loops "
           "8, with --quick and --draw 4"},
          {"wait-quiet", 0, "TIME",
           "Wait for up to TIME in all, such as 600s, until other programs leave the "
           "processors alone, before the runs and between them"},
          flag("strict", 0,
               "Exit status 4 when other programs used so much of the processors that the times "
               "cannot be trusted"),
          {"output", 'o', "DIR", "Folder to write the report to", "out"},
          {"max-median-error", 0, "RATIO",
           "Exit status 1 when the median error of the predicted times is above RATIO"},
          {"max-regret", 0, "RATIO", "Exit status 1 when the mean regret is above RATIO"},
          {"max-p95-regret", 0, "RATIO",
           "Exit status 1 when the regret of more than 5 % of the problems is above RATIO"},
          {"max-worst-regret", 0, "RATIO",
           "Exit status 1 when the regret of any problem is above RATIO"},
          {"max-measured-regret", 0, "RATIO",
           "Exit status 1 when the mean regret of what --measure judges is above RATIO"},
          flag("model", 0, "Predict in closed form, without simulating memory"),
          flag("confirm", 0,
               "With --model: where two plans are too close to tell apart, simulate both, as tune "
               "does"),
          flag("loops", 0,
               "Time bare loops over memory instead of problems: how well is memory simulated?"),
          {"largest", 0, "SIZE",
           "With --loops: most memory that a loop goes over, at least 16KiB. Without it 1GiB, "
           "or what fits"},
          flag("quick", 0, "Run fewer problems and plans, each fewer times"),
          flag("force", 0, "Use the tuned file even if it was made for another machine"),
      } + form_options("a point") +
          std::vector<Option>{flag("quiet", 'q', "Do not show progress on standard error")},
      {"presort validate -m out/machine.yaml --tuned out/tuned.yaml --quick -o out",
       "presort validate -m out/machine.yaml --tuned out/tuned.yaml --max-median-error 15%",
       "presort validate -m out/machine.yaml --draw 150 --seed 21 -o drawn",
       "presort validate -m out/machine.yaml --replay out/result.jsonl -o again",
       "presort validate --device gpu -m h200 --replay gpu-plans.jsonl.gz -o gpu",
       "presort validate --loops -m out/machine.yaml -o out",
       "presort validate --loops -m out/machine.yaml --replay out/loops.jsonl -o again"}};
}

}  // namespace presort::app
