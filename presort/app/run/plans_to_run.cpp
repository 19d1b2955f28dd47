#include "presort/app/run/plans_to_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "presort/app/machines/completeness.h"
#include "presort/app/machines/fingerprint.h"
#include "presort/app/machines/gpu_fingerprint.h"
#include "presort/app/machines/load_report.h"
#include "presort/app/printing/notes.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/runner/probe.h"
#include "presort/gpu/runner/runner.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::app {
namespace {

constexpr size_t kMostPlans = 64;

// The entry that was searched for in a tuned file.
// Errors: InputError when there is none
template <class Plan>
const TunedEntryOf<Plan>& nearest_entry(const std::string& path, const Tuned& tuned,
                                        const Problem& problem,
                                        const std::optional<TunedMatchOf<Plan>>& match,
                                        int devices = 1) {
  const char* incomplete = tuned.complete ? "" : "; its tuning was interrupted";
  if (!match) {
    throw InputError(path + ": " + why_no_entry(tuned, Plan::kDevice, problem, devices) +
                     incomplete);
  }
  if (!match->exact) {
    note("{} has no entry for {}; taking the plan of the nearest, {}{}", path, to_string(problem),
         to_string(match->entry->problem), incomplete);
  }
  return *match->entry;
}

CpuPlans tuned_plan(const std::string& path, const Problem& problem, bool force) {
  const Tuned tuned = load_tuned(path);
  require_fingerprint(path, tuned.fingerprint, host_fingerprint(io::current_provenance()), force);
  CpuPlans found = {{nearest_entry(path, tuned, problem, find_entry(tuned, problem)).plan},
                    disturbed_probe(tuned)};
  const std::string text =
      disturbed_probe_note(path + ": its machine " + tuned.machine, found.disturbed_probe);
  if (!text.empty()) {
    note("{}", text);
  }
  return found;
}

struct TunedOfGpu {
  Tuned tuned;
  Gpu gpu;
};

// A tuned file for the GPU of this host, and that GPU.
// Errors: InputError when it is of another one; EnvironmentError in a build without CUDA
TunedOfGpu load_tuned_of_gpu(const std::string& path, bool force) {
  TunedOfGpu loaded = {load_tuned(path), gpu::describe_gpu()};
  require_fingerprint(path, loaded.tuned.fingerprint,
                      gpu_fingerprint(loaded.gpu, io::current_provenance()), force);
  return loaded;
}

GpuPlan tuned_gpu_plan(const std::string& path, const Problem& problem, bool force) {
  const auto [tuned, gpu] = load_tuned_of_gpu(path, force);
  const auto runs = [&device = gpu](const GpuPlan& plan, const Problem& of) {
    return gpu::runs_on(of, plan, gpu::limits_of(device));
  };
  return nearest_entry(path, tuned, problem, find_gpu_entry(tuned, problem, runs)).plan;
}

// The values of --plan, or its default.
std::vector<std::string> plan_texts(const Arguments& arguments) {
  std::vector<std::string> texts = arguments.all("plan");
  if (texts.empty()) {
    texts.push_back(arguments.text("plan"));
  }
  if (texts.size() > kMostPlans) {
    throw InputError(
        fmt::format("--plan: found {} plans, accepted: at most {}", texts.size(), kMostPlans));
  }
  return texts;
}

// True if the plan comes from a tuned file.
// Errors: InputError when plans are given besides
bool is_tuned(const Arguments& arguments) {
  if (arguments.has("tuned") && arguments.has("plan")) {
    throw InputError("--tuned and --plan exclude each other");
  }
  return arguments.has("tuned");
}

int read_threads(const std::string& text) {
  const uint64_t count = parse_count("--threads", text);
  if (count == 0 || count > kMaxThreads) {
    throw InputError(fmt::format("--threads: found {}, accepted: 1 to {}", text, kMaxThreads));
  }
  return static_cast<int>(count);
}

}  // namespace

CpuPlans cpu_plans_to_run(const Arguments& arguments, const Problem& problem) {
  CpuPlans found;
  if (is_tuned(arguments)) {
    found = tuned_plan(arguments.text("tuned"), problem, arguments.has("force"));
  } else {
    for (const std::string& text : plan_texts(arguments)) {
      found.plans.push_back(parse_cpu_plan(text));
    }
  }
  const auto threads = arguments.optional("threads");
  for (CpuPlan& plan : found.plans) {
    if (threads) {
      plan.resources.threads = read_threads(*threads);
    }
    check_plan(plan, problem);
  }
  return found;
}

std::vector<GpuPlan> gpu_plans_to_run(const Arguments& arguments, const Problem& problem,
                                      const LabelSource& labels) {
  if (arguments.has("threads")) {
    throw InputError("--threads goes with --device cpu, found --device gpu");
  }
  if (is_tuned(arguments)) {
    return {tuned_gpu_plan(arguments.text("tuned"), problem, arguments.has("force"))};
  }
  if (!arguments.has("plan")) {
    return {gpu::choose_plan(problem, labels)};
  }
  std::vector<GpuPlan> plans;
  for (const std::string& text : plan_texts(arguments)) {
    plans.push_back(parse_gpu_plan(text));
  }
  return plans;
}

TunedSharedPlan tuned_shared_plan(const std::string& path, const Problem& problem, int devices,
                                  bool force) {
  const auto [tuned, gpu] = load_tuned_of_gpu(path, force);
  // A plan is for all buckets, or with the scheme `inputs` for those of an owner
  const auto runs = [&device = gpu, devices](const GpuPlan& plan, const Problem& of) {
    Problem of_owner = of;
    of_owner.m = std::max<uint64_t>(of.m / static_cast<uint64_t>(devices), 1);
    return gpu::runs_on(of, plan, gpu::limits_of(device)) ||
           gpu::runs_on(of_owner, plan, gpu::limits_of(device));
  };
  const GpuTunedEntry& entry =
      nearest_entry(path, tuned, problem, find_gpu_entry(tuned, problem, runs, devices), devices);
  return {entry.plan, entry.shared.scheme};
}

}  // namespace presort::app
