#include "presort/external/external_run.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"
#include "presort/external/bucket_passes.h"
#include "presort/external/gather_passes.h"

namespace presort::inline v0::external {
namespace {

// Calls run(type) with a value whose type has the size and the arithmetic of `type`: sums of signed
// integers are those of unsigned ones.
template <class Run>
void with_value_type(ScalarType type, const Run& run) {
  switch (type) {
    case ScalarType::u64:
    case ScalarType::i64:
      return run(uint64_t{});
    case ScalarType::f32:
      return run(float{});
    case ScalarType::f64:
      return run(double{});
    default:
      return run(uint32_t{});
  }
}

template <class Label>
void run_with_labels(const PassContext& context) {
  with_value_type(context.problem.types.value, [&](auto value) {
    using Value = decltype(value);
    if (context.problem.operation == Operation::gather) {
      run_gather<Label, Value>(context);
    } else {
      run_buckets<Label, Value>(context);
    }
  });
}

bool takes_file_of_values(Operation operation) {
  return operation != Operation::histogram;
}

SourceFile open_values(const Problem& problem, const ExternalFiles& files) {
  return takes_file_of_values(problem.operation) ? open_source(files.values, problem.types.value)
                                                 : SourceFile{};
}

// Errors: InputError when a file has not the elements of the problem any more
void check_size(const SourceFile& source, uint64_t elements, ScalarType type) {
  if (source.bytes / size_bytes(type) != elements) {
    throw InputError(source.name + ": found " + std::to_string(source.bytes / size_bytes(type)) +
                     " elements, accepted: " + std::to_string(elements) +
                     ", those that it had a moment ago");
  }
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

Problem external_problem(Problem problem, const ExternalFiles& files) {
  const bool gathers = problem.operation == Operation::gather;
  const SourceFile labels = open_source(files.labels, problem.types.label);
  const SourceFile values = open_values(problem, files);
  problem.n = labels.bytes / size_bytes(problem.types.label);
  if (problem.n == 0) {
    throw InputError(files.labels + ": found no labels, accepted: 1 or more");
  }
  const uint64_t found = values.bytes / size_bytes(problem.types.value);
  if (gathers && problem.m == 0) {
    problem.m = found;
  }
  const uint64_t wanted = gathers ? problem.m : problem.n;
  if (takes_file_of_values(problem.operation) && found != wanted) {
    throw InputError(files.values + ": found " + std::to_string(found) +
                     " values, accepted: " + std::to_string(wanted) +
                     (gathers ? ", the number of buckets" : ", one for each label"));
  }
  check_problem(problem);
  return problem;
}

ExternalReport run_external(const Problem& problem, const ExternalPlan& plan,
                            const ExternalFiles& files, const ExternalOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  check_external(problem, plan);
  const SourceFile labels = open_source(files.labels, problem.types.label);
  const SourceFile values = open_values(problem, files);
  const bool gathers = problem.operation == Operation::gather;
  check_size(labels, problem.n, problem.types.label);
  if (takes_file_of_values(problem.operation)) {
    check_size(values, gathers ? problem.m : problem.n, problem.types.value);
  }
  OutputFile out(files.out, saturating_multiply(gathers ? problem.n : problem.m,
                                                size_bytes(problem.types.value)));
  const std::unique_ptr<Transfers> transfers = make_transfers(options.means);
  ExternalReport report;
  report.means = transfers->means();
  report.is_direct =
      labels.is_direct && (values.is_direct || !takes_file_of_values(problem.operation));
  const PassContext context{problem,
                            plan,
                            *transfers,
                            labels,
                            values,
                            out,
                            files.spill_folder.empty() ? folder_of(files.out) : files.spill_folder,
                            options.stop,
                            report};
  if (problem.types.label == ScalarType::u64) {
    run_with_labels<uint64_t>(context);
  } else {
    run_with_labels<uint32_t>(context);
  }
  out.commit();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  report.seconds = spent.count();
  return report;
}

}  // namespace presort::external
