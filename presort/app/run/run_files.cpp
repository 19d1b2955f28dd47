#include "presort/app/run/run_files.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/problem_options.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/output.h"
#include "presort/app/printing/text.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/external/external_run.h"
#include "presort/io/json/result_json.h"
#include "presort/io/labels/label_memory.h"
#include "presort/io/labels/npy_header.h"
#include "presort/io/machine/provenance.h"
#include "presort/predict/storage/external_time.h"

namespace presort::inline v0::app {
namespace {

std::string required_file(const Arguments& arguments, const char* name) {
  const auto file = arguments.optional(name);
  if (!file) {
    throw InputError(arguments.shown(name) + " is required with --memory");
  }
  return *file;
}

// Bytes of an element, by the header of a NumPy file. Errors: InputError
uint64_t npy_element_bytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw InputError(path + ": cannot be read: " + std::strerror(errno));
  }
  return io::read_npy_header(stream, path, io::NpyTypes::numbers).element_bytes;
}

// The type of labels follows from the name's ending, as everywhere (presort help file-formats).
Types types_of_files(const Arguments& arguments, const std::string& labels) {
  const std::string ending = std::filesystem::path(labels).extension().string();
  if (ending != ".u64" && ending != ".u32" && ending != ".bin" && ending != ".raw" &&
      ending != ".npy") {
    throw InputError(fmt::format(
        "{}: found '{}', accepted with --memory: .u32, .bin, .raw, .u64, .npy", labels, ending));
  }
  const bool is_long = ending == ".u64" || (ending == ".npy" && npy_element_bytes(labels) == 8);
  const ScalarType label = is_long ? ScalarType::u64 : ScalarType::u32;
  Types types = read_types(arguments.text("type"));
  if (arguments.has("type") && types.label != label) {
    throw InputError(fmt::format("--type: found '{}', accepted: labels of {}, as {} has them",
                                 arguments.text("type"), to_name(kScalarTypes, label), labels));
  }
  types.label = label;
  return types;
}

void refuse_others(const Arguments& arguments) {
  for (const char* other :
       {"n", "dist", "plan", "tuned", "threads", "reps", "check", "csv", "markdown"}) {
    if (arguments.has(other)) {
      throw InputError(fmt::format("{} has no meaning with --memory, which runs on files once",
                                   arguments.shown(other)));
    }
  }
  if (arguments.text("device") != "cpu") {
    throw InputError("--device: found '" + arguments.text("device") +
                     "', accepted with --memory: cpu");
  }
}

// Memory that a run may take: --memory, or half of what is free.
uint64_t memory_of(const Arguments& arguments) {
  const auto given = arguments.optional("memory");
  return given ? parse_bytes("--memory", *given) : io::memory_left_bytes() / 2;
}

// The machine of -m, which must have a block device; none without -m.
std::optional<Machine> machine_of(const Arguments& arguments) {
  const auto file = arguments.optional("machine");
  if (!file) {
    return std::nullopt;
  }
  Machine machine = load_machine(*file);
  if (!machine.storage) {
    throw InputError(fmt::format(
        "{}: has no section storage, from which --memory takes the block device; presort probe "
        "--disk FOLDER prints one",
        *file));
  }
  return machine;
}

// A plan, and its predicted time where a machine says what the block device is like.
struct FilePlan {
  ExternalPlan plan;
  std::optional<predict::ExternalPrediction> prediction;
};

ExternalPlan given_plan(const Problem& problem, const std::string& text, uint64_t memory) {
  const ExternalPlan plan = parse_external_plan("--file-plan", text);
  check_external(problem, plan);
  if (external_memory_bytes(problem, plan) > memory) {
    throw PlanError(fmt::format("--file-plan: {} takes {}, accepted: up to {} (--memory)",
                                to_string(plan), format_bytes(external_memory_bytes(problem, plan)),
                                format_bytes(memory)));
  }
  return plan;
}

FilePlan plan_of(const Arguments& arguments, const Problem& problem) {
  const auto text = arguments.optional("file-plan");
  const uint64_t memory = memory_of(arguments);
  const std::optional<Machine> machine = machine_of(arguments);
  if (machine && !text) {
    check_external(problem, {});  // the operation, before any is predicted
    predict::ExternalChoice choice = predict::choose_external(*machine, problem, memory);
    return {choice.plan, std::move(choice.prediction)};
  }
  FilePlan plan{text ? given_plan(problem, *text, memory) : external_plan_by_rule(problem, memory),
                std::nullopt};
  if (machine) {
    plan.prediction =
        predict::predict_external(*machine->storage, problem, plan.plan,
                                  predict::external_costs(*machine, problem, plan.plan));
  }
  return plan;
}

uint64_t most_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) << 10;
}

// The predicted seconds of a pass, or "" without a prediction.
std::string predicted_seconds(const FilePlan& plan, size_t pass) {
  return plan.prediction ? fmt::format("{:.2f}", plan.prediction->passes.at(pass).seconds) : "";
}

void print_run(const Problem& problem, const FilePlan& file_plan,
               const external::ExternalReport& report) {
  const ExternalPlan& plan = file_plan.plan;
  print_out("{} n={} m={} {}, on files\nplan {}: {} parts, {} of memory\n\n",
            to_name(kOperations, problem.operation), format_count(problem.n),
            format_count(problem.m), to_string(problem.types), to_string(plan),
            part_count(problem.m, plan), format_bytes(external_memory_bytes(problem, plan)));
  print_out("{:<10} {:>9} {:>9} {:>12} {:>12} {:>12}\n", "pass", "seconds",
            file_plan.prediction ? "predicted" : "", "GB read", "GB written", "GB/s");
  for (size_t i = 0; i < report.passes.size(); ++i) {
    const external::ExternalPass& pass = report.passes[i];
    const double read = static_cast<double>(pass.read_bytes) / 1e9;
    const double written = static_cast<double>(pass.written_bytes) / 1e9;
    print_out("{:<10} {:>9.2f} {:>9} {:>12.3f} {:>12.3f} {:>12.2f}\n", pass.name, pass.seconds,
              predicted_seconds(file_plan, i), read, written, (read + written) / pass.seconds);
  }
  print_out("\n{:.2f} s in all, {} ns per input, by {}{}; at most {} MiB resident\n",
            report.seconds, format_ns(report.seconds * 1e9 / static_cast<double>(problem.n)),
            report.means, report.is_direct ? ", direct" : ", through the page cache",
            most_resident_bytes() >> 20);
}

void print_run_json(const Problem& problem, const FilePlan& file_plan,
                    const external::ExternalReport& report) {
  const ExternalPlan& plan = file_plan.plan;
  io::Json passes = io::Json::array();
  for (const external::ExternalPass& pass : report.passes) {
    passes.push_back({{"name", pass.name},
                      {"seconds", pass.seconds},
                      {"read_bytes", pass.read_bytes},
                      {"written_bytes", pass.written_bytes}});
  }
  print_json("run_files/1",
             {{"operation", to_name(kOperations, problem.operation)},
              {"n", problem.n},
              {"m", problem.m},
              {"type", to_string(problem.types)},
              {"part_bits", plan.part_bits},
              {"block_bytes", plan.block_bytes},
              {"depth", plan.depth},
              {"memory_bytes", external_memory_bytes(problem, plan)},
              {"most_resident_bytes", most_resident_bytes()},
              {"passes", std::move(passes)},
              {"seconds", report.seconds},
              {"predicted_seconds",
               file_plan.prediction ? io::Json(file_plan.prediction->seconds) : io::Json()},
              {"means", report.means},
              {"direct", report.is_direct},
              {"provenance", io::provenance_to_json(io::current_provenance())}});
}

}  // namespace

std::vector<Option> run_file_options() {
  return {
      {"memory", 0, "SIZE",
       "Run once on files, with at most this much memory: labels of --labels (.u32, .u64 or "
       ".npy), "
       "values "
       "of --values, result to --output. Operations: multireduce, scatter, gather, histogram. What "
       "memory does not hold is first partitioned into a spill file"},
      {"values", 0, "FILE",
       "With --memory: values, as raw elements of --type or .npy, one for each label; of a gather "
       "its "
       "table"},
      {"output", 'o', "FILE",
       "With --memory: file of the result, as raw elements of --type; it appears when it is "
       "complete"},
      {"spill", 0, "DIR",
       "With --memory: folder of the spill files, which have no name and are gone when the run "
       "ends. Without it: the folder of --output"},
      {"file-plan", 0, "KEY=VALUE,…",
       "With --memory: parts and blocks, as partBits=5,block=1MiB,depth=8, instead of those that "
       "are "
       "predicted best for the device of -m, or without -m follow from a rule"},
  };
}

bool runs_on_files(const Arguments& arguments) {
  for (const Option& option : run_file_options()) {
    if (arguments.has(option.name)) {
      return true;
    }
  }
  return false;
}

int run_on_files(const Arguments& arguments) {
  refuse_others(arguments);
  Problem problem;
  problem.operation = from_name(kOperations, "--op", arguments.text("op"));
  const bool gathers = problem.operation == Operation::gather;
  external::ExternalFiles files;
  files.labels = required_file(arguments, "labels");
  files.out = required_file(arguments, "output");
  if (problem.operation != Operation::histogram) {
    files.values = required_file(arguments, "values");
  } else if (arguments.has("values")) {
    throw InputError("--values has no meaning with --op histogram, which counts labels");
  }
  files.spill_folder = arguments.optional("spill").value_or("");
  problem.types = types_of_files(arguments, files.labels);
  if (!gathers || arguments.has("buckets")) {
    problem.m = parse_count("--buckets", arguments.text("buckets"));
  }
  problem = external::external_problem(problem, files);
  const FilePlan plan = plan_of(arguments, problem);
  defer_interrupt();
  const external::ExternalReport report = external::run_external(
      problem, plan.plan, files, {external::Means::automatic, interrupt_token()});
  if (arguments.has("json")) {
    print_run_json(problem, plan, report);
  } else {
    print_run(problem, plan, report);
  }
  return kDone;
}

}  // namespace presort::app
