#include "app/problem_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "core/units.h"
#include "io/label_file.h"

namespace presort::app {

std::vector<Option> operator+(std::vector<Option> options, const std::vector<Option>& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

std::string operation_names() {
  std::string text;
  for (const std::string& name : accepted_names(kOperations)) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

std::vector<Option> problem_options() {
  return {
      {"op", 0, "NAME", operation_names(), "multireduce"},
      {"n", 'n', "COUNT", "Inputs: 2^26, 64Mi, 1e6", "2^24"},
      {"buckets", 'b', "COUNT", "Buckets m; parts of a partialSort; segments", "2^20"},
      {"dist", 0, "NAME",
       "Labels: uniform, zipf:S, zipf-contiguous:S, clustered:K,\n"
       "                               sequential, sorted, permutation, degenerate, file:PATH",
       "uniform"},
      {"type", 0, "L+V", "Types of label and value", "u32+u32"},
      {"seed", 0, "COUNT", "Seed of the labels", "1"},
  };
}

Problem read_problem(const Arguments& arguments) {
  Problem problem;
  problem.operation = from_name(kOperations, "--op", arguments.text("op"));
  problem.n = parse_count("-n", arguments.text("n"));
  problem.m = parse_count("-b", arguments.text("buckets"));
  problem.distribution = parse_distribution("--dist", arguments.text("dist"));
  problem.types = parse_types("--type", arguments.text("type"));
  problem.seed = parse_count("--seed", arguments.text("seed"));
  check_problem(problem);
  return problem;
}

std::vector<uint64_t> parse_bucket_counts(const std::vector<std::string>& items) {
  std::vector<uint64_t> counts;
  for (const std::string& item : items) {
    const size_t dots = item.find("..");
    if (dots == std::string::npos) {
      counts.push_back(parse_count("-b", item));
      continue;
    }
    const uint64_t first = parse_count("-b", item.substr(0, dots));
    const uint64_t last = parse_count("-b", item.substr(dots + 2));
    if (first == 0 || last < first) {
      throw InputError(fmt::format(
          "-b: found '{}', accepted: FIRST..LAST with 0 < FIRST <= LAST, or a list", item));
    }
    for (uint64_t m = first; m <= last; m *= 4) {
      counts.push_back(m);
      if (m > std::numeric_limits<uint64_t>::max() / 4) {
        break;
      }
    }
    if (counts.back() != last) {
      counts.push_back(last);
    }
  }
  return counts;
}

std::shared_ptr<const LabelSource> problem_labels(const Problem& problem) {
  if (problem.distribution.kind != DistributionKind::file) {
    return make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  }
  return make_stored_labels(io::read_labels(problem.distribution.path, problem.m), problem.n,
                            problem.m);
}

LabelFile::LabelFile(std::string path)
    : path_(std::move(path)),
      labels_(std::make_shared<const std::vector<uint64_t>>(
          io::read_labels(path_, std::numeric_limits<uint64_t>::max()))),
      m_(*std::max_element(labels_->begin(), labels_->end()) + 1) {}

std::shared_ptr<const LabelSource> LabelFile::labels_of(const Problem& problem) const {
  if (problem.m < m_) {
    io::read_labels(path_, problem.m);  // says which label, and where
  }
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const LabelSource>& source = sources_[{problem.n, problem.m}];
  if (source == nullptr) {
    source = make_shared_labels(labels_, problem.n, problem.m);
  }
  return source;
}

}  // namespace presort::app
