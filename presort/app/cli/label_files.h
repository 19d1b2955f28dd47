// The label files that a command line names, by --labels FILE or --dist file:FILE.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "presort/app/cli/options.h"
#include "presort/app/cli/problem_options.h"

namespace presort::inline v0::app {

// The value of --dist, or "file:FILE" for --labels FILE.
// Errors: InputError when both are given
std::string given_distribution(const Arguments& arguments);

// All distributions of --dist, or the one of --labels: "file:FILE".
// Errors: InputError when both options are given
std::vector<std::string> given_distributions(const Arguments& arguments);

// Reads each label file once, whatever the number of problems.
class LabelFiles {
 public:
  // The labels of a distribution's file; null for labels that follow a formula. Errors: as
  // io::read_labels
  const LabelFile* of(const Distribution& distribution);

  // A function that returns the labels of a problem, from its file or by its formula. Thread-safe;
  // this object must outlive the function.
  // Errors: InputError naming a label that is not below the problem's m
  // Requires: of() was called for the problem's distribution
  LabelsOf labels_of() const;

 private:
  std::map<std::string, std::unique_ptr<LabelFile>> files_;
};

// The values of n and of m, and a list of values of m: from -n and -b; without these, from the
// label file; where `file` is null, the defaults of the options.
// Errors: InputError
uint64_t given_n(const Arguments& arguments, const LabelFile* file);
uint64_t given_m(const Arguments& arguments, const LabelFile* file);
std::vector<uint64_t> given_buckets(const Arguments& arguments, const LabelFile* file);

// Checks a problem.
// Errors: InputError of check_problem, with the label file's name where n or m may be the file's
void check_problem_of(const Problem& problem, const LabelFile* file);

// For the first problem of each label file, prints file_note on stderr.
void say_sizes_of_files(const Arguments& arguments, const std::vector<Problem>& problems,
                        LabelFiles& files);

// Lines for stderr on a label file: whether n and m follow from the file; a warning if its labels
// are repeated, or a note if some are left out. "" if there is nothing to say.
std::string file_note(const Arguments& arguments, const LabelFile& file, const Problem& problem);

}  // namespace presort::app
