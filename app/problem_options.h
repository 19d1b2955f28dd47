// The options that describe problems, shared by the subcommands.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/options.h"
#include "core/labels.h"
#include "core/problem.h"

namespace presort::app {

// The help of --op: all names.
std::string operation_names();

// --op, -n, -b/--buckets, --dist, --type, --seed for one problem.
std::vector<Option> problem_options();

// Errors: InputError, also what check_problem says
Problem read_problem(const Arguments& arguments);

// "2^10..2^20" (by factor 4, both ends included) or "2^10,1e6".
// Errors: InputError for an end below the start
std::vector<uint64_t> parse_bucket_counts(const std::vector<std::string>& items);

// The labels of a problem, from its formula or its file.
std::shared_ptr<const LabelSource> problem_labels(const Problem& problem);

// Number of labels of a file, and the smallest m that holds them.
struct LabelFileSize {
  uint64_t n;
  uint64_t m;
};
LabelFileSize label_file_size(const std::string& path);

// One table on top of another.
std::vector<Option> operator+(std::vector<Option> options, const std::vector<Option>& more);

}  // namespace presort::app
