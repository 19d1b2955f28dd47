// The options that describe problems, shared by the subcommands.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "presort/app/cli/options.h"
#include "presort/core/labels/labels.h"
#include "presort/core/problem.h"

namespace presort::inline v0::app {

// The help text of --op: the names of all operations.
std::string operation_names();

// The rows of --type and of --plan in option tables; `arity`: whether one value is allowed, or
// several.
Option type_option(Arity arity);
Option plan_option();
Option several_plans_option();

// The rows of --dist and --labels in option tables; the two options belong together.
Option dist_option(Arity arity);
Option labels_option();

// The rows --op, -n, -b/--buckets, --dist, --labels, --type, --seed for one problem.
std::vector<Option> problem_options();

// Reads types as LABEL+VALUE. Both are required, as "u32" alone would not say which of them it is.
// Errors: InputError
Types read_types(std::string_view text);

class LabelFiles;

// Reads a problem. n and m follow from a label file unless -n or -b give them; in that case stderr
// names them, and says if labels are repeated to make n inputs.
// Errors: InputError, also for what check_problem refuses
Problem read_problem(const Arguments& arguments, LabelFiles& files);

// Reads a list of numbers: "2^10..2^20" (by factor 4, both ends included) or "2^10,1e6".
// Errors: InputError for an end below the start
std::vector<uint64_t> parse_bucket_counts(const std::vector<std::string>& items);

// The labels of a problem, from its formula or its file.
std::shared_ptr<const LabelSource> problem_labels(const Problem& problem);

// A function that returns the labels of a problem, as problem_labels does. Several threads may call
// it.
using LabelsOf = std::function<std::shared_ptr<const LabelSource>(const Problem&)>;

// The labels of a file, read once for problems of any size. Problems of equal n and m share one
// source of labels, so that what the closed form computes from the labels serves all of them.
// Thread-safe.
class LabelFile {
 public:
  // Reads a file of labels.
  // Errors: as io::read_labels
  explicit LabelFile(std::string path);

  uint64_t n() const { return labels_->size(); }
  uint64_t m() const { return m_; }  // the smallest m that all labels are below

  // The labels for a problem.
  // Errors: InputError naming the first label that is not below the problem's m
  std::shared_ptr<const LabelSource> labels_of(const Problem& problem) const;

 private:
  std::string path_;
  std::shared_ptr<const std::vector<uint64_t>> labels_;
  uint64_t m_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<uint64_t, uint64_t>, std::shared_ptr<const LabelSource>> sources_;
};

// Joins two option tables, one below the other.
std::vector<Option> operator+(std::vector<Option> options, const std::vector<Option>& more);

}  // namespace presort::app
