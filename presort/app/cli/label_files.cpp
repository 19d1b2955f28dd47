#include "presort/app/cli/label_files.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/notes.h"

#include <fmt/format.h>

#include <cstdio>
#include <set>

#include "presort/core/error.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app {

namespace {

// The value of --labels as a distribution, "file:FILE"; "" without the option.
std::string labels_distribution(const Arguments& arguments) {
  const auto path = arguments.optional("labels");
  if (path && arguments.has("dist")) {
    throw InputError("--labels and --dist exclude each other");
  }
  return path ? "file:" + *path : "";
}

// True if an option is absent and a label file gives its value.
bool follows(const Arguments& arguments, const char* name, const LabelFile* file) {
  return file != nullptr && !arguments.has(name);
}

std::string fit_note(const std::string& path, uint64_t labels, uint64_t n) {
  if (n > labels) {
    const double times = static_cast<double>(n) / static_cast<double>(labels);
    return fmt::format(
        "warning: {} has {} labels: they are repeated {} times to make n = {} inputs\n", path,
        labels, times < 100 ? fmt::format("{:.3g}", times) : fmt::format("{:.0f}", times),
        format_count(n));
  }
  return n < labels ? fmt::format("note: {} has {} labels, of which the first {} are taken\n", path,
                                  labels, n)
                    : "";
}

}  // namespace

std::string given_distribution(const Arguments& arguments) {
  const std::string of_labels = labels_distribution(arguments);
  return of_labels.empty() ? arguments.text("dist") : of_labels;
}

std::vector<std::string> given_distributions(const Arguments& arguments) {
  const std::string of_labels = labels_distribution(arguments);
  return of_labels.empty() ? arguments.list("dist") : std::vector{of_labels};
}

const LabelFile* LabelFiles::of(const Distribution& distribution) {
  if (distribution.kind != DistributionKind::file) {
    return nullptr;
  }
  std::unique_ptr<LabelFile>& file = files_[distribution.path];
  if (file == nullptr) {
    file = std::make_unique<LabelFile>(distribution.path);
  }
  return file.get();
}

LabelsOf LabelFiles::labels_of() const {
  return [this](const Problem& problem) {
    return problem.distribution.kind == DistributionKind::file
               ? files_.at(problem.distribution.path)->labels_of(problem)
               : problem_labels(problem);
  };
}

uint64_t given_n(const Arguments& arguments, const LabelFile* file) {
  return follows(arguments, "n", file) ? file->n() : parse_count("-n", arguments.text("n"));
}

uint64_t given_m(const Arguments& arguments, const LabelFile* file) {
  return follows(arguments, "buckets", file) ? file->m()
                                             : parse_count("-b", arguments.text("buckets"));
}

std::vector<uint64_t> given_buckets(const Arguments& arguments, const LabelFile* file) {
  return follows(arguments, "buckets", file) ? std::vector{file->m()}
                                             : parse_bucket_counts(arguments.list("buckets"));
}

void check_problem_of(const Problem& problem, const LabelFile* file) {
  try {
    check_problem(problem);
  } catch (const InputError& error) {
    const std::string prefix = file != nullptr ? problem.distribution.path + ": " : "";
    throw InputError(prefix + error.what());
  }
}

std::string file_note(const Arguments& arguments, const LabelFile& file, const Problem& problem) {
  std::string sizes = arguments.has("n") ? "" : fmt::format("n = {}", format_count(problem.n));
  if (!arguments.has("buckets")) {
    sizes += fmt::format("{}m = {}", sizes.empty() ? "" : ", ", format_count(problem.m));
  }
  const std::string& path = problem.distribution.path;
  return (sizes.empty() ? "" : fmt::format("note: {} of {}\n", sizes, path)) +
         fit_note(path, file.n(), problem.n);
}

void say_sizes_of_files(const Arguments& arguments, const std::vector<Problem>& problems,
                        LabelFiles& files) {
  std::set<std::string> said;
  for (const Problem& problem : problems) {
    const LabelFile* const file = files.of(problem.distribution);
    if (file != nullptr && said.insert(problem.distribution.path).second) {
      write_to_stderr(displayable(file_note(arguments, *file, problem)));
    }
  }
}

}  // namespace presort::app
