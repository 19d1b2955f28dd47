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

// Every distribution that --dist lists, or the one that --labels makes: "file:FILE".
// Errors: InputError when both options are given
std::vector<std::string> given_distributions(const Arguments& arguments);

// Reads each label file once, whatever the number of problems.
class LabelFiles {
 public:
  // The labels of a distribution's file; null for labels that follow a formula. Errors: as io::read_labels
  const LabelFile* of(const Distribution& distribution);

  // The labels of a problem: of its file, or by its formula. Thread-safe; this must outlive it.
  // Errors: InputError naming a label that is not below the problem's m
  // Requires: of() was called for the problem's distribution
  LabelsOf labels_of() const;

 private:
  std::map<std::string, std::unique_ptr<LabelFile>> files_;
};

// n, m and a list of them: as -n and -b give them, or else those of the file, or, where `file` is
// null, the options' fallbacks.
// Errors: InputError
uint64_t given_n(const Arguments& arguments, const LabelFile* file);
uint64_t given_m(const Arguments& arguments, const LabelFile* file);
std::vector<uint64_t> given_buckets(const Arguments& arguments, const LabelFile* file);

// Errors: InputError of check_problem, with the label file's name where n or m may be the file's
void check_problem_of(const Problem& problem, const LabelFile* file);

// Prints on stderr the file_note of the first problem of each label file.
void say_sizes_of_files(const Arguments& arguments, const std::vector<Problem>& problems,
                        LabelFiles& files);

// What stderr says of a file of `labels` labels for n inputs: which of n and m are the file's, and,
// as a warning, that labels are repeated, or, as a note, that some are left out. Lines, or "".
std::string file_note(const Arguments& arguments, const LabelFile& file, const Problem& problem);

}  // namespace presort::app
