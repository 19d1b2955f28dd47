#include "presort/app/commands/tune_plans.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "presort/app/machines/load_report.h"
#include "presort/app/printing/notes.h"
#include "presort/core/error.h"
#include "presort/core/machine/node_layout.h"
#include "presort/core/plan/plan_fields.h"
#include "presort/core/text/names.h"
#include "presort/core/text/units.h"
#include "presort/io/plans/plan_grid_file.h"

namespace presort::inline v0::app {

namespace {

std::vector<int> read_threads(const Arguments& arguments, const Machine& machine) {
  std::vector<int> counts;
  for (const std::string& word : arguments.list("threads")) {
    const uint64_t count = parse_count("--threads", word);
    if (count < 1 || count > static_cast<uint64_t>(machine.cores)) {
      throw InputError(fmt::format("--threads: found {}, accepted: 1 to {}, the cores of {}", count,
                                   machine.cores, machine.name));
    }
    counts.push_back(static_cast<int>(count));
  }
  return counts;
}

}  // namespace

tuner::PlanSpace read_tune_plans(const Arguments& arguments, const Machine& machine) {
  tuner::PlanSpace space;
  std::vector<std::string> threads;
  for (const int count : read_threads(arguments, machine)) {
    threads.push_back(std::to_string(count));
  }
  space.set("threads", threads);
  if (node_count(machine) > 1) {
    space.set("placement", accepted_names(kPlacements));
  }
  const std::string pages = arguments.text("page-size");
  if (pages == "both") {
    space.set("pageSize", {"4KiB", "2MiB"});
  } else {
    const std::vector<std::string> accepted = {"4KiB", "2MiB", "both"};
    if (pages != accepted[0] && pages != accepted[1]) {
      throw InputError(unknown_name_message("--page-size", pages, accepted));
    }
    space.set("pageSize", {pages});
  }
  if (const auto plans = arguments.optional("plans")) {
    space.listed = io::read_plan_grid(*plans).plans;
    const size_t dropped = std::erase_if(space.listed, [&machine](const CpuPlan& plan) {
      return plan.resources.threads > machine.cores;
    });
    write_to_stderr(left_out_note(dropped, machine.cores));
  }
  if (const auto required = arguments.optional("require")) {
    space.require(parse_plan_fields(*required));
  }
  return space;
}

}  // namespace presort::app
